import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { label } from "./object-ref.ts";

/** relay → `POST /wake`: the scheduler looks again at what is due, whatever became of its own timer (R12). */
export const wakeRequest = z.strictObject({ apiVersion, cluster: label });
export type WakeRequest = z.infer<typeof wakeRequest>;
