import { Command, CommanderError } from "commander";
import { exitCodeOf, WRONG_USAGE } from "./exit-code.ts";
import { newEpoch } from "./new-epoch.ts";
import { relayCommand } from "./relay-command.ts";

function createProgram(version: string, signal?: Promise<void>): Command {
  const program = new Command("sluice")
    .description("Kubernetes reconcilers as serverless functions.")
    .version(version)
    .showHelpAfterError("Run it with --help to see what it takes.");

  program.addCommand(relayCommand(version, signal));

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
 * @param signal resolves when a command that runs on is to end; else the command sees to it itself.
 * @returns the exit code: 0, 1 for a failure, 2 for wrong usage.
 */
export async function run(argv: readonly string[], version: string, signal?: Promise<void>): Promise<number> {
  const program = createProgram(version, signal);
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
