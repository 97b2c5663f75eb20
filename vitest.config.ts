import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** What is tested inside workerd. */
const inWorkerd = ["test/workers/**/*.test.ts", "test/contract/{scheduler-durable-object,kv-cloudflare}.test.ts"];
/** A sequence takes about ten times as long there as on Node. */
const modelSequences = process.env.SLUICE_MODEL_RUNS ? Math.ceil(Number(process.env.SLUICE_MODEL_RUNS) / 10) : 400;
const source = { resolve: { conditions: ["sluice-source"] }, ssr: { resolve: { conditions: ["sluice-source"] } } };

export default defineConfig({
  test: {
    projects: [
      {
        ...source,
        test: {
          name: "node",
          environment: "node",
          include: ["test/**/*.test.ts"],
          // Cluster tests and mutants have a configuration and a script of their own.
          exclude: ["test/cluster/**", "test/lab/mutants.test.ts", "node_modules/**", ...inWorkerd],
          testTimeout: 30_000,
        },
      },
      {
        ...source,
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./test/workers/wrangler.toml" },
            miniflare: { bindings: { MODEL_SEQUENCES: modelSequences } }, // there is no environment inside
          }),
        ],
        test: { name: "workers", include: inWorkerd, testTimeout: 30_000 },
      },
    ],
  },
});
