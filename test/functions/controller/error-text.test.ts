import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_ERROR_LENGTH } from "../../../functions/contract/index.ts";
import { errorText, withoutSecrets } from "../../../functions/controller/error-text.ts";

const TOKEN = "t0ken/with+signs=";
const SECRET = "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2Vj";

describe("F6 any error has a text", () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const ownCause = new Error("a");
  ownCause.cause = ownCause;

  it.each<[string, unknown, string]>([
    ["an error", new Error("broken"), "broken"],
    ["an error without a message", new RangeError(), "RangeError"],
    ["an error with causes", new Error("a", { cause: new Error("b", { cause: "c" }) }), "a: b: c"],
    ["an error that is its own cause", ownCause, "a: a: a: a"],
    ["a text", "broken", "broken"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["an object", { code: 5 }, '{"code":5}'],
    ["a circular object", circular, "an error that has no text"],
    ["a bigint", 5n, "an error that has no text"],
    ["a function", () => 5, "a function"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
  ])("%s", (_, error, expected) => {
    expect(errorText(error, [])).toBe(expected);
  });

  it("an error whose message cannot be read", () => {
    const error = new Error();
    Object.defineProperty(error, "message", {
      get() {
        throw new Error("no");
      },
    });
    expect(errorText(error, [])).toBe("an error that has no text");
  });

  it("is cut to 1024 characters, and stays well-formed", () => {
    const text = errorText(new Error(`x${"🌍".repeat(2_000)}`), []);
    expect(text).toHaveLength(MAX_ERROR_LENGTH);
    expect(text.isWellFormed()).toBe(true);
  });
});

describe("X4 no secret is in a text", () => {
  it.each<[string, string, string]>([
    ["as it is", `refused ${TOKEN}!`, "refused [secret]!"],
    ["in a URL", `GET /?t=${encodeURIComponent(TOKEN)}`, "GET /?t=[secret]"],
    ["more than once", `${TOKEN}${TOKEN}`, "[secret][secret]"],
    ["a signing secret", `bad ${SECRET}`, "bad [secret]"],
    ["a signing secret without its prefix", `bad ${SECRET.slice(6)}`, "bad [secret]"],
  ])("%s", (_, text, expected) => {
    expect(withoutSecrets(text, [TOKEN, SECRET])).toBe(expected);
  });

  it("in causes", () => {
    expect(errorText(new Error("a", { cause: new Error(TOKEN) }), [TOKEN])).toBe("a: [secret]");
  });

  it("where the text is cut, half a secret is left out too", () => {
    const text = errorText(new Error(`${"x".repeat(MAX_ERROR_LENGTH - 8)}${TOKEN}`), [TOKEN]);
    expect(text).not.toContain(TOKEN.slice(0, 4));
  });

  it("where one secret is part of another, the rest of the longer one is left out too", () => {
    expect(withoutSecrets("abcdef", ["abc", "abcdef"])).toBe("[secret]");
  });

  it("wherever it stands", () => {
    const secret = fc.string({ minLength: 12, maxLength: 40 });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (known, before, after) => {
        expect(withoutSecrets(`${before}${known}${after}`, [known])).not.toContain(known);
      }),
    );
  });
});
