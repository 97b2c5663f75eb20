import { badRequest } from "../http/status-error.ts";
import { labelValueProblems, qualifiedNameProblems } from "../metadata/names.ts";
import { invalidValue } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";

export type Matcher = (object: StoredObject) => boolean;
type Test = (labels: Record<string, string>) => boolean;

const TOKEN = /\s*(==|!=|[=!(),<>]|[^\s=!(),<>]+)/y;
const OPERATORS = ["=", "==", "!=", ">", "<", "in", "notin"];

/**
 * A label selector: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, `a>1`, joined by commas.
 * @throws StatusError 400 where it cannot be read, in the API server's words.
 */
export function labelMatcher(selector: string): Matcher {
  const tests = new Parser(selector).tests();
  return (object) => tests.every((test) => test(object.metadata.labels ?? {}));
}

class Parser {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) this.#tokens.push(match[1]!);
  }

  tests(): Test[] {
    const tests: Test[] = [];
    while (this.#next() !== undefined) {
      if (!isWord(this.#next()) && this.#next() !== "!") {
        throw badRequest(`found '${this.#next()}', expected: !, identifier, or 'end of string'`);
      }
      tests.push(this.#requirement());
      const separator = this.#take();
      if (separator === undefined) break;
      if (separator !== ",") throw badRequest(`found '${separator}', expected: ',' or 'end of string'`);
      if (!isWord(this.#next()) && this.#next() !== "!") {
        throw badRequest(`found '${this.#next() ?? ""}', expected: identifier after ','`);
      }
    }
    return tests;
  }

  #requirement(): Test {
    const absent = this.#next() === "!";
    if (absent) this.#take();
    const label = this.#word();
    if (absent) checkKey(label);
    if (absent) return (labels) => labels[label] === undefined;
    if (this.#next() === undefined || this.#next() === ",") {
      checkKey(label);
      return (labels) => labels[label] !== undefined;
    }
    const operator = this.#take()!;
    if (!OPERATORS.includes(operator)) fail(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    const values = operator === "in" || operator === "notin" ? this.#set() : [this.#value()];
    checkKey(label);
    for (const [index, value] of values.entries()) checkValue(value, index, label);
    if (operator === ">" || operator === "<") return orderTest(label, operator, values[0]!);
    const without = operator === "!=" || operator === "notin";
    return (labels) => {
      const own = labels[label];
      return own === undefined ? without : values.includes(own) !== without;
    };
  }

  #set(): string[] {
    const open = this.#take();
    if (open !== "(") fail(`found '${open ?? ""}' expected: '('`);
    const values: string[] = [];
    while (this.#next() !== ")") {
      if (this.#next() === ",") values.push("");
      else values.push(this.#word());
      if (this.#next() === ",") this.#take();
      else if (this.#next() !== ")") fail(`found '${this.#next() ?? ""}', expected: ',' or ')'`);
    }
    this.#take();
    return values;
  }

  #value(): string {
    return this.#next() === undefined || this.#next() === "," ? "" : this.#word();
  }

  #word(): string {
    const found = this.#take();
    if (!isWord(found)) fail(`found '${found ?? ""}', expected: identifier`);
    return found!;
  }

  #next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #take(): string | undefined {
    return this.#tokens[this.#at++];
  }
}

function isWord(token: string | undefined): boolean {
  return token !== undefined && !/^[=!(),<>]/.test(token);
}

function fail(why: string): never {
  throw badRequest(`unable to parse requirement: ${why}`);
}

function checkKey(label: string): void {
  const problems = qualifiedNameProblems(label);
  if (problems.length > 0) fail(`<nil>: ${invalidValue("", label, problems.join("; ")).message}`);
}

function checkValue(value: string, index: number, label: string): void {
  const [problem] = labelValueProblems(value);
  if (problem) fail(`values[${index}][${label}]: ${invalidValue("", value, problem).message}`);
}

function orderTest(label: string, operator: string, bound: string): Test {
  if (!/^-?\d+$/.test(bound)) fail("for 'Gt', 'Lt' operators, the value must be an integer");
  return (labels) => {
    const own = labels[label];
    if (own === undefined || !/^-?\d+$/.test(own)) return false;
    return operator === ">" ? Number(own) > Number(bound) : Number(own) < Number(bound);
  };
}
