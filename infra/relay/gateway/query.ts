import { Refusal } from "./refusal.ts";

/** What functions may do through the gateway: what `kube` does, and nothing else. */
export type Verb = "get" | "list" | "create" | "patch" | "delete";

const TEXT = /^\P{Cc}{1,4096}$/u;
const ALL = /^All$/;

/** The parameters of each verb, and what they may be. */
const PARAMETERS: Record<Verb, Record<string, RegExp>> = {
  get: {},
  list: {
    limit: /^[1-9]\d{0,3}$/,
    continue: /^[\w+/=.-]{1,4096}$/,
    labelSelector: TEXT,
    fieldSelector: TEXT,
  },
  create: { fieldManager: TEXT, dryRun: ALL },
  patch: { fieldManager: TEXT, dryRun: ALL, force: /^(true|false)$/ },
  delete: { dryRun: ALL, propagationPolicy: /^(Background|Foreground|Orphan)$/ },
};

/**
 * The parameters of a request, each once and of the verb's list, to be written anew: the raw text is read by nobody else.
 * @throws Refusal 400 that names the parameter.
 */
export function queryOf(verb: Verb, raw: string): URLSearchParams {
  const known = PARAMETERS[verb];
  const query = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(raw)) {
    const shown = name.slice(0, 80);
    const field = `query.${shown}`;
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known).join(", ") || "none";
      throw malformed(field, `${shown} is no parameter of ${verb} here, which takes ${names}`);
    }
    if (query.has(name)) throw malformed(field, `${name} is there twice`);
    if (!known[name]!.test(value)) throw malformed(field, `${name} has a value that is not allowed here`);
    query.set(name, value);
  }
  return query;
}

function malformed(field: string, message: string): Refusal {
  return new Refusal(400, "malformed", message, { field });
}
