import { describe, expect, expectTypeOf, it } from "vitest";
import { awaitChange, requeueAfter } from "../../../functions/controller/action.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import { defineController } from "../../../functions/controller/define-controller.ts";
import { ClusterRole, ConfigMap, Namespace, Secret } from "../../../functions/kinds.ts";
import { Document, documents } from "./documents.ts";

const cleanup = (): void => {};
const KNOWN =
  "name, for, namespaces, selector, predicate, owns, watches, access, reconcile, finalizer, cleanup, errorPolicy, " +
  "concurrency, debounce, timeout, backoff, budget";

describe("defaults", () => {
  it("are those of the design", () => {
    const controller = documents();
    expect(controller).toMatchObject({ name: "documents", for: Document, owns: [], watches: [], access: [] });
    expect(controller.scheduling).toEqual({
      concurrency: 16,
      debounceMs: 0,
      deadlineMs: 60_000,
      backoff: { baseMs: 1_000, factor: 2, maxMs: 900_000, jitter: 0.25 },
      startsPerMinute: 60,
    });
    expect(controller.finalizer).toBeUndefined();
  });

  it("are replaced one by one", () => {
    const { scheduling } = documents({
      concurrency: 1,
      debounce: "500ms",
      timeout: { minutes: 15 },
      backoff: { base: "5s", max: "1h" },
      budget: { startsPerMinute: 10 },
    });
    expect(scheduling).toEqual({
      concurrency: 1,
      debounceMs: 500,
      deadlineMs: 900_000,
      backoff: { baseMs: 5_000, factor: 2, maxMs: 3_600_000, jitter: 0.25 },
      startsPerMinute: 10,
    });
  });
});

describe("errors name the controller, the field and the limit", () => {
  it.each<[object, string]>([
    [{ name: "Documents" }, "controller Documents: name: must be a DNS label: a-z, 0-9 and -, at most 63 characters"],
    [{ name: "a".repeat(64) }, "name: must be a DNS label"],
    [{ name: undefined }, "name: must be a DNS label"],
    [{ for: undefined }, "for: must be a kind"],
    [{ for: { kind: "Document" } }, "for: must be a kind"],
    [{ reconcile: undefined }, "reconcile: must be a function"],
    [{ errorPolicy: "never" }, "errorPolicy: must be a function"],
    [{ owned: [] }, "owned: is no option of a controller"],
    [{ finalizer: "example.com/x" }, "cleanup: is needed where there is a finalizer"],
    [{ cleanup }, "finalizer: is needed where there is a cleanup"],
    [{ finalizer: "example.com/x", cleanup: "no" }, "cleanup: must be a function"],
    [{ finalizer: "cleanup", cleanup }, "finalizer: must be a domain and a name of at most 63 characters"],
    [{ finalizer: "example.com/", cleanup }, "finalizer: must be a domain and a name"],
    [{ finalizer: "Example.com/x", cleanup }, "finalizer: must be a domain and a name"],
    [{ finalizer: "a/b/c", cleanup }, "finalizer: must be a domain and a name"],
    [{ finalizer: `example.com/${"x".repeat(64)}`, cleanup }, "finalizer: must be a domain and a name"],
    [{ namespaces: [] }, "namespaces: must name at least 1, or be left out"],
    [{ namespaces: ["a", "B"] }, "namespaces[1]: must be a DNS label of at most 63 characters"],
    [{ namespaces: ["a", "b", "a"] }, "namespaces[2]: is the same as namespaces[0]"],
    [{ for: Namespace, namespaces: ["a"] }, "namespaces: Namespace is cluster-scoped"],
    [{ selector: { matchLabels: {} } }, "selector: must name at least 1 label or field"],
    [{ selector: { matchLabels: { "a b": "c" } } }, 'selector.matchLabels["a b"]: is no label key'],
    [{ selector: { matchLabels: { a: "b c" } } }, 'selector.matchLabels["a"]: is no label value of at most 63'],
    [{ selector: { matchLabels: { a: 1 } } }, 'selector.matchLabels["a"]: is no label value'],
    [{ owns: [{}] }, "owns[0].resource: must be a kind"],
    [{ owns: [{ resource: ConfigMap }, { resource: ConfigMap }] }, "owns[1]: is the same as owns[0]"],
    [{ owns: [{ resource: ConfigMap, ownWrites: "drop" }] }, 'owns[0].ownWrites: must be "trigger" or "ignore"'],
    [{ owns: [{ resource: ConfigMap, owner: "all" }] }, 'owns[0].owner: must be "controller" or "any"'],
    [{ owns: [{ resource: ClusterRole }] }, "owns[0].resource: Document has a namespace, so it cannot own ClusterRole"],
    [{ watches: [{ resource: Secret }] }, "watches[0]: needs one of namedBy, byLabel, byAnnotation, byField, mapTo"],
    [{ watches: [{ resource: Secret, namedBy: ".a", byLabel: "b" }] }, "watches[0]: needs one of namedBy, byLabel"],
    [{ watches: [{ resource: Secret, namedBy: "spec.a" }] }, "watches[0].namedBy: must be a field path like .spec."],
    [{ watches: [{ resource: Secret, namedBy: ".spec..a" }] }, "watches[0].namedBy: must be a field path"],
    [{ watches: [{ resource: Secret, namedBy: ".spec.a[0]" }] }, "watches[0].namedBy: must be a field path"],
    [{ watches: [{ resource: Secret, byLabel: "a b" }] }, "watches[0].byLabel: must be a label key"],
    [
      { for: Namespace, watches: [{ resource: Secret, namedBy: ".spec.a" }] },
      "watches[0]: a Namespace has no namespace",
    ],
    [{ watches: [{ resource: Namespace, byLabel: "a" }] }, "watches[0]: a Namespace has no namespace"],
    [{ access: [{ resource: Secret, verbs: [] }] }, "access[0].verbs: must name at least 1 verb"],
    [{ access: [{ resource: Secret, verbs: ["watch"] }] }, "watch is none of get, list, create, patch, delete"],
    [{ concurrency: 0 }, "concurrency: Too small: expected number to be >=1"],
    [{ concurrency: 10_001 }, "concurrency: Too big: expected number to be <=10000"],
    [{ debounce: 500 }, 'controller documents: debounce: must be like "5m"'],
    [{ timeout: "16m" }, "timeout: Too big: expected number to be <=900000 (milliseconds)"],
    [{ timeout: "0s" }, "timeout: Too small: expected number to be >=1 (milliseconds)"],
    [{ backoff: { base: "0s" } }, "backoff.base: Too small: expected number to be >=1 (milliseconds)"],
    [{ backoff: { base: "1h" } }, "backoff.max: must be at least backoff.base, 3600000 ms"],
    [{ backoff: { factor: 0 } }, "backoff.factor: Too small"],
    [{ backoff: { jitter: 2 } }, "backoff.jitter: Too big"],
    [{ budget: { startsPerMinute: 0 } }, "budget.startsPerMinute: Too small"],
    [
      { name: "Documents", owned: [] },
      "controller Documents: owned: is no option of a controller; known are name, for,",
    ],
    [{ reconcile: undefined, reconcil: () => {} }, "documents: reconcil: is no option of a controller"],
    [{ finalizer: 5, cleanup }, "finalizer: must be a domain and a name"],
    [{ namespaces: "abc" }, "documents: namespaces: must be a list of names"],
    [{ namespaces: null }, "documents: namespaces: must be a list of names"],
    [{ selector: null }, "documents: selector: must be an object of options: matchLabels"],
    [{ selector: {} }, "documents: selector: must name at least 1 label or field"],
    [{ selector: { matchLabel: { a: "b" } } }, "selector.matchLabel: is no option of selector; known are matchLabels,"],
    [{ selector: { matchLabels: "ab" } }, "selector.matchLabels: must be an object of texts"],
    [{ owns: null }, "documents: owns: must be a list"],
    [{ owns: {} }, "documents: owns: must be a list"],
    [
      { owns: [null] },
      "documents: owns[0]: must be an object of options: resource, selector, predicate, ownWrites, owner",
    ],
    [
      { owns: [{ resource: ConfigMap, ownWrite: "ignore" }] },
      "owns[0].ownWrite: is no option of owns; known are resource",
    ],
    [{ watches: null }, "documents: watches: must be a list"],
    [{ watches: [{ resource: Secret, namedBy: 5 }] }, "watches[0].namedBy: must be a field path"],
    [{ watches: [{ resource: Secret, byLabels: "a" }] }, "watches[0].byLabels: is no option of watches"],
    [{ access: {} }, "documents: access: must be a list"],
    [{ access: [{ resource: Secret, verbs: "get" }] }, "access[0].verbs: must be a list"],
    [{ access: [{ resource: Secret, verbs: [null] }] }, "access[0].verbs[0]: it is none of get, list"],
    [
      { access: [{ resource: Secret, verb: ["get"] }] },
      "access[0].verb: is no option of access; known are resource, verbs",
    ],
    [{ concurrency: "many" }, "documents: concurrency: Invalid input: expected number, received string"],
    [{ debounce: null }, 'documents: debounce: must be like "5m"'],
    [{ backoff: null }, "documents: backoff: must be an object of options: base, factor, max, jitter"],
    [{ backoff: "5s" }, "documents: backoff: must be an object of options"],
    [{ backoff: { typo: 1 } }, "documents: backoff.typo: is no option of backoff; known are base, factor, max, jitter"],
    [{ budget: 5 }, "documents: budget: must be an object of options: startsPerMinute"],
    [{ budget: {} }, "documents: budget.startsPerMinute: must be a number"],
    [{ budget: { starts: 5 } }, "documents: budget.starts: is no option of budget; known are startsPerMinute"],
  ])("%j", (options, message) => {
    const define = (): unknown => documents(options as never);
    expect(define).toThrow(TypeError);
    expect(define).toThrow(message);
    expect(define).toThrow(/^controller /);
  });
});

describe("what is no options at all", () => {
  it.each([undefined, null, 5, []])("%j is refused", (options) => {
    const define = (): unknown => defineController()(options as never);
    expect(define).toThrow(new TypeError(`controller without a name: options: must be an object of options: ${KNOWN}`));
  });

  it("options in the first call are refused, with the call that is meant", () => {
    const once = defineController as (options: object) => unknown;
    const message = "defineController: takes its options in a second call: defineController()({ … })";
    expect(() => once({ name: "documents" })).toThrow(new TypeError(message));
  });
});

describe("what is allowed", () => {
  it.each<[string, object]>([
    [
      "one kind watched by two fields",
      { watches: [".spec.a", ".spec.b"].map((namedBy) => ({ resource: Secret, namedBy })) },
    ],
    ["a namespaced object that names a cluster-scoped one", { watches: [{ resource: Namespace, namedBy: ".spec.a" }] }],
    [
      "a namespaced object whose label names a cluster-scoped one",
      { for: Namespace, watches: [{ resource: Secret, byLabel: "a/b" }] },
    ],
    ["a cluster-scoped owner of namespaced objects", { for: Namespace, owns: [{ resource: ConfigMap }] }],
    ["a kind that owns its like", { owns: [{ resource: Document }] }],
  ])("%s", (_, options) => {
    expect(() => documents(options as never)).not.toThrow();
  });
});

describe("types", () => {
  type Env = { TOKEN: string };
  type Context = { dns: { lookup(name: string): Promise<string> } };

  it("the object's type comes from `for`, the platform's from Env, the user's own from Context", () => {
    const controller = defineController<Env, Context>()({
      name: "documents",
      for: Document,
      owns: [{ resource: ConfigMap, ownWrites: "ignore" }],
      watches: [{ resource: Secret, namedBy: ".spec.secretName" }],
      reconcile(doc, { env, dns, kube, key, signal, attempt }) {
        expectTypeOf(doc.spec.title).toEqualTypeOf<string>();
        expectTypeOf(doc.spec.pages).toEqualTypeOf<number>();
        expectTypeOf(doc.metadata.uid).toEqualTypeOf<string>();
        expectTypeOf(env).toEqualTypeOf<Env>();
        expectTypeOf(dns.lookup).returns.resolves.toEqualTypeOf<string>();
        expectTypeOf(kube.get(ConfigMap, { namespace: "a", name: "b" })).resolves.toHaveProperty("data");
        expectTypeOf(key.name).toEqualTypeOf<string>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(attempt).toEqualTypeOf<number>();
        return awaitChange();
      },
      finalizer: "example.com/cleanup",
      async cleanup(doc, { env }) {
        expectTypeOf(doc.spec.title).toEqualTypeOf<string>();
        expectTypeOf(env).toEqualTypeOf<Env>();
      },
      errorPolicy: (error, { attempt, firstFailureAt, lastError, object }) => {
        expectTypeOf(error).toBeUnknown();
        expectTypeOf(attempt + firstFailureAt).toEqualTypeOf<number>();
        expectTypeOf(lastError).toEqualTypeOf<string | undefined>();
        expectTypeOf(object).toEqualTypeOf<Document | undefined>();
        return requeueAfter("1m");
      },
    });
    const list: Controller<Env, Context>[] = [controller];
    expect(list).toHaveLength(1);
  });

  it("what would not work is an error of the compiler too", () => {
    const base = { name: "documents", for: Document } as const;
    const define = defineController();
    // @ts-expect-error a finalizer without a cleanup
    expect(() => define({ ...base, reconcile: () => awaitChange(), finalizer: "example.com/x" })).toThrow();
    // @ts-expect-error a cleanup without a finalizer
    expect(() => define({ ...base, reconcile: () => awaitChange(), cleanup })).toThrow();
    // @ts-expect-error options in the first call
    expect(() => defineController(base)).toThrow();
    // @ts-expect-error a bare number as a duration
    expect(() => define({ ...base, reconcile: () => awaitChange(), timeout: 5 })).toThrow();
    // @ts-expect-error nothing returned
    define({ ...base, reconcile: () => {} });
    // @ts-expect-error a cleanup that awaits a change would never be finished
    define({ ...base, reconcile: () => awaitChange(), finalizer: "example.com/x", cleanup: () => awaitChange() });
    // @ts-expect-error a field that Documents do not have
    define({ ...base, reconcile: (doc) => (doc.spec.author ? awaitChange() : awaitChange()) });
  });
});
