/**
 * The recordings that hold the test kit's API server are what a real one answers. RECORD=1 writes them anew.
 * @module
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubeTransport } from "../../functions/ports/kube-transport.ts";
import { groups } from "../kube-api/cases/index.ts";
import { realServer } from "../kube-api/real-server.ts";
import { type Recordings, readRecordings, writeRecordings } from "../kube-api/recordings.ts";
import { runCase } from "../kube-api/run-case.ts";
import { setUp, tearDown } from "../kube-api/set-up.ts";

const isRecording = process.env.RECORD === "1";
const run = Date.now().toString(36);
const ids: string[] = [];
let server: KubeTransport;

beforeAll(async () => {
  server = realServer(process.env.KUBECONFIG!);
  await setUp(server);
});
afterAll(() => tearDown(server, ids));

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    const before = readRecordings(group);
    const recordings: Recordings = {};
    it.each(cases.map((one) => [one.name, one] as const))("%s", async (name, one) => {
      const id = `${run}${ids.length}`;
      ids.push(id);
      recordings[name] = await runCase(server, one, id);
      if (isRecording && Object.keys(recordings).length === cases.length) writeRecordings(group, recordings);
      expect(recordings[name]).toEqual(isRecording ? recordings[name] : before[name]);
    });
  });
}
