import { objectName } from "../../../functions/contract/index.ts";
import type { Logger } from "../../../functions/ports/index.ts";
import type { Ask } from "./ask.ts";
import type { Caller } from "./authenticate.ts";
import { Refusal } from "./refusal.ts";
import { resourceOf } from "./target.ts";

/**
 * Writes a line of the log for a write that went to the API server, whatever became of it: who, on behalf of which
 * controller, what, and how it was answered. Nothing of the body but the name of what is created is in it (X4).
 * @returns what awaits the answer. A read passes without a line.
 */
export function auditOf(
  logger: Logger,
  { user, caller, ask, body }: { user: string; caller: Caller; ask: Ask; body: string },
): (answer: Promise<Response>) => Promise<Response> {
  const { verb, target, query } = ask;
  if (verb === "get" || verb === "list") return (answer) => answer;
  const name = target.name ?? nameIn(body);
  const line = (status: number): void =>
    logger.info("gateway write", {
      user,
      controller: caller.controller,
      verb,
      group: target.group,
      resource: resourceOf(target),
      ...(target.namespace !== undefined && { namespace: target.namespace }),
      ...(name !== undefined && { name }),
      ...(query.has("dryRun") && { dryRun: true }),
      status,
      id: caller.id,
    });
  return async (answer) => {
    try {
      const response = await answer;
      line(response.status);
      return response;
    } catch (error) {
      line(error instanceof Refusal ? error.status : 500);
      throw error;
    }
  };
}

/** The name that an object to be created has; none where the API server is to make one, or the body is no object. */
function nameIn(body: string): string | undefined {
  try {
    const { metadata } = JSON.parse(body) as { metadata?: { name?: unknown } };
    return objectName.safeParse(metadata?.name).data;
  } catch {
    return undefined;
  }
}
