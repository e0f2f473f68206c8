import { describe, expect, it } from "vitest";
import { marksOf, needsSecondReading, RULES } from "./rules.ts";

/** Each rule with a sentence that it marks, and the same fact said plainly. */
const PAIRS: readonly (readonly [rule: string, marked: string, plain: string])[] = [
  [
    "clause for a noun",
    "What is hidden in a tree has a separate file.",
    "The search for unparsed code has a separate file.",
  ],
  [
    "clause for a noun",
    "Only the code is kept of what an issuer returns.",
    "Only the issuer's error code is kept.",
  ],
  [
    "clause for a noun",
    "The host stops; what runs now is ended.",
    "The host stops and ends all running calls.",
  ],
  ["unusual order", "Of the place or of the default", "Language of the channel, or the default"],
  [
    "unusual order",
    "Looked at are the answers of the last 90 days.",
    "Parley rechecks answers of the last 90 days.",
  ],
  [
    "pronoun without a noun",
    "Its password, if the address has none.",
    "Database password, if `PARLEY_DATABASE` contains none.",
  ],
  [
    "too long",
    "The host reads the file, and if the file is absent, then the host asks whether the operator, who wrote the settings, wants the default that an earlier version used when nothing was set.",
    "The host reads the file. If the file is absent, the host uses the default.",
  ],
  [
    "missing verb",
    "`since`: of the first message in the thread.",
    "`since`: the first message in the thread is newer.",
  ],
];
const WEAK: readonly (readonly [rule: string, marked: string])[] = [
  ["where for if", "Null where there is no such row yet."],
  ["plain word for a term", "The person is told about the result."],
  ["nobody for a role", "The answer waits until somebody decides."],
  ["exception", "Every match is masked but for the header."],
  ["bookish word", "The index is built anew each night."],
  ["two colons", "Two modes: one reads; the other writes."],
];

describe("sentences that need a second reading", () => {
  it.each(PAIRS)("%s: marks one wording and not the other", (rule, marked, plain) => {
    expect(marksOf(marked)).toContain(rule);
    expect(needsSecondReading(marked)).toBe(true);
    expect(marksOf(plain)).toEqual([]);
  });

  it.each(WEAK)("%s: one weak mark does not count a sentence, and two do", (rule, marked) => {
    expect(marksOf(marked)).toEqual([rule]);
    expect(needsSecondReading(marked)).toBe(false);
    const [, other = ""] = WEAK.find(([name]) => name !== rule) ?? [];
    expect(needsSecondReading(`${marked.slice(0, -1)}, and ${other}`)).toBe(true);
  });

  it("have an example for each rule", () => {
    const shown = new Set([...PAIRS, ...WEAK].map(([rule]) => rule));
    expect(RULES.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it("leave indirect questions alone", () => {
    expect(marksOf("The error says what is missing from the file.")).toEqual([]);
  });
});
