import { parseArgs } from "node:util";

const USAGE = `npm run -s example -- documents [--runtime node|workerd] [--own-writes ignore|trigger]`;
/** What one runtime needs is not loaded for the other. */
const RUNTIMES = {
  node: async () => (await import("./documents/run.ts")).runDocuments,
  workerd: async () => (await import("./workerd/run-documents.ts")).runDocumentsOnWorkerd,
};
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
const load = Object.entries(RUNTIMES).find(([name]) => name === values.runtime)?.[1];
if (!load) refuse(`--runtime: must be ${Object.keys(RUNTIMES).join(" or ")}, not ${values.runtime}`);
const ownWrites = OWN_WRITES.find((choice) => choice === values["own-writes"]);
if (!ownWrites) refuse(`--own-writes: must be ${OWN_WRITES.join(" or ")}, not ${values["own-writes"]}`);
const concurrency = Number(process.env.CONCURRENCY ?? "16");
if (!Number.isInteger(concurrency) || concurrency < 1)
  refuse(`CONCURRENCY: must be a whole number from 1 on, not ${process.env.CONCURRENCY}`);
try {
  const run = await load();
  await run({ ownWrites, concurrency });
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
