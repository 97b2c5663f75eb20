/** Flags, classes and anchors that Go's regular expressions have and JavaScript's have not, or write otherwise. */
const OF_GO = /\(\?[imsU-]+[):]|\(\?P<|\[\[:|\\[AzQEC]|\\p[A-Z]/;
const PERL = /\(\?<?[=!]/;

/** A schema's pattern as a regular expression; undefined where it is none. */
export function patternOf(text: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(text, flags);
    } catch {
      // Without "u" more escapes are allowed, as Go allows them.
    }
  }
  return undefined;
}

/** What is wrong with a pattern, in Go's words; undefined where nothing is. */
export function patternProblem(text: string): string | undefined {
  const fail = (why: string) => `must be a valid regular expression, but isn't: error parsing regexp: ${why}`;
  const perl = PERL.exec(text)?.[0];
  if (perl) return fail(`invalid or unsupported Perl syntax: \`${perl}\``);
  if (patternOf(text) || OF_GO.test(text)) return undefined;
  const open = (text.match(/(?<!\\)\(/g) ?? []).length > (text.match(/(?<!\\)\)/g) ?? []).length;
  return fail(`${open ? "missing closing )" : "invalid pattern"}: \`${text}\``);
}

/** Whether a pattern is one of Go's only, which this server cannot check. */
export function isForeign(text: string): boolean {
  return OF_GO.test(text);
}
