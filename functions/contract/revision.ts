import * as z from "zod";

/** A hash of code and declaration; short, since it stands in each trigger of a full batch. */
export const revision = z.string().min(1).max(64);
