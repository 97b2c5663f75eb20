/**
 * S18: logical time for what is due. A wall clock that steps back is made up for, so that logical time never does; one that
 * was put back while nobody looked is seen by what was written later.
 * @module
 */

/** The wall clock when last looked at, and what logical time is ahead of it, in milliseconds. */
export type LogicalTime = { readonly wall: number; readonly offset: number };

/** @param newest the newest instant written in the rows that were loaded. */
export function startTime(wall: number, newest: number): LogicalTime {
  return { wall, offset: Math.max(0, newest - wall) };
}

export function tick(time: LogicalTime, wall: number): LogicalTime {
  return { wall, offset: time.offset + Math.max(0, time.wall - wall) };
}
