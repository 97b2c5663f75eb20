import { posix } from "node:path";

/** In pieces, so that this file keeps its own rule. */
const registries = [
  ["registry", "npmjs", "org"],
  ["registry", "yarnpkg", "com"],
  ["proxy", "golang", "org"],
  ["pypi", "org"],
  ["static", "crates", "io"],
  ["repo1", "maven", "org"],
  ["deb", "debian", "org"],
].map((parts) => parts.join("."));

const machinePath = /(?<![\w.$~}-])\/(?:root|work|home\/[\w.-]+|Users\/[\w.-]+)\/[\w.-]+/g;

/** Paths that exist on one machine only, and hosts that an install must not be bound to. */
export function strayPlaces(path: string, text: string): string[] {
  const hosts = registries.filter((host) => text.includes(host));
  const paths = [...text.matchAll(machinePath)].map(([match]) => match);
  return [...hosts, ...paths].map((what) => `${path} names ${what}`);
}

/** Relative links of a Markdown page that lead nowhere. */
export function deadLinks(path: string, text: string, exists: (path: string) => boolean): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
    .map(([, target = ""]) => target.split("#")[0] ?? "")
    .filter((target) => target !== "" && !/^[a-z][a-z+.-]*:/i.test(target))
    .filter((target) => !exists(posix.join(posix.dirname(path), target)))
    .map((target) => `${path} links to ${target}, which does not exist`);
}
