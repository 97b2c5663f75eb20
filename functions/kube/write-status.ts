import { ConflictError, InvalidError } from "./errors.ts";
import type { KubeObject } from "./resource.ts";
import type { Sender } from "./send.ts";
import { statusPatch } from "./status-patch.ts";

/** How often a status is tried while others change the object between our read and our write. */
const MAX_TRIES = 3;

/**
 * Patches the status where it differs, in one request. A patch that no longer fits is made again from what is there now,
 * as long as that is the same object and it did change.
 * @returns the object as it then is; the one that was given where nothing differs.
 * @throws ConflictError where another object has taken the name (F4).
 */
export async function writeStatus(
  sender: Sender,
  target: { path: string; fieldManager: string },
  object: KubeObject,
  wanted: Record<string, unknown>,
): Promise<KubeObject> {
  let seen = object;
  for (let tries = 1; ; tries++) {
    const operations = statusPatch(seen, wanted);
    if (operations.length === 0) return seen;
    try {
      const path = `${target.path}/status?fieldManager=${target.fieldManager}`;
      return (await sender.write("PATCH", path, "jsonPatch", operations)) as KubeObject;
    } catch (error) {
      if (!mayBeOutdated(error) || tries === MAX_TRIES) throw error;
      const now = (await sender.read(target.path)) as KubeObject;
      if (now.metadata.uid !== object.metadata.uid) throw recreated(object, error);
      if (now.metadata.resourceVersion === seen.metadata.resourceVersion) throw error;
      seen = now;
    }
  }
}

/** A failed `test` and a path that is not there are a 422 without causes; a value that breaks the schema has some. */
function mayBeOutdated(error: unknown): error is InvalidError | ConflictError {
  return error instanceof ConflictError || (error instanceof InvalidError && !error.details?.causes?.length);
}

function recreated({ kind, metadata }: KubeObject, { path }: InvalidError | ConflictError): ConflictError {
  return new ConflictError({
    status: 409,
    reason: "Conflict",
    message: `${kind} ${metadata.name} is no longer the object with the uid ${metadata.uid}: it was recreated`,
    method: "PATCH",
    path,
  });
}
