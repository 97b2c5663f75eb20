import * as z from "zod";

/** The version that stands in every body on the wire. */
export const API_VERSION = "sluice.dev/v1";

export const apiVersion: z.ZodLiteral<typeof API_VERSION> = z.literal(API_VERSION);
