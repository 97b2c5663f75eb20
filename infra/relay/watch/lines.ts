/** Longest line that is put together, in characters. The API server takes requests of 3 MB; escapes may double them. */
export const MAX_LINE_LENGTH: number = 16 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines. Chunks may end anywhere, inside a character too; what follows the last newline waits
 * for the next chunk, and is not a line when there is none.
 * @example
 * const lines = createLines();
 * for (const line of lines.push(chunk)) handle(JSON.parse(line));
 */
export function createLines(): { push(chunk: Uint8Array): string[] } {
  const decoder = new TextDecoder();
  // Joined only once the line is whole: adding to a text chunk by chunk would copy a long line many times over.
  let parts: string[] = [];
  let length = 0;
  return {
    /** @throws RangeError for a line longer than {@link MAX_LINE_LENGTH}. */
    push(chunk) {
      const lines: string[] = [];
      const text = decoder.decode(chunk, { stream: true });
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        const piece = text.slice(from, end);
        const line = parts.length === 0 ? piece : parts.join("") + piece;
        if (line !== "") lines.push(line);
        parts = [];
        length = 0;
        from = end + 1;
      }
      if (from < text.length) {
        parts.push(text.slice(from));
        length += text.length - from;
        if (length > MAX_LINE_LENGTH) throw new RangeError(`a line is longer than ${MAX_LINE_LENGTH} characters`);
      }
      return lines;
    },
  };
}
