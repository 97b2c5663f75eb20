import { parseArgs } from "node:util";
import { runDocuments } from "./documents/run.ts";

const USAGE = `npm run -s example -- documents [--runtime node] [--own-writes ignore|trigger]`;
const OWN_WRITES = ["ignore", "trigger"] as const;

function refuse(why: string): never {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}

function argumentsOf() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        runtime: { type: "string", default: "node" },
        "own-writes": { type: "string", default: "ignore" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    refuse((error as Error).message);
  }
}

const { values, positionals } = argumentsOf();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (positionals.length !== 1 || positionals[0] !== "documents")
  refuse(`unknown example: ${positionals.join(" ") || "none"}`);
if (values.runtime !== "node") refuse(`--runtime: must be node, not ${values.runtime}`);
const ownWrites = OWN_WRITES.find((choice) => choice === values["own-writes"]);
if (!ownWrites) refuse(`--own-writes: must be ${OWN_WRITES.join(" or ")}, not ${values["own-writes"]}`);
await runDocuments({ ownWrites });
