import type { KubeTransport } from "../../functions/ports/kube-transport.ts";
import { type Case, CONTENT_TYPES, type Recorded, type RequestStep } from "./case.ts";
import { Mask } from "./mask.ts";
import { openWatch, type Watch } from "./watch.ts";

/** A name that the recordings hold in the place of a run's own. */
const STANDS = { namespace: "{ns}", id: "{id}" };
const PATIENCE_MS = 100_000;

/** The namespace of a run of a case. */
export function namespaceOf(id: string): string {
  return `kube-api-${id}`;
}

/** Runs a case on a server, in a namespace that it makes and leaves. Answers what it answered, masked, one entry a step that is compared. */
export async function runCase(server: KubeTransport, { steps }: Case, id: string): Promise<Recorded[]> {
  const namespace = namespaceOf(id);
  await createNamespace(server, namespace);
  const mask = new Mask({ [namespace]: STANDS.namespace, [id]: STANDS.id });
  const kept: Record<string, unknown> = { ns: namespace, id };
  const watches = new Map<string, Watch>();
  const recorded: Recorded[] = [];
  try {
    for (const step of steps) {
      if ("watch" in step) {
        watches.set(step.name, await openWatch(server, fill(step.watch, kept), step.headers ?? {}));
      } else if ("read" in step) {
        const events = await watches.get(step.read)!.read(step.events);
        recorded.push({ status: watches.get(step.read)!.status, body: mask.apply(events) });
      } else {
        const answer = await request(server, step, kept);
        if (step.keep) kept[step.keep] = answer.body;
        const body = step.anyVersion ? withoutVersions(answer.body) : answer.body;
        const masked = { ...answer, body: mask.apply(body) };
        if (answer.warnings) masked.warnings = mask.apply(answer.warnings) as string[];
        if (!step.quiet) recorded.push(masked);
        else if (answer.status >= 400) throw new Error(`${step.request}: ${JSON.stringify(answer.body)}`);
      }
    }
  } finally {
    for (const watch of watches.values()) watch.close();
  }
  return recorded;
}

function withoutVersions(body: unknown): unknown {
  const text = JSON.stringify(body).replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"0"');
  return JSON.parse(text) as unknown;
}

async function createNamespace(server: KubeTransport, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const headers = { "content-type": "application/json", "user-agent": "suite/1.0" };
  const response = await server.fetch("/api/v1/namespaces", { method: "POST", headers, body });
  if (response.status !== 201) throw new Error(`no namespace ${name}: ${await response.text()}`);
}

async function request(server: KubeTransport, step: RequestStep, kept: Record<string, unknown>): Promise<Recorded> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await send(server, step, kept);
    if (!step.until || isAnswered(step.until, answer) || Date.now() > deadline) return answer;
  }
}

function isAnswered(until: NonNullable<RequestStep["until"]>, { status, body }: Recorded): boolean {
  if ("status" in until) return status === until.status;
  if ("absent" in until) return lookUp(body, until.absent) === undefined;
  return lookUp(body, until.present) !== undefined;
}

async function send(server: KubeTransport, step: RequestStep, kept: Record<string, unknown>): Promise<Recorded> {
  const [method, path] = step.request.split(" ", 2) as [string, string];
  const headers: Record<string, string> = { "user-agent": "suite/1.0", ...step.headers };
  const type = step.type ?? (step.body === undefined || method === "PATCH" ? undefined : "json");
  if (type) headers["content-type"] ??= CONTENT_TYPES[type];
  const body = typeof step.body === "string" ? fill(step.body, kept) : JSON.stringify(fillAll(step.body, kept));
  const response = await server.fetch(fill(path, kept), { method, headers, ...(step.body !== undefined && { body }) });
  const text = await response.text();
  const contentType = response.headers.get("content-type") ?? "";
  const json = /json/.test(contentType);
  const warnings = response.headers.get("warning");
  const retryAfter = response.headers.get("retry-after");
  return {
    status: response.status,
    ...(contentType !== "application/json" && { type: contentType }),
    ...(warnings && { warnings: warnings.split(/, (?=299 - )/) }),
    ...(retryAfter && { retryAfter }),
    body: json ? JSON.parse(text) : text,
  };
}

function fillAll(value: unknown, kept: Record<string, unknown>): unknown {
  if (typeof value === "string") return fill(value, kept);
  if (Array.isArray(value)) return value.map((item) => fillAll(item, kept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [fill(key, kept), fillAll(inner, kept)]));
}

function fill(text: string, kept: Record<string, unknown>): string {
  return text.replaceAll(/\{([a-zA-Z][\w.]*)\}/g, (whole, path: string) => {
    const value = lookUp(kept, path);
    return value === undefined ? whole : String(value);
  });
}

function lookUp(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((current, key) => (current as Record<string, unknown> | undefined)?.[key], value);
}
