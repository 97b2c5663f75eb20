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
import { setUp } from "../kube-api/set-up.ts";
import type { ControlPlane } from "./control-plane/start.ts";
import { ownControlPlane } from "./support/cluster.ts";

const isRecording = process.env.RECORD === "1";
const run = Date.now().toString(36);
let count = 0;
let plane: ControlPlane;
let server: KubeTransport;

// One of its own: hundreds of namespaces to delete would keep the shared one busy for minutes.
beforeAll(async () => {
  plane = await ownControlPlane();
  server = realServer(plane.kubeconfig);
  await setUp(server);
});
afterAll(() => plane?.stop());

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    const before = readRecordings(group);
    const recordings: Recordings = {};
    it.each(cases.map((one) => [one.name, one] as const))("%s", async (name, one) => {
      const id = `${run}${count++}`;
      recordings[name] = await runCase(server, one, id);
      if (isRecording && Object.keys(recordings).length === cases.length) writeRecordings(group, recordings);
      expect(recordings[name]).toEqual(isRecording ? recordings[name] : before[name]);
    });
  });
}
