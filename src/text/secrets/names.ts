/**
 * Values without a form of their own whose name says that they are secret, as `.env` files, compose files and
 * configuration in JSON and YAML have them. A value counts that has letters and digits, is no placeholder and no
 * expression of a program. Pure.
 */

import type { Finder } from "./scan.ts";

/** One of these is in every text with such a name. */
const NAME_HINTS: readonly string[] = ["ass", "ASS", "ecret", "ECRET", "oken", "OKEN", "ey", "EY"];

/** `name` is a pattern, `least` the characters of a value. */
const named = (name: string, least: number, flags: string): RegExp =>
  new RegExp(
    `(${name}["'\`]?[ \\t]{0,8}(?:=>|:=|[=:])[ \\t]{0,8}(["'\`]?))` +
      `(?:(?<=["'\`])([!#%&(-;=?-[\\]-_a-z|~]{${least},256})(?=\\2)|(?<!["'\`])([\\w!#*+/=@^~-]{${least},256})(?![\\w!#*+/=@^~.:()[{}$<>%&?|\\\\-]))`,
    flags,
  );

/** A word of Markdown may be escaped between its parts. */
const JOINT = String.raw`\\?[-_]?`;

const NAMED: readonly RegExp[] = [
  named("pass(?:word|wd|phrase)", 8, "gi"),
  named(
    `(?:api|access|secret|private|signing|encryption|shared|client|consumer|auth|refresh|session|webhook|deploy|master)${JOINT}(?:key|token|secret)(?:${JOINT}base)?`,
    16,
    "gi",
  ),
  // In capitals alone: in programs the plain words name variables.
  named("(?:TOKEN|SECRET)", 16, "g"),
];

/** The names stay. */
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

/** What stands in documentation, what a program reads elsewhere, names of types and of standards. */
const PLACEHOLDER =
  /^(?:your|my|change|replace|insert|enter|example|placeholder|dummy|fake|test|some|the|process|env|os|config|settings|vault|arn|urn|https?)(?:[-_.:]|$)|^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array$|example|changeme|placeholder|redacted|x{4}|\.{3}|\*{3}/i;
