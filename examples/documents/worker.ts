import { type Bindings, createWorker } from "sluice/cloudflare";
import { documentsController } from "./controller.ts";

export { SchedulerObject } from "sluice/cloudflare";

type Env = Bindings & { GATEWAY_URL: string; SLUICE_SECRET: string };

/** Settled when the Worker is bundled: see `[define]` in wrangler.toml. */
declare const OWN_WRITES: "ignore" | "trigger";
declare const CONCURRENCY: number;

const say = (message: string) => () => console.log(JSON.stringify({ message }));

export default createWorker<Env>({
  controllers: [
    documentsController({
      ownWrites: OWN_WRITES,
      concurrency: CONCURRENCY,
      reporter: { ran: say("a document ran"), failed: say("a document failed") },
    }),
  ],
  clusters: (env) => [{ name: "home", gateway: env.GATEWAY_URL, secrets: [env.SLUICE_SECRET] }],
  logLevel: "error",
});
