/**
 * The smallest process with steps, for the test of `spawnProcess`: does one thing three times, and says so.
 * @module
 */
import { ipcSteps } from "./child-steps.ts";

const steps = ipcSteps();
for (const round of [1, 2, 3]) {
  console.log(`before ${round}`);
  await steps.reach("first write done");
  console.log(`after ${round}`);
}
