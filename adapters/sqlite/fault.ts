/** SQLite's primary result codes that a person can do something about. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

const NOT_WRITABLE = "this process may not write it";

/** A file that a scheduler made and that cannot be used any more: {@link renewEpoch} replaces it. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";

  constructor(path: string, why: string, options?: ErrorOptions) {
    super(
      `${path} is damaged: ${why}. Run "npx sluice store new-epoch ${path}": it moves the file aside and creates a new one, and every relay then triggers everything once`,
      options,
    );
  }
}

/** SQLite's error as one that names the file, and says what to do about it. */
export function faultOf(path: string, error: unknown, what = "cannot be the scheduler's file"): Error {
  if (error instanceof DamagedFile) return error;
  if (codeOf(error) === CORRUPT) return new DamagedFile(path, textOf(error), { cause: error });
  return new Error(`${path} ${what}: ${reasonOf(error)}`, { cause: error });
}

/** Whether SQLite finds that the file is no database at all. */
export const isNoDatabase = (error: unknown): boolean => codeOf(error) === NOTADB;

function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === "EACCES" || code === "EROFS" || code === "EPERM") return NOT_WRITABLE;
  switch (codeOf(error)) {
    case BUSY:
    case LOCKED:
      return "it is in use by another process";
    case READONLY:
      return NOT_WRITABLE;
    case IOERR:
      return `the disk cannot be read or written (${textOf(error)}, code ${extendedCodeOf(error)})`;
    case FULL:
      return "the disk is full";
    case CANTOPEN:
      return "it cannot be opened: its folder must exist, and this process must be allowed to write there";
    case NOTADB:
      return "it is not a database. If it was the scheduler's, move it aside: the next start creates a new one";
    default:
      return textOf(error);
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function extendedCodeOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === "number" ? errcode : undefined;
}

/** The primary code: the low byte of an extended one. */
function codeOf(error: unknown): number | undefined {
  const code = extendedCodeOf(error);
  return code === undefined ? undefined : code & 0xff;
}
