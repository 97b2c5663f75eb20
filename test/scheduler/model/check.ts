/** Fails with the rule and what was compared. Far cheaper than `expect`, of which the model would make millions. */
export function same(rule: string, actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) throw new Error(`${rule}: expected ${text(expected)}, got ${text(actual)}`);
}

export function must(rule: string, holds: boolean): void {
  if (!holds) throw new Error(rule);
}

/** Compares as sets of texts. */
export function sameSet(rule: string, actual: readonly string[], expected: readonly string[]): void {
  if (actual.length === expected.length && actual.every((item, i) => item === expected[i])) return;
  const [found, asked] = [new Set(actual), new Set(expected)];
  if (found.size === asked.size && [...found].every((item) => asked.has(item))) return;
  same(rule, [...found].sort().join(" "), [...asked].sort().join(" "));
}

const text = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value));
