declare namespace Cloudflare {
  interface Env {
    STORAGE: DurableObjectNamespace;
    SLUICE_SCHEDULER: DurableObjectNamespace;
    SLUICE_KV: KVNamespace;
    SLUICE_SECRET: string;
    /** How many random sequences the model is held to. */
    MODEL_SEQUENCES: number;
  }
  interface GlobalProps {
    mainModule: typeof import("./worker.ts");
  }
}
