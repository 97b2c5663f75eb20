import { stripVTControlCharacters } from "node:util";

/**
 * Breaks a line at its blanks where it is wider than the terminal; what follows is indented below its text. A word that is
 * wider on its own stays whole, and so does what is no wider.
 * @param columns Infinity for no terminal.
 * @param hang how far the lines after the first are indented.
 */
export function wrap(line: string, columns: number, hang = 0): string[] {
  const width = (text: string) => stripVTControlCharacters(text).length;
  if (width(line) <= columns) return [line];
  const lines: string[] = [];
  const [indent = ""] = /^ */.exec(line) ?? [];
  let current = indent;
  for (const word of line.slice(indent.length).split(" ")) {
    const isFirst = current.trim() === "";
    if (!isFirst && width(`${current} ${word}`) > columns) {
      lines.push(current.trimEnd());
      current = " ".repeat(hang) + word;
    } else current += isFirst ? word : ` ${word}`;
  }
  return [...lines, current];
}
