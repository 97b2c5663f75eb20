/** What the rules read of package.json and package-lock.json. */
export type Manifest = {
  exports?: Record<string, string | Record<string, string>>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

export type Lock = {
  packages: Record<string, { dev?: boolean; optional?: boolean; link?: boolean; resolved?: string }>;
};

/** The source that a built file comes from. */
const sourceOf = (built: string) => built.replace(/^\.\/dist\//, "./").replace(/(\.d\.ts|\.js)$/, ".ts");

/** Entries of `exports` and `bin` whose source is not there, or whose conditions name different modules. */
export function brokenExports(manifest: Manifest, exists: (path: string) => boolean): string[] {
  const entries = Object.entries(manifest.exports ?? {}).map(([name, target]) => ({
    name: `exports["${name}"]`,
    sources: typeof target === "string" ? [target] : [...new Set(Object.values(target).map(sourceOf))],
  }));
  const commands = Object.entries(manifest.bin ?? {}).map(([name, target]) => ({
    name: `bin.${name}`,
    sources: [sourceOf(target)],
  }));
  return [...entries, ...commands].flatMap(({ name, sources }) => [
    ...(sources.length > 1 ? [`${name} names different modules: ${sources.join(", ")}`] : []),
    ...sources.filter((source) => !exists(source)).map((source) => `${name}: ${source} does not exist`),
  ]);
}

/** Dependencies that could come in another version tomorrow. */
export function looseVersions(manifest: Manifest): string[] {
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name}: ${version} is not an exact version`);
}

/** A lock that names where a package came from installs from nowhere else. */
export function pinnedHosts(lock: Lock): string[] {
  return Object.entries(lock.packages)
    .filter(([, entry]) => /^https?:/.test(entry.resolved ?? ""))
    .map(([path]) => `package-lock.json names the host of ${path}`);
}

const permissive = new Set([
  "MIT",
  "MIT-0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "Apache-2.0",
  "0BSD",
  "BlueOak-1.0.0",
]);

/** Whether an SPDX expression lets us use the package under a licence of the list. Nested brackets are refused. */
export function isPermissive(license: unknown): boolean {
  if (typeof license !== "string") return false;
  const flat = license.replace(/^\((.*)\)$/, "$1");
  return flat.split(" OR ").some((choice) => choice.split(" AND ").every((part) => permissive.has(part)));
}

/** Packages that go to users under a licence outside the list. `licenseOf` gives undefined for what is not installed. */
export function forbiddenLicenses(lock: Lock, licenseOf: (path: string) => unknown): string[] {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== "" && !entry.dev && !entry.link)
    .filter(([path, entry]) => !(entry.optional && licenseOf(path) === undefined) && !isPermissive(licenseOf(path)))
    .map(([path]) => `${path}: licence ${JSON.stringify(licenseOf(path))}`);
}
