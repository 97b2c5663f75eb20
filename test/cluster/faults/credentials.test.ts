import { afterEach, beforeEach, expect, test } from "vitest";
import { configMaps } from "../../relay/support/objects.ts";
import { newNamespace, sharedCluster } from "../support/cluster.ts";
import { FaultyRelay } from "./faulty-relay.ts";

const { api, ...access } = sharedCluster();
let namespace: string;
let rig: FaultyRelay;

beforeEach(async () => {
  namespace = await newNamespace(api);
  for (const name of ["a", "b"]) await api.create(`${at()}/configmaps`, { metadata: { name } });
});
afterEach(() => rig.stop());

const at = () => `/api/v1/namespaces/${namespace}`;
const change = (name: string) => api.patch(`${at()}/configmaps/${name}`, { data: { at: String(performance.now()) } });

/** A token of `relay` that holds as long as the Secret that it is bound to. */
async function boundToken(secretName: string): Promise<string> {
  const { metadata } = await api.create(`${at()}/secrets`, { metadata: { name: secretName } });
  const answer = await api.create(`${at()}/serviceaccounts/relay/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {
      expirationSeconds: 3600,
      boundObjectRef: { apiVersion: "v1", kind: "Secret", name: secretName, uid: metadata.uid },
    },
  });
  return answer.status.token as string;
}

test("R9 a token that is refused is read again, and the watch goes on where it was", async () => {
  await api.create(`${at()}/serviceaccounts`, { metadata: { name: "relay" } });
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }];
  await api.create(`${rbac}/roles`, { metadata: { name: "relay" }, rules });
  await api.create(`${rbac}/rolebindings`, {
    metadata: { name: "relay" },
    subjects: [{ kind: "ServiceAccount", name: "relay", namespace }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "relay" },
  });
  const token = await boundToken("first");
  rig = await FaultyRelay.start({ access: { ...access, token }, api, namespace, resources: [configMaps] });
  await rig.recovered();

  await api.delete(`${at()}/secrets/first`);
  // The API server remembers for some 10 s that a token was good.
  await rig.hurried(
    "the token is refused",
    () => {
      if (rig.ready) rig.proxy.cut();
      return rig.watch("configmaps").error?.includes("401");
    },
    30_000,
  );
  await change("a");
  await api.delete(`${at()}/configmaps/b`);
  rig.useToken(await boundToken("second"));
  await rig.recovered();
  expect(rig.relists("configmaps")).toEqual({});
});

test("R9 rights that are missing, and rights to list and not to watch, are shown and waited for", async () => {
  await api.create(`${at()}/serviceaccounts`, { metadata: { name: "relay" } });
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const token = await boundToken("first");
  rig = await FaultyRelay.start({ access: { ...access, token }, api, namespace, resources: [configMaps] });
  await rig.hurried("the 403 is shown", () => rig.watch("configmaps").error?.includes("403"));
  const rules = (verbs: string[]) => [{ apiGroups: [""], resources: ["configmaps"], verbs }];
  await api.create(`${rbac}/roles`, { metadata: { name: "relay" }, rules: rules(["list"]) });
  await api.create(`${rbac}/rolebindings`, {
    metadata: { name: "relay" },
    subjects: [{ kind: "ServiceAccount", name: "relay", namespace }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "relay" },
  });
  await rig.hurried(
    "it has listed",
    () => rig.watch("configmaps").synced && rig.watch("configmaps").state === "InitListed",
  );
  await rig.hurried("what cannot be watched is shown", () => rig.watch("configmaps").error?.includes("watch"));
  expect(rig.ready).toBe(false);
  await api.patch(`${rbac}/roles/relay`, { rules: rules(["list", "watch"]) });
  await rig.recovered();
  await change("a");
  await rig.recovered();
});

test("R9 an authority that is replaced is read again within a minute, and the watch goes on where it was", async () => {
  rig = await FaultyRelay.start({ access, api, namespace, resources: [configMaps] });
  await rig.recovered();
  const { publish } = rig.rotateAuthority();
  await change("a");
  await rig.hurried("the certificate is refused", () => rig.watch("configmaps").error?.includes("certificate"));
  await api.delete(`${at()}/configmaps/b`);
  publish();
  const from = rig.clock.monotonic();
  await rig.recovered();
  expect(rig.clock.monotonic() - from).toBeLessThan(60_000 + 40_000);
  expect(rig.relists("configmaps")).toEqual({});
});
