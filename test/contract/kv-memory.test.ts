import { createMemoryKeyValue } from "../../adapters/kv/memory.ts";
import { testKeyValue } from "./kv.case.ts";

testKeyValue(() => ({ open: createMemoryKeyValue, reopen: createMemoryKeyValue, cleanUp() {} }), {
  durable: false,
  stalenessMs: 0,
});
