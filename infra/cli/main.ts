#!/usr/bin/env node
/**
 * The command `sluice`.
 * @module
 */
import { readFileSync } from "node:fs";
import { firstSignal } from "../../adapters/runtime/node/signals.ts";

const argv = process.argv.slice(2);
// Before all the rest is loaded, which takes a while: a signal that comes meanwhile ends a relay as well as a later one.
const signal = argv[0] === "relay" ? firstSignal() : undefined;
const { run } = await import("./program.ts");

// By the package's name: the file is nearer to this one unbuilt than built.
const manifest = readFileSync(new URL(import.meta.resolve("sluice/package.json")), "utf8");
const { version } = JSON.parse(manifest) as { version: string };
process.exitCode = await run(argv, version, signal);
