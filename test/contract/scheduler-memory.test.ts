import { createMemoryScheduler } from "../../adapters/scheduler/memory.ts";
import type { Scheduler } from "../../functions/ports/index.ts";
import { testScheduler } from "./scheduler.case.ts";

testScheduler(
  () => {
    let scheduler: Scheduler | undefined;
    const crash = () => scheduler?.close();
    return {
      open: (options) => {
        scheduler = createMemoryScheduler(options);
        return scheduler;
      },
      crash,
      cleanUp: crash,
    };
  },
  { durable: false, timer: "platform" },
);
