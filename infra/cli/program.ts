import { Command, CommanderError } from "commander";
import { exitCodeOf, WRONG_USAGE } from "./exit-code.ts";
import { newEpoch } from "./new-epoch.ts";
import { relay } from "./relay.ts";

function createProgram(version: string): Command {
  const program = new Command("sluice")
    .description("Kubernetes reconcilers as serverless functions.")
    .version(version)
    .showHelpAfterError("Run it with --help to see what it takes.");

  program
    .command("relay")
    .description("watch a cluster and trigger the functions, until SIGTERM")
    .option("--kubeconfig <file>", "default: KUBECONFIG, then the Pod's service account, then ~/.kube/config")
    .option("--ingress <url>", "where the functions are (or SLUICE_INGRESS)")
    .option("--cluster <name>", "the cluster's name, as the functions know it (or SLUICE_CLUSTER)")
    .option("--gateway-port <port>", "let functions reach the API server through here (or SLUICE_GATEWAY_PORT)")
    .option("--service-account <namespace/name>", "who functions are then in the cluster (or SLUICE_SERVICE_ACCOUNT)")
    .addHelpText(
      "after",
      "\nSLUICE_SECRET holds what requests are signed with; several, with blanks between, while one is being replaced.",
    )
    .action(relay);

  program
    .command("store")
    .description("look after a scheduler's file")
    .command("new-epoch")
    .argument("<file>", "the scheduler's file, while nothing else has it open")
    .description("make every relay trigger everything once: due after an older copy of the file was put back")
    .action(newEpoch);
  return program;
}

/**
 * Runs one command line, and says what is wrong on stderr.
 * @param argv without the program's name.
 * @returns the exit code: 0, 1 for a failure, 2 for wrong usage.
 */
export async function run(argv: readonly string[], version: string): Promise<number> {
  const program = createProgram(version);
  everyCommand(program, (command) => command.exitOverride());
  let said: number | undefined;
  const code = await exitCodeOf(async () => {
    try {
      await program.parseAsync(argv, { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // Commander has said it already; help and version come this way, too.
      said = error.exitCode === 0 ? 0 : WRONG_USAGE;
    }
  });
  return said ?? code;
}

function everyCommand(command: Command, act: (command: Command) => void): void {
  act(command);
  for (const inner of command.commands) everyCommand(inner, act);
}
