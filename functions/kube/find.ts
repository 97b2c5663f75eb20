import { isAbsent } from "./errors.ts";
import type { KubeObject, Resource } from "./resource.ts";
import type { Sender } from "./send.ts";

/** An object's place: all that is needed to read it. */
export type Place = { resource: Resource; name: string; path: string };

/** Reads an object, or tells by `undefined` that it does not exist (F2). */
export async function find(sender: Sender, place: Place): Promise<KubeObject | undefined> {
  try {
    return (await sender.read(place.path)) as KubeObject;
  } catch (error) {
    if (isAbsent(error, place)) return undefined;
    throw error;
  }
}
