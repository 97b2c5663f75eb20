import type { JsonObject } from "../json.ts";

/** What a text holds, and the paths of fields that it gives twice. The last one counts. */
export type ParsedJson = { value: unknown; duplicates: string[] };

/** A text that is no JSON. The message is the one that Go's decoder gives, since the API server's answers carry it. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

const LITERALS: Record<string, [string, unknown]> = { t: ["true", true], f: ["false", false], n: ["null", null] };
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** @throws JsonSyntaxError */
export function parseGoJson(text: string): ParsedJson {
  const parser = new Parser(text);
  const value = parser.value("");
  parser.end();
  return { value, duplicates: parser.duplicates };
}

class Parser {
  readonly duplicates: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(path: string): unknown {
    const next = this.#peek("looking for beginning of value");
    if (next === "{") return this.#object(path);
    if (next === "[") return this.#array(path);
    if (next === '"') return this.#string();
    const literal = LITERALS[next];
    if (literal) return this.#literal(...literal);
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number === undefined) this.#fail("looking for beginning of value");
    this.#at += number!.length;
    return Number(number);
  }

  end(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail("after top-level value");
  }

  #object(path: string): JsonObject {
    const result: JsonObject = {};
    this.#at++;
    if (this.#peek("looking for beginning of object key string") === "}") {
      this.#at++;
      return result;
    }
    for (;;) {
      if (this.#peek("looking for beginning of object key string") !== '"') {
        this.#fail("looking for beginning of object key string");
      }
      const key = this.#string();
      const inner = path ? `${path}.${key}` : key;
      if (this.#peek("after object key") !== ":") this.#fail("after object key");
      this.#at++;
      if (Object.hasOwn(result, key)) this.duplicates.push(inner);
      const value = this.value(inner);
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
      const next = this.#peek("after object key:value pair");
      if (next !== "," && next !== "}") this.#fail("after object key:value pair");
      this.#at++;
      if (next === "}") return result;
    }
  }

  #array(path: string): unknown[] {
    const result: unknown[] = [];
    this.#at++;
    if (this.#peek("looking for beginning of value") === "]") {
      this.#at++;
      return result;
    }
    for (;;) {
      result.push(this.value(`${path}[${result.length}]`));
      const next = this.#peek("after array element");
      if (next !== "," && next !== "]") this.#fail("after array element");
      this.#at++;
      if (next === "]") return result;
    }
  }

  #string(): string {
    let end = this.#at + 1;
    while (this.#text[end] !== '"') {
      if (end >= this.#text.length) throw new JsonSyntaxError("unexpected end of JSON input");
      end += this.#text[end] === "\\" ? 2 : 1;
    }
    const source = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    try {
      return JSON.parse(source) as string;
    } catch {
      throw new JsonSyntaxError(`invalid character in string literal`);
    }
  }

  #literal(word: string, value: unknown): unknown {
    for (let index = 1; index < word.length; index++) {
      this.#at++;
      if (this.#text[this.#at] !== word[index]) this.#fail(`in literal ${word} (expecting '${word[index]}')`);
    }
    this.#at++;
    return value;
  }

  #peek(where: string): string {
    this.#skipBlanks();
    if (this.#at >= this.#text.length) this.#fail(where);
    return this.#text[this.#at]!;
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? "x")) this.#at++;
  }

  #fail(where: string): never {
    const found = this.#text[this.#at];
    if (found === undefined) throw new JsonSyntaxError("unexpected end of JSON input");
    throw new JsonSyntaxError(`invalid character '${found}' ${where}`);
  }
}
