/**
 * The command `sluice relay` as a program of its own: what the image holds, bundled.
 * @module
 */

import { keepHeapSmall } from "../../adapters/runtime/deno/small-heap.ts";
import { firstSignal } from "../../adapters/runtime/node/signals.ts";
import { exitCodeOf } from "../cli/exit-code.ts";
import { relay } from "../cli/relay.ts";

/** Put in by the bundler. */
declare const SLUICE_VERSION: string;

keepHeapSmall();
const argv = process.argv.slice(2);
// Before all the rest is loaded: a signal that comes meanwhile ends the relay as well as a later one.
const signal = firstSignal();
// In a Pod all settings are in the environment: then the parser of command lines is not loaded, which takes 10 MB.
process.exitCode =
  argv.length === 0
    ? await exitCodeOf(() => relay({}, SLUICE_VERSION, signal))
    : await (await import("../cli/program.ts")).run(["relay", ...argv], SLUICE_VERSION, signal);
