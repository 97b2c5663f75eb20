/**
 * Prometheus' text format, version 0.0.4. It is written here because the usual library costs a relay on Deno 6 MB, which is
 * more than ten thousand objects do.
 * @module
 */

export type MetricType = "counter" | "gauge" | "histogram";
export type Labels = Readonly<Record<string, string>>;

/** One line: the family's name, or that with a suffix, and its value. */
export type Sample = { suffix?: "_bucket" | "_sum" | "_count"; labels?: Labels; value: number };

/** What has one name. */
export type Family = { name: string; type: MetricType; help: string; samples: readonly Sample[] };

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The text of some families.
 * @example exposition([{ name: "up", type: "gauge", help: "Whether it is.", samples: [{ value: 1 }] }])
 */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join("");
}

function familyText({ name, type, help, samples }: Family): string {
  const head = `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}\n# TYPE ${name} ${type}\n`;
  return samples.reduce(
    (text, { suffix = "", labels = {}, value }) => `${text}${name}${suffix}${labelText(labels)} ${valueText(value)}\n`,
    head,
  );
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}
