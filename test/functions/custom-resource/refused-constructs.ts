import * as z from "zod";

const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree).optional();
  },
});

/** What a CustomResourceDefinition cannot say, where it stands, and how it is called. */
export const refused: { zod: z.ZodType; at: string; construct: string }[] = [
  { zod: z.tuple([z.string()]), at: "field", construct: "tuple" },
  { zod: z.date(), at: "field", construct: "date" },
  { zod: z.coerce.date(), at: "field", construct: "date" },
  { zod: z.bigint(), at: "field", construct: "bigint" },
  { zod: z.map(z.string(), z.string()), at: "field", construct: "map" },
  { zod: z.set(z.string()), at: "field", construct: "set" },
  { zod: z.symbol(), at: "field", construct: "symbol" },
  { zod: z.null(), at: "field", construct: "null" },
  { zod: z.undefined(), at: "field", construct: "undefined" },
  { zod: z.void(), at: "field", construct: "void" },
  { zod: z.never(), at: "field", construct: "never" },
  { zod: z.nan(), at: "field", construct: "nan" },
  { zod: z.file(), at: "field", construct: "file" },
  { zod: z.promise(z.string()), at: "field", construct: "promise" },
  { zod: z.function() as unknown as z.ZodType, at: "field", construct: "function" },
  { zod: z.custom<string>(), at: "field", construct: "custom" },
  { zod: z.instanceof(URL), at: "field", construct: "custom" },
  { zod: z.transform(String), at: "field", construct: "transform" },
  { zod: z.literal(null), at: "field", construct: "an enum or literal that may be null" },
  { zod: z.literal(["a", null]), at: "field", construct: "an enum or literal that may be null" },
  { zod: z.enum(["a"]).nullable(), at: "field", construct: "an enum or literal that may be null" },
  { zod: z.union([z.literal("a"), z.null()]), at: "field", construct: "an enum or literal that may be null" },
  { zod: z.enum([]), at: "field", construct: "an enum or literal without values" },
  { zod: z.literal(["a", 1]), at: "field", construct: "one of a, 1" },
  { zod: z.literal(1n), at: "field", construct: "one of 1" },
  { zod: z.union([z.string(), z.number()]), at: "field", construct: "a union of string and number" },
  { zod: z.union([z.string(), z.boolean()]), at: "field", construct: "a union of string and boolean" },
  { zod: z.union([z.object({}), z.object({})]), at: "field", construct: "a union of object" },
  {
    zod: z.union([z.int(), z.enum(["a"])]),
    at: "field",
    construct: "an enum or alternatives inside integer or string",
  },
  { zod: z.union([z.undefined()]), at: "field", construct: "a union of nothing" },
  {
    zod: z.discriminatedUnion("by", [z.object({ by: z.literal("a") }), z.object({ by: z.literal("b") })]),
    at: "field",
    construct: "a union of object",
  },
  { zod: z.json(), at: "field[]", construct: "recursion" },
  { zod: tree, at: "field.children[]", construct: "recursion" },
  {
    zod: z.object({ a: z.string() }).catchall(z.int()),
    at: "field",
    construct: "fields beside a typed catchall",
  },
  { zod: z.string().and(z.string()), at: "field", construct: "an intersection" },
  {
    zod: z.object({ a: z.string() }).and(z.object({ a: z.string().min(1) })),
    at: "field",
    construct: "an intersection with a on both sides",
  },
  { zod: z.string().regex(/a(?=b)/), at: "field", construct: "the lookaround (?= in the pattern /a(?=b)/" },
  { zod: z.array(z.object({ a: z.tuple([]) })), at: "field[].a", construct: "tuple" },
  { zod: z.record(z.string(), z.date()), at: "field.*", construct: "date" },
  { zod: z.string().or(z.tuple([])), at: "field", construct: "tuple" },
];
