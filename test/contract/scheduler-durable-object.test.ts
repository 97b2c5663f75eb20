import { openDurableObjectScheduler } from "../../adapters/scheduler/durable-object.ts";
import { ObjectUnderTest } from "../workers/object-under-test.ts";
import { withinObject } from "../workers/within-object.ts";
import { testScheduler } from "./scheduler.case.ts";

// Inside a Durable Object of workerd, on its SQLite; the alarm is the virtual clock's.
let object: ObjectUnderTest;

testScheduler(
  () => ({
    remoteRuns: true,
    open: (options) => object.open(options),
    crash: () => object.crash(),
    cleanUp: () => object.crash(),
  }),
  { durable: true, timer: "platform" },
  (run) =>
    withinObject((storage) => {
      object = new ObjectUnderTest(storage, openDurableObjectScheduler);
      return run();
    }),
);
