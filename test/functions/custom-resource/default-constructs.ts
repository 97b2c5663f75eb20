import * as z from "zod";
import type { Construct } from "./construct.ts";

const string = { type: "string" } as const;

/** A default that the API server may fill in stands in the CRD; any other is set by `parse` alone. */
export const defaults: Construct[] = [
  { name: "default", zod: z.string().default("a"), crd: { ...string, default: "a" }, takes: ["b"], refuses: [1] },
  { name: "defaultEmpty", zod: z.string().default(""), crd: { ...string, default: "" }, takes: ["b"] },
  { name: "defaultFalse", zod: z.boolean().default(false), crd: { type: "boolean", default: false }, takes: [true] },
  { name: "defaultZero", zod: z.number().default(0), crd: { type: "number", default: 0 }, takes: [1] },
  {
    name: "defaultArray",
    zod: z.array(z.string()).default([]),
    crd: { type: "array", items: string, default: [] },
    takes: [["b"]],
  },
  {
    name: "defaultEnum",
    zod: z.enum(["a", "b"]).default("b"),
    crd: { type: "string", enum: ["a", "b"], default: "b" },
    takes: ["a"],
  },
  {
    name: "defaultField",
    zod: z.object({ a: z.string().default("x"), b: z.string() }),
    crd: { type: "object", properties: { a: { ...string, default: "x" }, b: string }, required: ["b"] },
    takes: [{ b: "y" }],
    refuses: [{ a: "y" }],
  },
  {
    name: "defaultObject",
    zod: z.object({ b: z.string(), a: z.string().default("x") }).default({ a: "x", b: "y" }),
    crd: {
      type: "object",
      properties: { a: { ...string, default: "x" }, b: string },
      required: ["b"],
      default: { a: "x", b: "y" },
    },
    takes: [{ b: "z" }],
  },
  {
    name: "prefault",
    zod: z.object({ a: z.string().default("x") }).prefault({}),
    crd: { type: "object", properties: { a: { ...string, default: "x" } }, default: {} },
    takes: [{}],
  },
  { name: "defaultNull", zod: z.string().nullable().default(null), crd: { ...string, nullable: true }, takes: [null] },
  {
    name: "defaultOfNullable",
    zod: z.string().nullable().default("a"),
    crd: { ...string, nullable: true, default: "a" },
    takes: [null],
  },
  { name: "defaultMisfit", zod: z.string().min(5).default("x"), crd: { ...string, minLength: 5 }, takes: ["abcde"] },
  { name: "defaultComputed", zod: z.string().default(() => crypto.randomUUID()), crd: string, takes: ["a"] },
  {
    name: "defaultOfTransform",
    zod: z
      .number()
      .transform((n) => n * 2)
      .default(5),
    crd: { type: "number" },
    takes: [1],
  },
  {
    name: "defaultUnknownField",
    zod: z.object({ a: z.string() }).default({ a: "x", b: "y" } as { a: string }),
    crd: { type: "object", properties: { a: string }, required: ["a"] },
    takes: [{ a: "x" }],
  },
];
