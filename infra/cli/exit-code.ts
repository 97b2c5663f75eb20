/** Something on the command line or in the settings is wrong: exit code 2, as a shell's own commands answer. */
export const WRONG_USAGE = 2;

/** Runs a command and says on stderr what is wrong. @returns 0, 1 for a failure, 2 for a wrong setting. */
export async function exitCodeOf(command: () => Promise<unknown>): Promise<number> {
  try {
    await command();
    return 0;
  } catch (error) {
    console.error(`error: ${(error as Error).message}`);
    return error instanceof TypeError ? WRONG_USAGE : 1;
  }
}
