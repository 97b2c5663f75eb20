import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepHeapSmall } from "../../adapters/runtime/deno/small-heap.ts";

const collect = vi.fn();
const heap = vi.spyOn(process, "memoryUsage");
const usedMB = (megabytes: number) => heap.mockReturnValue({ ...process.memoryUsage(), heapUsed: megabytes * 1e6 });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("gc", collect);
  collect.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("garbage is collected once there is enough of it, and an idle process collects nothing", () => {
  keepHeapSmall();
  usedMB(14);
  collect.mockImplementationOnce(() => usedMB(12));
  vi.advanceTimersByTime(30_000);
  expect(collect).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(300_000);
  expect(collect).toHaveBeenCalledTimes(1);
  usedMB(14);
  vi.advanceTimersByTime(30_000);
  expect(collect).toHaveBeenCalledTimes(2);
});

test("nothing is done where V8 offers no collection", () => {
  vi.stubGlobal("gc", undefined);
  keepHeapSmall();
  expect(vi.getTimerCount()).toBe(0);
});
