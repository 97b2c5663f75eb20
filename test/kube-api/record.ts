/**
 * Records what the API server of KUBECONFIG answers to the cases. Usage: record.ts [GROUP [CASE]].
 */
import { groups } from "./cases/index.ts";
import { realServer } from "./real-server.ts";
import { readRecordings, writeRecordings } from "./recordings.ts";
import { runCase } from "./run-case.ts";
import { setUp } from "./set-up.ts";

const [, , onlyGroup, onlyCase] = process.argv;
const server = realServer(process.env.KUBECONFIG!);
await setUp(server);
const run = Date.now().toString(36);
let count = 0;
for (const [group, cases] of Object.entries(groups)) {
  if (onlyGroup && group !== onlyGroup) continue;
  const before = readRecordings(group);
  const recordings = Object.fromEntries(
    cases.filter(({ name }) => before[name]).map(({ name }) => [name, before[name]!]),
  );
  for (const one of cases) {
    if (onlyCase && one.name !== onlyCase) continue;
    const startedMs = Date.now();
    recordings[one.name] = await runCase(server, one, `${run}${(count++).toString(36)}`);
    if (Date.now() - startedMs > 3000) console.log(`${Date.now() - startedMs} ms: ${one.name}`);
  }
  writeRecordings(
    group,
    Object.fromEntries(cases.filter(({ name }) => recordings[name]).map(({ name }) => [name, recordings[name]!])),
  );
  console.log(`${group}: ${cases.length}`);
}
process.exit(0);
