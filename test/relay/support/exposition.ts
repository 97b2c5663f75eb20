/** One line of values: the name as it stands there, with its suffix. */
export type Read = { name: string; labels: Record<string, string>; value: number };

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = `([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);
const SUFFIXES = { counter: [""], gauge: [""], histogram: ["_bucket", "_sum", "_count"] };

/**
 * Reads Prometheus' text format strictly, by its specification and its naming rules.
 * @throws Error with the line that breaks a rule.
 */
export function readExposition(text: string): Read[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, { type: keyof typeof SUFFIXES; samples: Read[] }>();
  let helped: string | undefined;
  let current: string | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const wrong = (why: string) => new Error(`${why}: ${line}`);
    const [, help] = line.match(new RegExp(`^# HELP (${NAME}) \\S.*$`)) ?? [];
    const [, typed, type] = line.match(new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`)) ?? [];
    if (help) {
      if (families.has(help)) throw wrong("a second time");
      helped = help;
      current = undefined;
    } else if (typed) {
      if (typed !== helped) throw wrong("no help before it");
      if ((type === "counter") !== typed.endsWith("_total")) throw wrong("a counter, and only that, ends in _total");
      if (type === "histogram" && !/_(seconds|bytes)$/.test(typed)) throw wrong("no unit");
      families.set(typed, { type: type as keyof typeof SUFFIXES, samples: [] });
      current = typed;
    } else {
      const sample = readSample(line);
      const family = families.get(current ?? "");
      if (!sample || !family) throw wrong("is no sample of a family");
      if (!SUFFIXES[family.type].some((suffix) => sample.name === `${current}${suffix}`))
        throw wrong("is of another family");
      if (family.type !== "gauge" && !(sample.value >= 0)) throw wrong("counts below nothing");
      family.samples.push(sample);
    }
  }
  for (const { type, samples } of families.values()) {
    const series = samples.map(({ name, labels }) => JSON.stringify([name, labels]));
    if (new Set(series).size < series.length) throw new Error(`twice: ${series}`);
    if (type === "histogram") checkHistogram(samples);
  }
  return [...families.values()].flatMap(({ samples }) => samples);
}

function readSample(line: string): Read | undefined {
  const found = line.match(SAMPLE);
  if (!found) return undefined;
  const pairs = [...(found[2] ?? "").matchAll(new RegExp(LABEL, "g"))];
  const text = found.at(-1)!;
  const value = text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text);
  const meant = (escaped: string) => escaped.replace(/\\(.)/g, (_, char) => (char === "n" ? "\n" : char));
  if (Number.isNaN(value)) return undefined;
  return { name: found[1]!, labels: Object.fromEntries(pairs.map(([, key, raw]) => [key!, meant(raw!)])), value };
}

function checkHistogram(samples: readonly Read[]): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...rest } }) => JSON.stringify(rest));
  for (const group of groups.values()) {
    const buckets = group.filter(({ name }) => name.endsWith("_bucket"));
    const bounds = buckets.map(({ labels }) => (labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le)));
    const counts = buckets.map(({ value }) => value);
    const ascend = (values: number[]) => values.every((value, i) => i === 0 || value >= values[i - 1]!);
    const count = group.find(({ name }) => name.endsWith("_count"));
    const whole = bounds.at(-1) === Number.POSITIVE_INFINITY && counts.at(-1) === count?.value;
    const sums = group.filter(({ name }) => name.endsWith("_sum"));
    if (!ascend(bounds) || !ascend(counts) || !whole || sums.length !== 1)
      throw new Error(`no histogram: ${JSON.stringify(group)}`);
  }
}
