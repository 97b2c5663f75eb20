import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** An entry of a kubeconfig, for errors and for the paths in it. */
export type EntryPlace = {
  file: string;
  /** The context that leads to it. */
  context: string;
  /** `users[admin]`. */
  at: string;
};

/** @throws Error naming the file, the context, the entry and the field. */
export function refuse({ file, context, at }: EntryPlace, field: string, why: string): never {
  throw new Error(`kubeconfig ${file}: context ${context}: ${at}.${field}: ${why}`);
}

/** A PEM text that a kubeconfig holds in base64 (`…-data`, which wins) or names by a path, relative to the file's folder. */
export async function readPem<Field extends string>(
  place: EntryPlace,
  entry: { [F in Field | `${Field}-data`]?: string | undefined },
  field: Field,
): Promise<string | undefined> {
  const data = entry[`${field}-data`];
  if (data) return Buffer.from(data, "base64").toString("utf8");
  const path = entry[field];
  return path ? readBeside(place, field, path) : undefined;
}

/** @throws Error naming the entry, the field and the system's code. */
export async function readBeside(place: EntryPlace, field: string, path: string): Promise<string> {
  try {
    return await readFile(resolve(dirname(place.file), path), "utf8");
  } catch (cause) {
    return refuse(place, field, `${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}
