/** A value is a secret if it has letters and digits and is neither a placeholder nor a program's expression. */

import type { Finder } from "./scan.ts";

/** Every text with such a name contains one of these. */
const NAME_HINTS: readonly string[] = ["ass", "ASS", "ecret", "ECRET", "oken", "OKEN", "ey", "EY"];

/** `name`: a pattern. `least`: minimum number of characters of a value. */
const named = (name: string, least: number, flags: string): RegExp =>
  new RegExp(
    `(${name}["'\`]?[ \\t]{0,8}(?:=>|:=|[=:])[ \\t]{0,8}(["'\`]?))` +
      `(?:(?<=["'\`])([!#%&(-;=?-[\\]-_a-z|~]{${least},256})(?=\\2)|(?<!["'\`])([\\w!#*+/=@^~-]{${least},256})(?![\\w!#*+/=@^~.:()[{}$<>%&?|\\\\-]))`,
    flags,
  );

/** Markdown may escape the mark between parts of a name. */
const JOINT = String.raw`\\?[-_]?`;

const NAMED: readonly RegExp[] = [
  named("pass(?:word|wd|phrase)", 8, "gi"),
  named(
    `(?:api|access|secret|private|signing|encryption|shared|client|consumer|auth|refresh|session|webhook|deploy|master)${JOINT}(?:key|token|secret)(?:${JOINT}base)?`,
    16,
    "gi",
  ),
  // Only in capitals, because the lower-case words name variables in programs.
  named("(?:TOKEN|SECRET)", 16, "g"),
];

/** The names are kept. */
export const NAMED_FINDERS: readonly Finder[] = NAMED.map((pattern) => ({
  hints: NAME_HINTS,
  pattern,
  part: ([, before = "", , quoted, bare]) => {
    const value = quoted ?? bare ?? "";
    return isSecret(value) ? { start: before.length, end: before.length + value.length } : null;
  },
}));

const isSecret = (value: string): boolean =>
  /[A-Za-z]/.test(value) && /\d/.test(value) && !PLACEHOLDER.test(value);

/** Placeholders of documentation, values that a program reads elsewhere, names of types and of standards. */
const PLACEHOLDER =
  /^(?:your|my|change|replace|insert|enter|example|placeholder|dummy|fake|test|some|the|process|env|os|config|settings|vault|arn|urn|https?)(?:[-_.:]|$)|^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array$|example|changeme|placeholder|redacted|x{4}|\.{3}|\*{3}/i;
