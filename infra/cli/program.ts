import { Command, CommanderError } from "commander";
import { newEpoch } from "./new-epoch.ts";
import { relay } from "./relay.ts";

/** Something on the command line or in the settings is wrong: exit code 2, as a shell's own commands answer. */
const WRONG_USAGE = 2;

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
    .option(
      "--service-account <[controller=]namespace/name>",
      "who functions are then in the cluster; repeat it for controllers with an account of their own (or SLUICE_SERVICE_ACCOUNT)",
      (entry: string, entries: readonly string[] = []) => [...entries, entry],
    )
    .option("--gateway-concurrency <n>", "requests of a controller at once, default 32 (or SLUICE_GATEWAY_CONCURRENCY)")
    .option("--gateway-rate <n>", "requests of a controller a second, default 300 (or SLUICE_GATEWAY_RATE)")
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
  try {
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has said it already; help and version come this way, too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    console.error(`error: ${(error as Error).message}`);
    return error instanceof TypeError ? WRONG_USAGE : 1;
  }
}

function everyCommand(command: Command, act: (command: Command) => void): void {
  act(command);
  for (const inner of command.commands) everyCommand(inner, act);
}
