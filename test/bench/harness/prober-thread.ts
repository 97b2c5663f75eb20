/**
 * Sends GETs at fixed instants, whether or not those before were answered, until it is told to stop; then posts how long each
 * took. A thread of its own: what else its process does is no part of the wait.
 * @module
 */
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { url, everyMs } = workerData as { url: string; everyMs: number };
const agent = new Agent({ keepAlive: true });
const waits: number[] = [];
let failed = 0;
let open = 0;

function send(): void {
  const sentAt = performance.now();
  open++;
  const done = (ok: boolean) => {
    open--;
    if (ok) waits.push(performance.now() - sentAt);
    else failed++;
  };
  get(url, { agent }, (answer) => {
    answer.resume();
    answer.once("end", () => done(answer.statusCode === 200));
  }).once("error", () => done(false));
}

const sending = setInterval(send, everyMs);
parentPort?.once("message", () => {
  clearInterval(sending);
  const looking = setInterval(() => {
    if (open > 0) return;
    clearInterval(looking);
    agent.destroy();
    parentPort?.postMessage({ waits, failed });
  }, 10);
});
