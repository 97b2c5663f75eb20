import { createMemoryScheduler } from "../../adapters/scheduler/memory.ts";
import type { Scheduler } from "../../functions/ports/index.ts";
import { testScheduler } from "./scheduler.case.ts";

testScheduler(
  () => {
    let scheduler: Scheduler | undefined;
    return {
      open: (options) => {
        scheduler = createMemoryScheduler(options);
        return scheduler;
      },
      crash() {},
      cleanUp: () => scheduler?.close(),
    };
  },
  { durable: false, timer: "platform" },
);
