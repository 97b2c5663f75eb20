import * as z from "zod";
import { apiVersion } from "./api-version.ts";

/** `200` of a PUT: it is stored under this name. */
export const checkpointAnswer = z.object({ apiVersion, part: z.string() });
export type CheckpointAnswer = z.infer<typeof checkpointAnswer>;
