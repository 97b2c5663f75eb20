import { defineConfig } from "vitest/config";

export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  resolve: { conditions: ["sluice-source"] },
  ssr: { resolve: { conditions: ["sluice-source"] } },
  test: {
    environment: "node",
    include: ["test/cluster/**/*.test.ts"],
    globalSetup: ["test/cluster/global-setup.ts"],
    // One API server and two cores: files side by side would only slow each other down.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
