#!/usr/bin/env node
/**
 * The command `sluice`.
 * @module
 */
import { readFileSync } from "node:fs";
import { run } from "./program.ts";

// By the package's name: the file is nearer to this one unbuilt than built.
const manifest = readFileSync(new URL(import.meta.resolve("sluice/package.json")), "utf8");
const { version } = JSON.parse(manifest) as { version: string };
process.exitCode = await run(process.argv.slice(2), version);
