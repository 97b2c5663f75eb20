import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { pause } from "./pause.ts";
import { round } from "./statistics.ts";

/** One request of the controller, as the API server recorded it. */
export type AuditedRequest = {
  /** Verb and resource: `patch documents/status`. */
  key: string;
  verb: string;
  code: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
};

type AuditEvent = {
  verb: string;
  stage: string;
  objectRef?: { resource?: string; subresource?: string };
  responseStatus?: { code: number };
  requestReceivedTimestamp: string;
};

/** What the API server records of the user `controller`, one line a request, and of nobody else. */
export const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  omitManagedFields: true,
  rules: [{ level: "Metadata", users: ["controller"] }, { level: "None" }],
};

/** The requests that the controller made: counted by the API server, since no controller counts them itself. */
export class AuditLog {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, "audit.log");
  }

  arguments(policyPath: string): string[] {
    return [
      `--audit-policy-file=${policyPath}`,
      `--audit-log-path=${this.path}`,
      "--audit-log-maxsize=4000",
      "--audit-log-mode=blocking",
    ];
  }

  /** Where the log ends now, to read from later. */
  mark(): number {
    return existsSync(this.path) ? statSync(this.path).size : 0;
  }

  since(mark: number): AuditedRequest[] {
    if (!existsSync(this.path)) return [];
    const file = openSync(this.path, "r");
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - mark));
    readSync(file, bytes, 0, bytes.length, mark);
    closeSync(file);
    return parseAuditLog(bytes.toString());
  }

  /** Resolves to true once the controller has sent nothing for 1.5 s, to false if that takes more than 30 s. */
  async quiet(): Promise<boolean> {
    let size = this.mark();
    let since = performance.now();
    for (const end = performance.now() + 30_000; performance.now() < end; await pause(100)) {
      const now = this.mark();
      if (now !== size) [size, since] = [now, performance.now()];
      else if (performance.now() - since >= 1500) return true;
    }
    return false;
  }
}

/** A watch counts when it starts, all else when it ends. */
export function parseAuditLog(text: string): AuditedRequest[] {
  return text
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ verb, stage }) => (verb === "watch") === (stage === "ResponseStarted"))
    .map(({ verb, objectRef: { resource, subresource } = {}, responseStatus, requestReceivedTimestamp }) => ({
      key: `${verb} ${resource ? [resource, subresource].filter(Boolean).join("/") : "discovery"}`,
      verb,
      code: responseStatus?.code ?? 0,
      receivedAt: Date.parse(requestReceivedTimestamp),
    }));
}

export type RequestSummary = {
  total: number;
  writes: number;
  byKey: Record<string, number>;
  failed: Record<string, number>;
  /** Without lists, watches and discovery, which do not grow with the objects. */
  perObject: number;
};

const writes = ["create", "update", "patch", "delete", "deletecollection"];

/** Who one is, and what one may do, is asked by a POST that stores nothing. */
const isWrite = ({ verb, key }: AuditedRequest) => writes.includes(verb) && !/reviews$/.test(key);

/** @param objects how many objects or changes the requests were for; 0 where there were none. */
export function summarize(requests: readonly AuditedRequest[], objects: number): RequestSummary {
  const byKey: Record<string, number> = {};
  const failed: Record<string, number> = {};
  for (const { key, code } of requests) {
    byKey[key] = (byKey[key] ?? 0) + 1;
    if (code >= 400) failed[`${code} ${key}`] = (failed[`${code} ${key}`] ?? 0) + 1;
  }
  const forObjects = requests.filter(
    ({ verb, key }) => !["list", "watch"].includes(verb) && !key.endsWith("discovery"),
  );
  return {
    total: requests.length,
    writes: requests.filter(isWrite).length,
    byKey,
    failed,
    perObject: objects > 0 ? round(forObjects.length / objects, 3) : 0,
  };
}
