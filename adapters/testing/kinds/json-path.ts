import { isObject } from "../json.ts";

const STEP =
  /\.([A-Za-z0-9_-]+)|\['((?:[^'\\]|\\.)+)'\]|\.?\[(\d+|\*)\]|\[\?\(@\.([A-Za-z0-9_.-]+)\s*==\s*["']([^"']*)["']\)\]|\\\./gy;

/**
 * The first value at a JSONPath of the simple kind that printer columns use: fields, `\.` in names, indexes, `[*]`, and a
 * filter by equality. Undefined where there is none, or where the path is of another kind.
 */
export function valueAtJsonPath(value: unknown, jsonPath: string): unknown {
  const path = jsonPath.replaceAll(/\.((?:[A-Za-z0-9_-]|\\\.|\/)+)/g, (whole, name: string) =>
    name.includes("\\.") || name.includes("/") ? `['${name.replaceAll("\\.", ".")}']` : whole,
  );
  let current: unknown[] = [value];
  STEP.lastIndex = 0;
  let consumed = 0;
  for (let match = STEP.exec(path); match; match = STEP.exec(path)) {
    consumed = STEP.lastIndex;
    const [, field, quoted, index, filterPath, filterValue] = match;
    current = current.flatMap((item) => step(item, field ?? quoted, index, filterPath, filterValue));
  }
  return consumed === path.length ? current[0] : undefined;
}

function step(item: unknown, field?: string, index?: string, filterPath?: string, filterValue?: string): unknown[] {
  if (field !== undefined) return isObject(item) && item[field] !== undefined ? [item[field]] : [];
  if (!Array.isArray(item)) return [];
  if (index === "*") return item;
  if (index !== undefined) return item[Number(index)] === undefined ? [] : [item[Number(index)]];
  return item.filter((entry) => {
    const found = filterPath!.split(".").reduce<unknown>((v, key) => (isObject(v) ? v[key] : undefined), entry);
    return String(found) === filterValue;
  });
}
