import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildRelay } from "../../infra/image/build.ts";
import type { Option } from "../../infra/relay/option.ts";
import { relayOptions } from "../../infra/relay/option-table.ts";
import { entrypoint, imageEnv, instructions } from "../cluster/image/dockerfile.ts";
import { root } from "../repository/source-file.ts";

const dir = mkdtempSync(join(tmpdir(), "sluice-image-"));
const bundle = join(dir, "relay.js");
let built: Awaited<ReturnType<typeof buildRelay>>;

beforeAll(async () => {
  built = await buildRelay(bundle);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const restOf = (wanted: string) => instructions().flatMap(({ name, rest }) => (name === wanted ? [rest] : []));
const flag = (name: string) =>
  entrypoint()
    .find((text) => text.startsWith(`--${name}=`))
    ?.slice(name.length + 3)
    .split(",");

describe("the bundle", () => {
  test("is one file that imports nothing", () => {
    expect(readdirSync(dir)).toEqual([basename(bundle)]);
    expect(Object.values(built.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  });

  test("keeps what Deno has no use for compressed, which costs a fraction of code", () => {
    const [output] = Object.values(built.outputs);
    const asCode = Object.keys(output?.inputs ?? {}).filter((path) =>
      /node_modules\/(undici|yaml|commander)\//.test(path),
    );
    expect(asCode).toEqual([]);
  });
});

describe("the Dockerfile", () => {
  test("copies the bundle, and nothing else, to where it is run from", () => {
    expect(restOf("COPY")).toEqual([`--chmod=444 ${basename(bundle)} ${entrypoint().at(-1)}`]);
    expect(restOf("ADD")).toEqual([]);
  });

  test("runs nothing while it is built, so that it needs no shell", () => {
    expect(restOf("RUN")).toEqual([]);
    expect(entrypoint()[0]).toBe("deno");
  });

  test("takes its base from variables, pinned to the Deno that the tests run", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(restOf("ARG")).toEqual(["BASE_IMAGE=denoland/deno", `BASE_TAG=distroless-${devDependencies.deno}`]);
    expect(restOf("FROM")).toEqual([expect.stringMatching(/^\$\{BASE_IMAGE\}:\$\{BASE_TAG\}$/)]);
  });

  test("names a user by number, not root", () => {
    expect(restOf("USER")).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  });

  test("allows to read the network, two folders and variables by name, and nothing to write, run or call", () => {
    const allowed = entrypoint().flatMap((text) => /^--(allow-[a-z]+)/.exec(text)?.[1] ?? []);
    expect(allowed.sort()).toEqual(["allow-env", "allow-net", "allow-read"]);
    expect(flag("allow-read")).toEqual(["/var/run/secrets/kubernetes.io/serviceaccount", "/etc/sluice"]);
  });

  test("allows exactly the variables that the relay reads", () => {
    const options: Option[] = Object.values(relayOptions);
    const proxies = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
    const others = ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "HOSTNAME"];
    const read = [...options.map(({ variable }) => variable), ...others, ...proxies];
    const withLowerCase = [...read, ...proxies.map((name) => name.toLowerCase())];
    expect(flag("allow-env")?.sort()).toEqual(withLowerCase.sort());
  });

  test("asks for the small heap that the figures were taken with, and looks for no newer release", () => {
    expect(flag("v8-flags")).toContain("--optimize-for-size");
    expect(imageEnv()).toMatchObject({ DENO_NO_UPDATE_CHECK: "1", MALLOC_ARENA_MAX: "1" });
  });
});
