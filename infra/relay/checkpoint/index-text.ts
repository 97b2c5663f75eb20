import * as z from "zod";
import {
  API_VERSION,
  type CheckpointIndex,
  checkpointIndex,
  MAX_PART_BYTES,
  revision,
} from "../../../functions/contract/index.ts";
import { longHashOf } from "./partition.ts";
import { FORMAT, type Position } from "./rows.ts";
import type { CheckpointState } from "./state.ts";

/** The relay's part of an index: what changes with every event, and what tells whether the rest can be read. */
const indexState = z.object({
  format: z.literal(FORMAT),
  epoch: z.string().optional(),
  clusterUid: z.string().optional(),
  revision,
  controllers: z.array(z.object({ name: z.string(), revision: revision.optional() })),
  /** In the order of the plans' ids. */
  watches: z.array(z.object({ cursor: z.string().optional(), listed: z.boolean(), fresh: z.boolean() })),
  /** How many keys were not accepted yet. */
  pending: z.int().optional(),
  /** When all parts were last put again, milliseconds since 1970. */
  renewedAt: z.number(),
});
export type IndexState = z.infer<typeof indexState>;

/** An index that was stored, perhaps by another version of the relay. */
export type ReadIndex = {
  holder: string;
  term: number;
  parts: readonly string[];
  retired: readonly string[];
  /** Undefined where it is of another version, or is not what was written. */
  state?: IndexState;
};

const NONE: ReadIndex = { holder: "", term: 0, parts: [], retired: [] };

/** What cannot be read says nothing, but is there. */
export function readIndex(text: string): ReadIndex {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return NONE;
  }
  const found = z.object(checkpointIndex.shape).safeParse(body).data;
  if (!found) return NONE;
  const { sum, ...written } = Object(found.state) as Record<string, unknown>;
  const state = sum === sumOf(found.parts, written) ? indexState.safeParse(written).data : undefined;
  return { ...found, state };
}

/** Parts are named by their content; this holds the index itself to what was written. A cursor that is too new would lose changes. */
function sumOf(parts: readonly string[], state: object): string {
  return longHashOf(JSON.stringify([parts, state]));
}

/** @throws RangeError where there is more than an index can name. */
export function writeIndex(
  of: Omit<CheckpointIndex, "apiVersion" | "state" | "retired"> & { retired: readonly string[]; state: IndexState },
): Uint8Array {
  const encoder = new TextEncoder();
  const state = { ...of.state, sum: sumOf(of.parts, of.state) };
  const bytesOf = (retired: readonly string[]) =>
    encoder.encode(JSON.stringify({ apiVersion: API_VERSION, ...of, retired, state } satisfies CheckpointIndexLike));
  const bytes = bytesOf(of.retired);
  if (bytes.length <= MAX_PART_BYTES) return bytes;
  // Those that are left out end by themselves.
  const least = bytesOf([]);
  if (least.length > MAX_PART_BYTES)
    throw new RangeError(`an index of ${least.length} bytes, at most ${MAX_PART_BYTES}`);
  return bytesOf(of.retired.slice(0, Math.floor((MAX_PART_BYTES - least.length) / 36)));
}

type CheckpointIndexLike = Omit<CheckpointIndex, "retired" | "state"> & {
  retired: readonly string[];
  state: IndexState;
};

export function stateOf(
  { epoch, clusterUid, declared, pending }: CheckpointState,
  positions: readonly Position[],
  renewedAt: number,
): IndexState {
  return {
    format: FORMAT,
    ...(epoch !== undefined && { epoch }),
    ...(clusterUid !== undefined && { clusterUid }),
    revision: declared.revision,
    controllers: declared.controllers.map(({ name, revision }) => ({
      name,
      ...(revision !== undefined && { revision }),
    })),
    watches: [...positions],
    pending: pending.length,
    renewedAt,
  };
}
