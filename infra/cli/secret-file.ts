import { readFile } from "node:fs/promises";
import type { Clock, Logger } from "../../functions/ports/index.ts";
import { secretsOf } from "../relay/option-table.ts";

/** How often it is looked at. A kubelet takes a minute or more to pass a changed Secret on. */
export const SECRET_FILE_INTERVAL_MS = 10_000;

/** The secrets of a file, while it changes. */
export type SecretFile = {
  /** Changed in place: whoever signs or verifies with it goes on with the new ones. */
  secrets: string[];
  stop(): void;
};

/**
 * Reads secrets from a file, as `SLUICE_SECRET` has them, and reads it again every 10 s. What cannot be read then changes
 * nothing.
 * @param onSecret told of each one that was not there before, for the log to hide it.
 * @throws TypeError where there is no such file, or something else in it.
 */
export async function followSecretFile(
  file: string,
  { clock, logger, onSecret }: { clock: Clock; logger: Logger; onSecret(secret: string): void },
): Promise<SecretFile> {
  const secrets: string[] = [];
  let trouble: string | undefined;
  let stopped = false;
  let cancel = (): void => {};

  function take(read: readonly string[]): boolean {
    if (read.join() === secrets.join()) return false;
    for (const secret of read) if (!secrets.includes(secret)) onSecret(secret);
    secrets.splice(0, secrets.length, ...read);
    return true;
  }

  async function again(): Promise<void> {
    try {
      if (take(await secretsIn(file))) logger.info("the secrets were replaced", { file, secrets: secrets.length });
      trouble = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== trouble)
        logger.error("the secrets cannot be read again, going on with the old ones", { error: message });
      trouble = message;
    }
    arm();
  }

  function arm(): void {
    if (!stopped) cancel = clock.setTimer(SECRET_FILE_INTERVAL_MS, () => void again());
  }

  take(await secretsIn(file));
  arm();
  return {
    secrets,
    stop() {
      stopped = true;
      cancel();
    },
  };
}

async function secretsIn(file: string): Promise<readonly string[]> {
  const where = `--secret-file (SLUICE_SECRET_FILE) ${file}`;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new TypeError(`${where} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  const secrets = secretsOf(text);
  if (!secrets)
    throw new TypeError(`${where} must hold whsec_ and 24 to 64 bytes in base64, or several with blanks between`);
  return secrets;
}
