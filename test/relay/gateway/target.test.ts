import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathOf, type Target, targetOf } from "../../../infra/relay/gateway/target.ts";

const core = { group: "", version: "v1" };
const example = { group: "example.com", version: "v1" };

describe("X2 paths that are read", () => {
  it.each<[string, Target]>([
    ["/api/v1/configmaps", { ...core, plural: "configmaps" }],
    ["/api/v1/namespaces/default/configmaps", { ...core, plural: "configmaps", namespace: "default" }],
    ["/api/v1/namespaces/default/configmaps/a.b", { ...core, plural: "configmaps", namespace: "default", name: "a.b" }],
    ["/api/v1/namespaces/a", { ...core, plural: "namespaces", name: "a" }],
    ["/api/v1/namespaces/a/status", { ...core, plural: "namespaces", name: "a", subresource: "status" }],
    ["/api/v1/namespaces", { ...core, plural: "namespaces" }],
    ["/apis/example.com/v1/documents", { ...example, plural: "documents" }],
    ["/apis/example.com/v2beta1/shelves/a", { ...example, version: "v2beta1", plural: "shelves", name: "a" }],
    [
      "/apis/example.com/v1/namespaces/a/documents/b/status",
      { ...example, plural: "documents", namespace: "a", name: "b", subresource: "status" },
    ],
    [
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
      { group: "rbac.authorization.k8s.io", version: "v1", plural: "clusterroles", name: "system:node" },
    ],
  ])("%s", (path, target) => {
    expect(targetOf(path)).toEqual(target);
    expect(pathOf(target)).toBe(path);
  });
});

describe("X2 paths that are refused", () => {
  it.each([
    ["nothing", ""],
    ["the root", "/"],
    ["discovery", "/api"],
    ["discovery of a version", "/api/v1"],
    ["discovery of a group", "/apis/example.com/v1"],
    ["no resource at all", "/version"],
    ["metrics", "/metrics"],
    ["another prefix", "/prefix/api/v1/configmaps"],
    ["no slash before", "api/v1/configmaps"],
    ["an absolute URL", "http://elsewhere.test/api/v1/configmaps"],
    ["another host", "//elsewhere.test/api/v1/configmaps"],
    ["a double slash", "/api//v1/configmaps"],
    ["a double slash within", "/api/v1/namespaces//configmaps"],
    ["a slash at the end", "/api/v1/configmaps/"],
    ["a slash behind a name", "/api/v1/namespaces/a/configmaps/b/"],
    ["dots", "/api/v1/namespaces/a/configmaps/../secrets"],
    ["one dot", "/api/v1/./configmaps"],
    ["a name of dots", "/api/v1/namespaces/a/configmaps/.."],
    ["encoded dots", "/api/v1/namespaces/a/configmaps/%2e%2e"],
    ["an encoded slash", "/api/v1/namespaces/a/configmaps/b%2Fstatus"],
    ["an encoded slash in a namespace", "/api/v1/namespaces/a%2Fsecrets/configmaps"],
    ["a letter that needs no encoding", "/api/v1/namespaces/a/%63onfigmaps"],
    ["a letter of a name that needs no encoding", "/api/v1/namespaces/a/configmaps/%61"],
    ["an encoding in small letters", "/apis/example.com/v1/shelves/a%3ab"],
    ["a character that needs an encoding", "/apis/example.com/v1/shelves/a:b"],
    ["twice encoded", "/api/v1/namespaces/a/configmaps/%252e%252e"],
    ["an encoding that is none", "/api/v1/namespaces/a/configmaps/%zz"],
    ["an encoding that is no UTF-8", "/api/v1/namespaces/a/configmaps/%ff"],
    ["an encoded zero", "/api/v1/namespaces/a/configmaps/%00"],
    ["a backslash", "/api/v1/namespaces/a\\configmaps"],
    ["a semicolon", "/api/v1/configmaps;x=1"],
    ["a fragment", "/api/v1/configmaps#a"],
    ["capital letters", "/API/v1/configmaps"],
    ["a plural in capital letters", "/api/v1/ConfigMaps"],
    ["a namespace in capital letters", "/api/v1/namespaces/A/configmaps"],
    ["another version of the core group", "/api/v2/configmaps"],
    ["the core group among the others", "/apis//v1/configmaps"],
    ["no version", "/apis/example.com/latest/documents"],
    ["the old form of a watch", "/api/v1/watch/namespaces/a/configmaps"],
    ["the old form of a watch of one", "/api/v1/watch/namespaces/status"],
    ["the old form of a proxy", "/api/v1/proxy/namespaces"],
    ["exec", "/api/v1/namespaces/a/pods/b/exec"],
    ["a proxy", "/api/v1/namespaces/a/services/b/proxy/metrics"],
    ["a log", "/api/v1/namespaces/a/pods/b/log"],
    ["a token", "/api/v1/namespaces/a/serviceaccounts/b/token"],
    ["finalize", "/api/v1/namespaces/a/finalize"],
    ["scale", "/apis/apps/v1/namespaces/a/deployments/b/scale"],
    ["finalizers", "/apis/example.com/v1/namespaces/a/documents/b/finalizers"],
    ["a group that is no domain", "/apis/example..com/v1/documents"],
    ["a namespace of 64 letters", `/api/v1/namespaces/${"a".repeat(64)}/configmaps`],
    ["a name of 254 letters", `/api/v1/namespaces/a/configmaps/${"a".repeat(254)}`],
  ])("%s: %s", (_, path) => {
    expect(targetOf(path)).toBeUndefined();
  });
});

describe("X2 whatever comes", () => {
  const piece = fc.oneof(
    fc.constantFrom("api", "apis", "v1", "namespaces", "configmaps", "secrets", "status", "a", "..", ".", "", "%2e%2e"),
    fc.constantFrom("%2F", "a%2Fb", "watch", "proxy", "example.com", "v1beta1", "a:b", "a%3Ab", "exec", "\\", "//"),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const path = fc.array(piece, { maxLength: 9 }).map((pieces) => `/${pieces.join("/")}`);
  const plain = /^\/(api\/v1|apis\/[a-z0-9.-]+\/v[a-z0-9]+)(\/[a-z0-9-]+){1,3}(\/[A-Za-z0-9!'()*._~%-]+)?(\/status)?$/;

  it("a path is read only if it is what its parts make again, and they hold nothing that leads elsewhere", () => {
    fc.assert(
      fc.property(fc.oneof(path, fc.string({ unit: "binary" })), (text) => {
        const target = targetOf(text);
        if (target === undefined) return;
        expect(pathOf(target)).toBe(text);
        expect(text).toMatch(plain);
        expect(new URL(text, "https://api.test").pathname, "no reader of URLs cleans it up").toBe(text);
      }),
      { numRuns: 5_000 },
    );
  });

  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);
  it("a path that is made of parts is read as the same parts", () => {
    const target = fc
      .record(
        {
          group: fc.constantFrom("", "apps", "example.com"),
          version: fc.constant("v1"),
          plural: label.filter((plural) => !["watch", "proxy", "status", "finalize", "namespaces"].includes(plural)),
          namespace: label,
          name: fc.stringMatching(/^[!-$&-.0-~]{1,20}$/).filter((name) => !/^\.{1,2}$/.test(name)),
        },
        { requiredKeys: ["group", "version", "plural"] },
      )
      .chain((parts) =>
        fc.boolean().map((status) => (status && parts.name ? { ...parts, subresource: "status" as const } : parts)),
      );
    fc.assert(
      fc.property(target, (parts) => {
        expect(targetOf(pathOf(parts))).toEqual(parts);
      }),
    );
  });
});
