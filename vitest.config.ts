import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["sluice-source"] },
  ssr: { resolve: { conditions: ["sluice-source"] } },
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    exclude: ["test/cluster/**", "node_modules/**"],
    testTimeout: 30_000,
  },
});
