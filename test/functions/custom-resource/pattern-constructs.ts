import * as z from "zod";
import type { Construct } from "./construct.ts";

function row(name: string, regex: RegExp, pattern: string, takes: string[], refuses: string[] = []): Construct {
  return { name, zod: z.string().regex(regex), crd: { type: "string", pattern }, takes, refuses };
}

/** Patterns of the user's, as Go reads them. */
export const patterns: Construct[] = [
  row("patternFlags", /^a.b$/is, "(?is)^a.b$", ["A\nB"], ["ab"]),
  row("patternLines", /^b$/m, "(?m)^b$", ["a\nb"], ["ab"]),
  row("patternStateful", /^b$/g, "^b$", ["b"], ["ab"]),
  row("patternUnicode", /^\u{1f642}+$/u, "^\\x{1f642}+$", ["🙂🙂"], ["a"]),
  row("patternHex", /^\x41\u0042$/, "^\\x41\\x{0042}$", ["AB"], ["ab"]),
  row("patternEscapedBackslash", /^\\u0041$/, "^\\\\u0041$", ["\\u0041"], ["A"]),
  row("patternProperty", /^\p{L}\p{Lu}\P{N}$/u, "^\\p{L}\\p{Lu}\\P{N}$", ["äÄa"], ["ää1"]),
  row("patternClasses", /^[\w.-]+[\d\-_][^\s\]]$/, "^[\\w.-]+[\\d\\-_][^\\s\\]]$", ["a.-1b"], ["a1]"]),
  row("patternDashAfterClass", /^[\w-.]+$/, "^[\\w-.]+$", ["a-b.c"], ["a b"]),
  row("patternSlash", /^a\/b$/, "^a\\/b$", ["a/b"], ["ab"]),
  row("patternNamedGroup", /^(?<year>\d{4})-(?:\d{2})$/, "^(?<year>\\d{4})-(?:\\d{2})$", ["2026-01"], ["2026"]),
  row("patternLazy", /^a*?b+?c??$/, "^a*?b+?c??$", ["aab"], ["c"]),
  row("patternRepeat", /^(?:ab){2,1000}$/, "^(?:ab){2,1000}$", ["abab"], ["ab"]),
  row("patternBraces", /^a{b}$/, "^a{b}$", ["a{b}"], ["a"]),
  row("patternWordBoundary", /\ba\b/, "\\ba\\b", ["b a"], ["ba"]),
  row("patternBracketInClass", /^[[(?=]+$/, "^[[(?=]+$", ["[(?="], ["a"]),
  row("patternEscapedLookalike", /^\(?=a$/, "^\\(?=a$", ["(=a", "=a"], ["a"]),
];

/** Patterns that Go has no form for, and what it lacks. */
export const refusedPatterns: [RegExp, string][] = [
  [/a(?=b)/, "the lookaround (?="],
  [/a(?!b)/, "the lookaround (?!"],
  [/(?<=a)b/, "the lookaround (?<="],
  [/(?<!a)b/, "the lookaround (?<!"],
  [/(a)\1/, "the back-reference \\1"],
  [/(?<x>a)\k<x>/, "the back-reference \\k"],
  [/\cJ/, "the escape \\c"],
  [/\0/, "the escape \\0"],
  [/\ud83d/, "the surrogate \\ud83d"],
  [/\p{Script=Greek}/u, "the property \\p{Script=Greek}"],
  [/\p{Emoji}/u, "the property \\p{Emoji}"],
  // biome-ignore lint/correctness/noEmptyCharacterClassInRegex: refused for that.
  [/[^]/, "the empty class"],
  // biome-ignore lint/correctness/noEmptyCharacterClassInRegex: refused for that.
  [/[]/, "the empty class"],
  [/a{1,1001}/, "the repetition {1,1001}, over 1000"],
  [/a{2000}/, "the repetition {2000}, over 1000"],
  [/[\p{L}--a]/v, "the flag v"],
  [/a/y, "the flag y"],
];
