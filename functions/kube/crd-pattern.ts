/**
 * The API server's regular expressions are Go's (RE2): no lookaround, no back-references, and some escapes written
 * otherwise. https://github.com/google/re2/wiki/Syntax
 */
export type GoPattern = { pattern: string } | { problem: string };

const escapes = /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]+)\}|x[0-9a-f]{2}|([pP])\{([^}]*)\}|(.))/gis;
const goLetters = "dDsSwWbBtnrfvpP";
const goRepeatLimit = 1000;

/**
 * A JavaScript regular expression as Go reads it, its flags included, or why it has no such form.
 * @example goPattern(/^\u00e4/i) // { pattern: "(?i)^\\x{00e4}" }
 */
export function goPattern(regex: RegExp): GoPattern {
  const problems: string[] = [];
  if (/[vy]/.test(regex.flags)) problems.push(`the flag ${/[vy]/.exec(regex.flags)?.[0]}`);

  const pattern = regex.source.replace(escapes, (text, short, braced, property, name, character) => {
    const code = short ?? braced;
    if (code !== undefined) {
      const point = Number.parseInt(code, 16);
      if (point >= 0xd800 && point <= 0xdfff) problems.push(`the surrogate ${text}`);
      return `\\x{${code}}`;
    }
    if (property !== undefined && !/^[A-Z][a-z]?$/.test(name)) problems.push(`the property ${text}`);
    else if (/[1-9k]/.test(character ?? "")) problems.push(`the back-reference ${text}`);
    else if (/[a-z0]/i.test(character ?? "") && !goLetters.includes(character)) problems.push(`the escape ${text}`);
    return text;
  });

  // What stays once escapes and the content of classes are gone is syntax.
  const syntax = regex.source.replace(/\\./gs, "_").replace(/\[(?!\^?\])[^\]]+\]/g, "_");
  const lookaround = /\(\?<?[=!]/.exec(syntax);
  if (lookaround) problems.push(`the lookaround ${lookaround[0]}`);
  if (/\[\^?\]/.test(syntax)) problems.push("the empty class");
  for (const [text, low, high] of syntax.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    if (Math.max(Number(low), Number(high || 0)) > goRepeatLimit)
      problems.push(`the repetition ${text}, over ${goRepeatLimit}`);

  if (problems[0] !== undefined) return { problem: problems[0] };
  const flags = regex.flags.replace(/[^ims]/g, "");
  return { pattern: flags === "" ? pattern : `(?${flags})${pattern}` };
}
