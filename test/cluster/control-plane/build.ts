import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** The binaries of a control plane, each with the Go package that builds it and the name that `go build` gives it. */
const binaries = {
  etcd: { package: "go.etcd.io/etcd/server/v3", builtAs: "server" },
  "kube-apiserver": { package: "k8s.io/kubernetes/cmd/kube-apiserver", builtAs: "kube-apiserver" },
  "kube-controller-manager": {
    package: "k8s.io/kubernetes/cmd/kube-controller-manager",
    builtAs: "kube-controller-manager",
  },
} as const;

export type BinaryName = keyof typeof binaries;
const names = Object.keys(binaries) as BinaryName[];

const here = import.meta.dirname;
const defaultCache = resolve(here, "../../../.cache/control-plane");

/**
 * Finds or builds the control plane's binaries. A folder named by KUBEBUILDER_ASSETS serves as far as it goes; what it
 * lacks is built from go.mod: minutes the first time, seconds from Go's build cache, nothing once it is in `cache`.
 *
 * @returns the folder that holds all of them.
 * @throws if something must be built and there is no Go, or Go fails.
 */
export function buildControlPlane({ assets = process.env.KUBEBUILDER_ASSETS, cache = defaultCache } = {}): string {
  const lacking = assets ? names.filter((name) => !existsSync(join(assets, name))) : names;
  if (assets && lacking.length === 0) return resolve(assets);

  const built = join(cache, kubernetesVersion());
  mkdirSync(built, { recursive: true });
  const missing = lacking.filter((name) => !existsSync(join(built, name)));
  if (missing.length > 0) build(missing, built);
  return assets && lacking.length < names.length ? combine(resolve(assets), built, lacking) : built;
}

/** The version in go.mod, which also names the cache's folder. */
export function kubernetesVersion(): string {
  const version = /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(join(here, "go.mod"), "utf8"))?.[1];
  if (!version) throw new Error("control-plane/go.mod names no version of k8s.io/kubernetes");
  return version;
}

function build(missing: readonly BinaryName[], into: string): void {
  const startedAt = performance.now();
  console.log(`control plane: building ${missing.join(", ")} ${kubernetesVersion()}; the first time takes minutes`);
  // A folder of its own, so that a build cut short leaves no half a binary behind.
  const unfinished = mkdtempSync(join(into, "building-"));
  try {
    execFileSync("go", buildArguments(missing, unfinished), {
      cwd: here,
      env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    for (const name of missing) renameSync(join(unfinished, binaries[name].builtAs), join(into, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(
      "go is not installed: install Go 1.26 or newer, or name a folder of binaries in KUBEBUILDER_ASSETS",
    );
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  console.log(`control plane: built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

/** Kubernetes takes its version from linker flags, as its own build does; its source holds a placeholder. */
function buildArguments(missing: readonly BinaryName[], into: string): string[] {
  const version = kubernetesVersion();
  const [major, minor] = version.slice(1).split(".");
  const flags = [
    "-s -w",
    `-X k8s.io/component-base/version.gitVersion=${version}`,
    `-X k8s.io/component-base/version.gitMajor=${major}`,
    `-X k8s.io/component-base/version.gitMinor=${minor}`,
    `-X k8s.io/client-go/pkg/version.gitVersion=${version}`,
  ];
  return [
    "build",
    "-trimpath",
    `-ldflags=${flags.join(" ")}`,
    "-o",
    `${into}/`,
    ...missing.map((n) => binaries[n].package),
  ];
}

/** envtest's own archives have no kube-controller-manager: theirs beside ours, in one folder of links. */
function combine(assets: string, built: string, lacking: readonly BinaryName[]): string {
  const folder = mkdtempSync(join(built, "combined-"));
  for (const name of names) symlinkSync(join(lacking.includes(name) ? built : assets, name), join(folder, name));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

if (process.argv[1] === import.meta.filename) console.log(buildControlPlane());
