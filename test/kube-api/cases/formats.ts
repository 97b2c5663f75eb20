import type { Case, Step } from "../case.ts";
import { CRDS } from "./samples.ts";

const GROUP = "f{id}.example.com";
const PATH = `/apis/${GROUP}/v1/namespaces/{ns}/formats`;
const TEXTS =
  "bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 hexcolor byte password date duration datetime date-time other";
const NUMBERS = ["int32", "int64", "float", "double", "other"];

const text = (format: string) => ({ type: "string", format });
const properties = {
  ...Object.fromEntries(TEXTS.split(" ").map((format) => [format, text(format)])),
  ...Object.fromEntries(NUMBERS.map((format) => [`i-${format}`, { type: "integer", format }])),
  ...Object.fromEntries(NUMBERS.map((format) => [`n-${format}`, { type: "number", format }])),
  "i-none": { type: "integer" },
  both: { "x-kubernetes-int-or-string": true },
};
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `formats.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "formats", kind: "Format" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
      },
    ],
  },
};
/** Each value in a request of its own: an answer would not say which of several was taken. */
const values = (name: string, field: string, given: readonly (string | number)[]): Case => ({
  name,
  steps: [
    { request: `POST ${CRDS}`, body: crd, quiet: true },
    { request: `GET ${PATH}`, until: { status: 200 }, quiet: true },
    ...given.map(
      (value): Step => ({
        request: `POST ${PATH}?dryRun=All`,
        body: { apiVersion: `${GROUP}/v1`, kind: "Format", metadata: { name: "a" }, spec: { [field]: value } },
      }),
    ),
    { request: `DELETE ${CRDS}/formats.${GROUP}`, quiet: true },
  ],
});

/** The formats of strings and numbers. */
export const formats: readonly Case[] = [
  values("format cidr", "cidr", ["1", "10.0.0.0/8", "10.0.0.1/33", "fd00::/8", "10.0.0.0", ""]),
  values("format mac", "mac", ["q", "01:02:03:04:05:06", "0102.0304.0506", "01-02-03-04-05-06", "01:02:03:04:05"]),
  values("format date", "date", ["2020-13-01", "2020-12-01", "2020-1-1", "2021-02-29", "2020-02-29", "x"]),
  values("format duration", "duration", [
    "1x",
    "1h3m",
    "1 day",
    "1.5h",
    "3 weeks",
    "",
    "10",
    "-5s",
    "1us",
    "1µs",
    "2days",
    "1h 5m",
  ]),
  values("format hostname", "hostname", [
    "a.b",
    "a_b",
    "-",
    "a",
    "A.com",
    "example.com",
    "a.b.",
    `${"a".repeat(64)}.com`,
  ]),
  values("format email", "email", ["Joe <a@b.de>", "a@b.de", "a", "a@b", "<a@b>", "a b@c", "a@b@c"]),
  values("format ipv4", "ipv4", ["1.2.3.04", "1.2.3.4", "1.2.3.256", "1.2.3", "::1"]),
  values("format ipv6", "ipv6", ["::1", "1.2.3.4", "fd00::g", "::ffff:1.2.3.4", "1:2"]),
  values("format uri", "uri", ["a", "http://a.b/c", ":", "/a", "a:b", "http://", "a b", "%zz"]),
  values("format byte", "byte", ["YQ==", "YQ", "%%", "", "YWI="]),
  values("format uuid", "uuid", ["z", "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000", "A"]),
  values("formats uuid4 and others of its kind", "uuid4", [
    "123e4567-e89b-42d3-a456-426614174000",
    "123e4567-e89b-12d3-a456-426614174000",
  ]),
  values("format date-time", "date-time", [
    "2020-01-01T00:00:00Z",
    "2020-01-01t00:00:00z",
    "2020-01-01",
    "2020-13-01T00:00:00Z",
    "2020-01-01T00:00:00",
    "2020-01-01 00:00:00Z",
    "2020-01-01T25:00:00Z",
  ]),
  values("format datetime", "datetime", ["2020-01-01T00:00:00Z", "x"]),
  values("format hexcolor", "hexcolor", ["#fff", "fff", "#ffff", "red"]),
  values("format password", "password", ["", "x"]),
  values("format of nobody", "other", ["", "x"]),
  values("format int32", "i-int32", [2147483647, 2147483648, -2147483648, -2147483649, 1.5]),
  values("format int64", "i-int64", [9007199254740991, 1e19, -1e19, 1.5]),
  values("an integer without a format", "i-none", [2147483648, 1e19, 1.5]),
  values("format float", "n-float", [1.5, 1e39, -1e39]),
  values("format int32 of a number", "n-int32", [1, 2147483648, 1.5]),
  values("an integer or a string that is large", "both", [2147483648, 3000000000, 1e19]),
];
