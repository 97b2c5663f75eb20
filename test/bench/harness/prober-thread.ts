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
const failures: string[] = [];
let open = 0;

function send(sentAt: number): void {
  open++;
  const request = get(url, { agent }, (answer) => {
    answer.resume();
    answer.once("end", () => {
      open--;
      if (answer.statusCode === 200) waits.push(performance.now() - sentAt);
      else failures.push(`status ${answer.statusCode}`);
    });
  });
  request.once("error", (error) => {
    open--;
    // The server closes a connection that was idle, just as it is used again: nobody has seen the request.
    if (request.reusedSocket) send(sentAt);
    else failures.push(String(error));
  });
}

const sending = setInterval(() => send(performance.now()), everyMs);
parentPort?.once("message", () => {
  clearInterval(sending);
  const looking = setInterval(() => {
    if (open > 0) return;
    clearInterval(looking);
    agent.destroy();
    parentPort?.postMessage({ waits, failures });
  }, 10);
});
