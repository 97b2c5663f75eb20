import { parseArgs } from "node:util";

export type Options = {
  /** A real cluster; without it an API server in memory. */
  kubeconfig?: string;
  json: boolean;
  help: boolean;
};

export const USAGE = `npm run demo -- [--kubeconfig FILE] [--json] [--help]

  --kubeconfig FILE  use this cluster, in a namespace of the lab's own that it removes; else an API server in memory
  --json             print nothing but the report, as JSON
  --help             print this

The folder for temporary files is TMPDIR, or the system's.

Exit code 0: every claim holds. 1: it names each claim that is false, the right it lacks, or what it could not remove.
2: the command line, the kubeconfig or TMPDIR is wrong; a server that does not answer or refuses the credentials is a
wrong kubeconfig.`;

/** The command line is wrong, or names something that cannot be used. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * @param argv without the program's name.
 * @throws UsageError that names the option.
 */
export function optionsOf(argv: readonly string[]): Options {
  const { kubeconfig, json, help } = parsed(argv);
  if (kubeconfig === "") throw new UsageError("--kubeconfig: needs a file");
  return { ...(kubeconfig !== undefined && { kubeconfig }), json, help };
}

function parsed(argv: readonly string[]) {
  try {
    const options = {
      kubeconfig: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    } as const;
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
