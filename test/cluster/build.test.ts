import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildControlPlane, kubernetesVersion } from "./control-plane/build.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sluice-build-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A folder of binaries that hold nothing but where they come from. */
function folderWith(folder: string, ...names: string[]): string {
  mkdirSync(join(dir, folder), { recursive: true });
  for (const name of names) writeFileSync(join(dir, folder, name), folder);
  return join(dir, folder);
}

const all = ["etcd", "kube-apiserver", "kube-controller-manager"];

it("takes a folder of KUBEBUILDER_ASSETS that has everything as it is", () => {
  const assets = folderWith("assets", ...all);
  expect(buildControlPlane({ assets, cache: join(dir, "unused") })).toBe(assets);
});

it("adds what KUBEBUILDER_ASSETS lacks, as envtest's archives lack kube-controller-manager", () => {
  const assets = folderWith("assets", "etcd", "kube-apiserver", "kubectl");
  folderWith(`cache/${kubernetesVersion()}`, ...all);
  const bin = buildControlPlane({ assets, cache: join(dir, "cache") });
  const origins = all.map((name) => readFileSync(join(bin, name), "utf8"));
  expect(origins).toEqual(["assets", "assets", `cache/${kubernetesVersion()}`]);
});

it("builds nothing that an earlier run has built", () => {
  const built = folderWith(`cache/${kubernetesVersion()}`, ...all);
  expect(buildControlPlane({ assets: "", cache: join(dir, "cache") })).toBe(built);
});
