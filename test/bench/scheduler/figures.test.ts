import { expect, it } from "vitest";
import { spread } from "../harness/statistics.ts";
import { latencyFigures, lines, loadFigures, neighbourFigures, overLimit, throughputFigures } from "./figures.ts";

const at = (ms: number) => spread([ms]);

it("a store has a column, and a row that one store lacks has a dash there", () => {
  const measured = { acceptedInBatches: 3, acceptedOneByOne: 2, dispatched: 1 };
  const load = { loadMs: 5, rssMiB: 60, peakMiB: 70, heapMiB: 11 };
  const figures = [
    ...throughputFigures("sqlite", measured),
    ...throughputFigures("memory", { ...measured, dispatched: 4 }),
    ...loadFigures(2 ** 10, load, { ...load, heapMiB: 10 }),
  ];
  expect(lines(figures)).toEqual([
    ["", "sqlite", "memory"],
    ["triggers accepted a second, 100 a batch, 4 at once", "3", "3"],
    ["triggers accepted a second, 1 a batch, 64 at once", "2", "2"],
    ["keys accepted, run and settled a second, 64 at once", "1", "4"],
    ["load of 1024 rows, ms", "5", "-"],
    ["RSS / peak / heap of 1024 rows, MiB", "60 / 70 / 11", "-"],
    ["heap a row of 1024 rows, bytes", "1024", "-"],
  ]);
});

it("a change that has not started is told as such, and is over every limit", () => {
  const late = neighbourFigures("hangs", "sqlite", { b: at(Number.POSITIVE_INFINITY) });
  expect(late.map(({ value }) => value)).toEqual(["never / never"]);
  expect(overLimit(late, 1_000_000)).toEqual(late);
});

it("the limit holds changes of the neighbour, and nothing else", () => {
  const [b, a] = neighbourFigures("relists", "sqlite", { b: at(101), a: at(500) });
  const idle = latencyFigures("sqlite", { idleStart: at(300), idleAccepted: at(300), loadedStart: at(300) });
  expect(a?.what).toBe("change of a to start while a relists, p50 / p99 ms");
  expect(overLimit([...idle, b!, a!], 100)).toEqual([b]);
  expect(overLimit([...idle, b!, a!], 101)).toEqual([]);
});
