/**
 * The command `sluice relay` as a program of its own: what the image holds, bundled.
 * @module
 */

import { exitCodeOf } from "../cli/exit-code.ts";
import { relay } from "../cli/relay.ts";

/** Put in by the bundler. */
declare const SLUICE_VERSION: string;

const flags = process.argv.slice(2);
// In a Pod all settings are in the environment: then the parser of command lines is not loaded, which takes 10 MB.
process.exitCode =
  flags.length === 0
    ? await exitCodeOf(() => relay({}))
    : await (await import("../cli/program.ts")).run(["relay", ...flags], SLUICE_VERSION);
