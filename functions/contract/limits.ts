/**
 * The limits of the wire (X3, S9). An error that a limit causes names it.
 * @module
 */

/** Most bytes in a request body. A full batch of triggers with the longest names is about 450 kB. */
export const MAX_BODY_BYTES = 1_048_576;

/** Most triggers in one batch (R5: a larger outbox goes in several). */
export const MAX_TRIGGERS = 500;

/** Deepest nesting of a JSON body. The deepest message of ours is 5 levels deep. */
export const MAX_DEPTH = 32;

/** Longest delay that the scheduler keeps, 180 days in milliseconds (S9). Longer ones are cut to it. */
export const MAX_DELAY_MS: number = 180 * 24 * 60 * 60 * 1000;

/** Longest error text that an answer carries, in characters. */
export const MAX_ERROR_LENGTH = 1024;

/** How far a signature's timestamp may be from now, in seconds: the tolerance of Standard Webhooks 1.0.0. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** Longest run, 15 minutes in milliseconds: as long as an alarm of a Durable Object may take. */
export const MAX_RUN_MS: number = 15 * 60 * 1000;

/** Most bytes of a request on the gateway: what the API server itself takes (`MaxRequestBodyBytes`). */
export const MAX_GATEWAY_BODY_BYTES: number = 3 * 1024 * 1024;

/** Most objects in one request to `/map`. */
export const MAX_MAP_OBJECTS = 50;

/** Most bytes of a request to `/map`: one object of the largest size that the API server takes, as JSON. */
export const MAX_MAP_BYTES: number = 4 * 1024 * 1024;

/** Deepest nesting of a request to `/map`: a CustomResourceDefinition has some 60 levels where its schema nests deep. */
export const MAX_MAP_DEPTH = 128;

/** Most keys that one object may lead to by code. */
export const MAX_MAP_KEYS = 1_000;

/** Most bytes of a part of a checkpoint, and of its index (R7). Deno KV keeps values of up to 64 KiB. */
export const MAX_PART_BYTES: number = 48 * 1024;

/** Most parts of a checkpoint: their names leave a quarter of an index for what else is in it. */
export const MAX_CHECKPOINT_PARTS = 1_000;
