import { createServer, type ServerResponse } from "node:http";
import type { Step } from "../../../functions/ports/steps.ts";
import { eventually } from "../support/eventually.ts";

/** Where a Worker asks whether it may go on from a step. */
export type StepsServer = {
  url: string;
  /** Holds the Worker where it next reaches the step. */
  hold(step: Step): void;
  reached(step: Step, limitMs: number): Promise<void>;
  /** Lets it go on, from here and from every other step. */
  release(): void;
  close(): void;
};

export async function openStepsServer(): Promise<StepsServer> {
  const held = new Map<Step, ServerResponse>();
  const wanted = new Set<Step>();
  const server = createServer(async (request, response) => {
    let step = "";
    for await (const chunk of request) step += String(chunk);
    if (wanted.delete(step as Step)) held.set(step as Step, response);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const release = () => {
    for (const response of held.values()) response.end();
    held.clear();
    wanted.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    hold: (step) => void wanted.add(step),
    async reached(step, limitMs) {
      await eventually(`the Worker stands at: ${step}`, limitMs, async () => held.has(step));
    },
    release,
    close() {
      release();
      server.closeAllConnections();
      server.close();
    },
  };
}
