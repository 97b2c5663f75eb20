declare namespace Cloudflare {
  interface Env {
    STORAGE: DurableObjectNamespace;
    SLUICE_SCHEDULER: DurableObjectNamespace;
    SLUICE_KV: KVNamespace;
    SLUICE_SECRET: string;
  }
  interface GlobalProps {
    mainModule: typeof import("./worker.ts");
  }
}
