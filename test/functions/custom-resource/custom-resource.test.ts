import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import { crdOf } from "../../../functions/kube/crd.ts";
import { customResource } from "../../../functions/kube/custom-resource.ts";
import { MisfitError } from "../../../functions/kube/errors.ts";
import type { StatusOf } from "../../../functions/kube/kube.ts";
import type { Draft, Infer, KubeObject, ObjectMeta, Resource } from "../../../functions/kube/resource.ts";

const Document = customResource({
  group: "example.com",
  version: "v1",
  kind: "Document",
  plural: "documents",
  scope: "Namespaced",
  spec: z.object({
    title: z.string().min(1),
    copies: z.int().default(1),
    due: z.iso
      .datetime()
      .transform((text) => new Date(text))
      .optional(),
    links: z.array(z.object({ href: z.string() })).default([]),
  }),
  status: z.object({ phase: z.string(), observedGeneration: z.int(), items: z.array(z.string()).default([]) }).partial({
    phase: true,
    observedGeneration: true,
  }),
});
type Document = Infer<typeof Document>;

const metadata: ObjectMeta = { name: "a", namespace: "default", uid: "u", resourceVersion: "1", generation: 2 };

function stored(fields: object): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Document", metadata, ...fields };
}

describe("customResource", () => {
  test("is a resource: where the API server serves it", () => {
    expect(Document).toMatchObject({
      apiVersion: "example.com/v1",
      group: "example.com",
      version: "v1",
      kind: "Document",
      plural: "documents",
      scope: "Namespaced",
    });
  });

  test("its objects have the types of its schemas", () => {
    expectTypeOf(Document).toExtend<Resource<Document>>();
    expectTypeOf(Document.apiVersion).toEqualTypeOf<"example.com/v1">();
    expectTypeOf<Document["apiVersion"]>().toEqualTypeOf<"example.com/v1">();
    expectTypeOf<Document["kind"]>().toEqualTypeOf<"Document">();
    expectTypeOf<Document["metadata"]>().toEqualTypeOf<ObjectMeta>();
    expectTypeOf<Document["spec"]>().toEqualTypeOf<{
      title: string;
      copies: number;
      due?: Date | undefined;
      links: { href: string }[];
    }>();
    expectTypeOf<NonNullable<Document["status"]>["phase"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<StatusOf<Document>["observedGeneration"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<keyof Draft<Document>>().toEqualTypeOf<"apiVersion" | "kind" | "metadata" | "spec">();
  });

  test("without a status schema any status may be written", () => {
    const resource = customResource({ ...names, spec: z.object({}) });
    expect(resource.apiVersion).toBe("example.com/v1");
    expect(schemaOf(resource)?.status).toEqual({
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
    });
    type Open = Infer<ReturnType<typeof open>>;
    const open = () => customResource({ ...names, spec: z.object({}) });
    expectTypeOf<Open["status"]>().toEqualTypeOf<Record<string, unknown> | undefined>();
  });

  test("takes schemas of zod/mini", () => {
    const spec = mini.object({ a: mini.string().check(mini.minLength(1)) });
    expect(schemaOf(customResource({ ...names, spec }))?.spec).toEqual({
      type: "object",
      properties: { a: { type: "string", minLength: 1 } },
      required: ["a"],
    });
  });
});

const schemaOf = (resource: Parameters<typeof crdOf>[0]) =>
  crdOf(resource).spec.versions[0]?.schema.openAPIV3Schema.properties;

const names = {
  group: "example.com",
  version: "v1",
  kind: "Document",
  plural: "documents",
  scope: "Namespaced",
} as const;

describe("F9 parse", () => {
  test("applies defaults and transforms to the spec, and leaves the rest", () => {
    const parsed = Document.parse?.(stored({ spec: { title: "t", due: "2026-01-02T03:04:05Z" } }));
    expect(parsed).toEqual(
      stored({ spec: { title: "t", copies: 1, links: [], due: new Date("2026-01-02T03:04:05Z") } }),
    );
  });

  test.each([
    [{ spec: { title: "" } }, "spec.title"],
    [{ spec: {} }, "spec.title"],
    [{ spec: { title: "t", copies: 1.5 } }, "spec.copies"],
    [{ spec: { title: "t", links: [{ href: "a" }, { href: 1 }] } }, "spec.links[1].href"],
    [{ spec: "text" }, "spec"],
    [{}, "spec"],
  ])("a spec that does not fit is a misfit with its path: %j", (fields, path) => {
    const error = catchError(() => Document.parse?.(stored(fields)));
    expect(error).toBeInstanceOf(MisfitError);
    expect(error).toMatchObject({ path, message: expect.stringMatching(/^spec[^ ]*: \w/) });
  });

  test("a misfit does not say the value", () => {
    const error = catchError(() => Document.parse?.(stored({ spec: { title: "t", copies: "hunter2" } })));
    expect(String(error)).not.toContain("hunter2");
  });

  test.each([
    ["fits", { phase: "Ready", items: ["a"] }, { phase: "Ready", items: ["a"] }],
    ["lacks a defaulted field", { phase: "Ready" }, { phase: "Ready", items: [] }],
    ["has one field of another type", { phase: 3, observedGeneration: 1 }, { observedGeneration: 1, items: [] }],
    ["has a misfit deep inside", { phase: "Ready", items: ["a", 1] }, { phase: "Ready", items: [] }],
    ["fits nowhere", { phase: 3, observedGeneration: "x" }, { items: [] }],
    ["is empty", {}, { items: [] }],
  ])("a status that %s keeps the fields that fit", (_, status, kept) => {
    const parsed = Document.parse?.(stored({ spec: { title: "t" }, status }));
    expect(parsed?.status).toEqual(kept);
  });

  test("a status that lacks a required field keeps the others as they are", () => {
    const Strict = customResource({
      ...names,
      spec: z.object({}),
      status: z.object({ a: z.string(), b: z.string() }),
    });
    expect(Strict.parse?.(stored({ spec: {}, status: { a: "x" } })).status).toEqual({ a: "x" });
  });

  test("a status that was never written stays absent", () => {
    expect(Document.parse?.(stored({ spec: { title: "t" } }))).not.toHaveProperty("status");
  });
});

describe("what breaks a limit is refused at definition, with the field", () => {
  test.each([
    [{ group: "example" }, "Document.group: must be a domain of at least two parts: a-z, 0-9, - and ."],
    [{ group: "Example.com" }, "Document.group: must be a domain of at least two parts: a-z, 0-9, - and ."],
    [{ group: `${"a.".repeat(126)}aa` }, "Document.group: at most 253 characters"],
    [{ group: "things.k8s.io" }, "Document.group: k8s.io and kubernetes.io belong to Kubernetes"],
    [{ group: "kubernetes.io" }, "Document.group: k8s.io and kubernetes.io belong to Kubernetes"],
    [{ version: "V1" }, "Document.version: must be a-z, 0-9 and -, from a letter on"],
    [{ version: "1" }, "Document.version: must be a-z, 0-9 and -, from a letter on"],
    [{ kind: "document" }, "document.kind: must be letters and digits, from a capital on"],
    [{ kind: `D${"o".repeat(59)}` }, `D${"o".repeat(59)}.kind: at most 59 characters`],
    [{ plural: "Documents" }, "Document.plural: must be a-z, 0-9 and -, from a letter on"],
    [{ plural: "d".repeat(64) }, "Document.plural: at most 63 characters"],
    [
      { group: `${"a.".repeat(95)}a`, plural: "d".repeat(63) },
      "Document.plural: plural and group together: at most 252",
    ],
    [{ scope: "Namespace" }, "Document.scope: "],
    [{ shortNames: ["doc", "D"] }, "Document.shortNames[1]: must be a-z, 0-9 and -, from a letter on"],
    [{ categories: [""] }, "Document.categories[0]: must be a-z, 0-9 and -, from a letter on"],
    [
      { printColumns: [{ name: "", type: "string", jsonPath: ".a" }] },
      "Document.printColumns[0].name: must not be empty",
    ],
    [{ printColumns: [{ name: "A", type: "text", jsonPath: ".a" }] }, "Document.printColumns[0].type: "],
    [
      { printColumns: [{ name: "A", type: "string", jsonPath: "a" }] },
      "Document.printColumns[0].jsonPath: must start with a dot: .status.phase",
    ],
    [
      { printColumns: [{ name: "A", type: "string", jsonPath: ".a", priority: 0 }] },
      "Document.printColumns[0].priority: must be at least 1",
    ],
    [{ statuss: z.object({}) }, "Document.statuss: is no option of customResource; known are group, version, kind,"],
    [{ plural: undefined, plurals: "documents" }, "Document.plurals: is no option of customResource"],
    [{ plural: undefined }, "Document.plural: Invalid input: expected string, received undefined"],
    [{ kind: undefined }, "customResource.kind: Invalid input: expected string, received undefined"],
    [
      { printColumns: [{ name: "A", type: "string", jsonPath: ".a", width: 5 }] },
      "Document.printColumns[0].width: Unrecognized key",
    ],
    [{ spec: undefined }, "Document.spec: must be a schema of zod 4: z.object({ … })"],
    [{ spec: {} }, "Document.spec: must be a schema of zod 4: z.object({ … })"],
    [{ spec: { title: z.string() } }, "Document.spec: must be a schema of zod 4"],
    [{ status: null }, "Document.status: must be a schema of zod 4"],
    [{ spec: z.array(z.string()) }, "Document.spec: must be an object"],
    [{ status: z.array(z.string()) }, "Document.status: must be an object"],
    [{ spec: z.object({ at: z.tuple([]) }) }, "Document.spec.at: tuple cannot be said in a CustomResourceDefinition; "],
    [
      { status: z.object({ at: z.string().transform(Number) }) },
      "Document.status.at: a pipe or transform of a status cannot be said in a CustomResourceDefinition; ",
    ],
  ])("%j", (change, message) => {
    const define = () => customResource({ ...names, spec: z.object({}), ...(change as object) });
    expect(define).toThrow(TypeError);
    expect(define).toThrow(message);
  });
});

test.each([undefined, null, 5])("%j as the options is refused", (options) => {
  expect(() => customResource(options as never)).toThrow(new TypeError("customResource: must be an object of options"));
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
