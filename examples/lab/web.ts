import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is outside the cluster: a web server that serves the files of a folder. */
export type Web = {
  publish(name: string, text: string): void;
  /** @throws Error while the server is busy. */
  takeDown(name: string): void;
};

export function openWeb(folder: string): Web & {
  isPublished(name: string): boolean;
  /** The next page to be taken down is refused, once. */
  refuseOnce(): void;
} {
  mkdirSync(folder, { recursive: true });
  const page = (name: string) => join(folder, `${name}.html`);
  // A file, since who refuses and who is refused are two processes.
  const busy = join(folder, "busy");
  return {
    publish: (name, text) => writeFileSync(page(name), text),
    takeDown(name) {
      if (existsSync(busy)) {
        rmSync(busy);
        throw new Error("the web server is busy");
      }
      rmSync(page(name), { force: true });
    },
    isPublished: (name) => existsSync(page(name)),
    refuseOnce: () => writeFileSync(busy, ""),
  };
}
