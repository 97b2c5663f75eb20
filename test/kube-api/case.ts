/**
 * A case: a named sequence of requests, run in a namespace of its own. In paths and bodies `{ns}` is that namespace, `{id}` a
 * name that no other run has, and `{a.metadata.uid}` a field of the answer that was kept as `a`.
 */
export type Case = { name: string; steps: readonly Step[] };

export type Step = RequestStep | WatchStep | ReadStep;

export type RequestStep = {
  /** Method and path. */
  request: string;
  /** A string goes as it is, anything else as JSON. */
  body?: unknown;
  /** Content type. Default: by the method, `json` and for PATCH none. */
  type?: ContentType;
  headers?: Record<string, string>;
  /** Keeps the answer's body under a name. */
  keep?: string;
  /** Repeats the request until it is answered so: the real server's controllers take their time. */
  until?: { status: number } | { absent: string } | { present: string };
  /** The real cluster's controllers change this object on their own time: its versions are not compared. */
  anyVersion?: true;
  /** Not compared: it only prepares. */
  quiet?: true;
};

/** Opens a watch and goes on. */
export type WatchStep = { watch: string; name: string; headers?: Record<string, string> };

/** Reads so many events of an open watch, or all up to its end. */
export type ReadStep = { read: string; events: number | "end" };

export const CONTENT_TYPES = {
  json: "application/json",
  yaml: "application/yaml",
  patch: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
  text: "text/plain",
} as const;
export type ContentType = keyof typeof CONTENT_TYPES;

/** What a server answered, with all masked that differs from run to run. */
export type Recorded = {
  status: number;
  type?: string;
  warnings?: string[];
  retryAfter?: string;
  body: unknown;
};
