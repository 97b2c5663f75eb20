declare namespace Cloudflare {
  interface Env {
    STORAGE: DurableObjectNamespace;
    SLUICE_KV: KVNamespace;
  }
}
