import { keyOf, MAX_PART_BYTES, type Trigger } from "../../../functions/contract/index.ts";
import type { WatchPlan } from "../plan/plan.ts";
import type { ObjectRecord } from "../store/record.ts";
import { bytesOf, hashOf, longHashOf, partition } from "./partition.ts";
import type { CheckpointState, SavedWatch } from "./state.ts";

/**
 * A relay's state as texts, and back. Pure. What changes with every event, the cursors, is in none of the parts.
 * @module
 */

/** Another one means: what is stored cannot be read. Must change with the meaning of any field of a record. */
export const FORMAT = 2;

/** A record as it is written; the number of its list means nothing after a restart. */
type Fields = [
  uid: string,
  version: string,
  generation: string,
  names?: ObjectRecord["names"],
  fields?: ObjectRecord["fields"],
  writers?: ObjectRecord["writers"],
  values?: ObjectRecord["values"],
  unmapped?: readonly number[],
];

type Row = { hash: number; size: number } & (
  | { in: "plans"; plan: WatchPlan }
  | { in: "pending"; trigger: Trigger }
  | { in: "records"; watch: string; id: string; record: Readonly<ObjectRecord> }
);
type Part = { plans: WatchPlan[]; pending: Trigger[]; records: [watch: string, id: string, ...Fields][] };

/** Where each watch stands, in the order of their plans' ids. */
export type Position = { cursor?: string | undefined; listed: boolean; fresh: boolean };

export type Encoded = {
  positions: Position[];
  /** Each part's text, made as it is asked for. */
  parts: readonly { text(): string }[];
};

const EMPTY: Part = { plans: [], pending: [], records: [] };
const ROOM = MAX_PART_BYTES - bytesOf(JSON.stringify(EMPTY));
const NONE: readonly never[] = Object.freeze([]);

/** The same state makes the same parts, in whatever order it was collected. */
export function encode({ watches, pending }: Pick<CheckpointState, "watches" | "pending">): Encoded {
  const rows: Row[] = [];
  const add = (key: string, row: Omit<Row, "hash" | "size">): boolean => {
    const size = bytesOf(JSON.stringify(written(row as Row))) + 1;
    if (size > ROOM) return false;
    rows.push({ ...row, hash: hashOf(key), size } as Row);
    return true;
  };
  const positions: Position[] = [];
  for (const { plan, cursor, listed, fresh, records } of [...watches].sort((a, b) => compare(a.plan.id, b.plan.id))) {
    // A watch that is not saved is one that a restart adds.
    if (!add(plan.id, { in: "plans", plan } as Row)) continue;
    // Short, since it stands in each row, and the same whatever other watches there are.
    const watch = longHashOf(plan.id);
    let whole = true;
    for (const [id, record] of records)
      whole = add(`${watch} ${id}`, { in: "records", watch, id, record } as Row) && whole;
    // An object that is too large to be kept is found by a list, and told of.
    positions.push({ cursor, listed: listed && whole, fresh });
  }
  for (const trigger of pending) add(keyOf({ cluster: "", ...trigger }), { in: "pending", trigger } as Row);
  const parts = partition(rows, ROOM, (a, b) => compare(nameOf(a), nameOf(b)));
  return { positions, parts: parts.map((part) => ({ text: () => textOf(part) })) };
}

/** @throws Error where the parts are not a state's. */
export function decode(
  positions: readonly Position[],
  texts: Iterable<string>,
): Pick<CheckpointState, "watches" | "pending"> {
  const plans: WatchPlan[] = [];
  const pending: Trigger[] = [];
  const records = new Map<string, [string, ObjectRecord][]>();
  for (const text of texts) {
    const part = JSON.parse(text) as Part;
    plans.push(...part.plans);
    pending.push(...part.pending);
    for (const [watch, id, ...fields] of part.records) {
      const found = records.get(watch);
      if (found) found.push([id, recordOf(fields)]);
      else records.set(watch, [[id, recordOf(fields)]]);
    }
  }
  if (plans.length !== positions.length) throw new Error(`${plans.length} plans for ${positions.length} watches`);
  plans.sort((a, b) => compare(a.id, b.id));
  const watches = plans.map((plan, i): SavedWatch => {
    const { cursor, listed, fresh } = positions[i]!;
    const found = records.get(longHashOf(plan.id)) ?? [];
    return { plan, ...(cursor !== undefined && { cursor }), listed, fresh, records: found };
  });
  return { watches, pending };
}

function textOf(rows: readonly Row[]): string {
  const part: Record<keyof Part, unknown[]> = { plans: [], pending: [], records: [] };
  for (const row of rows) part[row.in].push(written(row));
  return JSON.stringify(part);
}

/** A row as it is written. Of most records the lists are empty: those at the end are left out. */
function written(row: Row): unknown {
  if (row.in === "plans") return row.plan;
  if (row.in === "pending") return row.trigger;
  const { uid, version, generation, names, fields, writers, values, unmapped = NONE } = row.record;
  const all: Fields = [uid, version, generation, names, fields, writers, values, unmapped];
  while (all.length > 3 && all.at(-1)?.length === 0) all.pop();
  return [row.watch, row.id, ...all];
}

function recordOf([uid, version, generation = "", ...lists]: Fields): ObjectRecord {
  const [names = NONE, fields = NONE, writers = NONE, values = NONE, unmapped] = lists;
  const waits = unmapped && { unmapped };
  return { uid, version, generation, names, fields, writers, values, ...waits, list: 0 };
}

function nameOf(row: Row): string {
  if (row.in === "plans") return row.plan.id;
  return row.in === "pending" ? keyOf({ cluster: "", ...row.trigger }) : `${row.watch} ${row.id}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
