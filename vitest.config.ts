import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["sluice-source"] },
  ssr: { resolve: { conditions: ["sluice-source"] } },
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    // Each has a configuration and a script of its own.
    exclude: ["test/cluster/**", "test/lab/mutants.test.ts", "node_modules/**"],
    testTimeout: 30_000,
  },
});
