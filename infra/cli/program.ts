import { Command, CommanderError } from "commander";
import { newEpoch } from "./new-epoch.ts";
import { relayCommand } from "./relay-command.ts";

/** Something on the command line or in the settings is wrong: exit code 2, as a shell's own commands answer. */
const WRONG_USAGE = 2;

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
