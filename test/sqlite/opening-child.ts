/**
 * A process that opens a file, as nobody if it is told to and may become that, and prints why it could not.
 * @module
 */
import { openDatabase } from "../../adapters/sqlite/database.ts";

const [path = "", asNobody] = process.argv.slice(2);
const NOBODY = 65_534;
if (asNobody && process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
try {
  openDatabase(path).database.close();
  console.log("opened");
} catch (error) {
  console.log(String(error));
}
