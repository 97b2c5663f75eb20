import { compounds } from "./compound-constructs.ts";
import type { Construct } from "./construct.ts";
import { defaults } from "./default-constructs.ts";
import { formats } from "./format-constructs.ts";
import { patterns } from "./pattern-constructs.ts";
import { scalars } from "./scalar-constructs.ts";

/** Every construct of zod that a custom resource may use. */
export const constructs: readonly Construct[] = [...scalars, ...formats, ...patterns, ...compounds, ...defaults];
