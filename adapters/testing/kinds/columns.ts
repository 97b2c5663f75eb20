import { at } from "../json.ts";
import type { Column } from "./served-kind.ts";

export const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  value: (object) => object.metadata.name,
};

export const ageColumn: Column = {
  name: "Age",
  type: "string",
  value: (object, now) => age(object.metadata.creationTimestamp, now),
};

/** A column that shows a field as it is. */
export function fieldColumn(name: string, path: readonly string[], type = "string"): Column {
  return { name, type, value: (object) => at(object, path) ?? "" };
}

/** A time span as `kubectl get` shows it: `5s`, `3m10s`, `2d`. */
export function age(since: unknown, now: number): string {
  if (typeof since !== "string") return "<unknown>";
  const seconds = Math.floor((now - Date.parse(since)) / 1000);
  if (Number.isNaN(seconds)) return "<invalid>";
  if (seconds < 0) return seconds < -1 ? "<invalid>" : "0s";
  if (seconds < 120) return `${seconds}s`;
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86400)];
  if (minutes < 10) return pair(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return pair(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return pair(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2920 ? pair(years, "y", days % 365, "d") : `${years}y`;
}

function pair(major: number, majorUnit: string, minor: number, minorUnit: string): string {
  return minor === 0 ? `${major}${majorUnit}` : `${major}${majorUnit}${minor}${minorUnit}`;
}
