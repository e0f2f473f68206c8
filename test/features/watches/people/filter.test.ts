/** Which posts a watch reads at all: patterns, questions, hours, and options as people type them. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { english } from "../../../../src/i18n/say.ts";
import {
  containsPattern,
  isQuestion,
  isWatchedPost,
  isWithinHours,
} from "../../../../src/features/watches/people/filter.ts";
import { peopleOptions } from "../../../../src/features/watches/people/options.ts";
import type { PeopleSource } from "../../../../src/features/watches/store/watches.ts";

const sourceOf = (typed: string): PeopleSource => {
  const read = peopleOptions(typed);
  if (read.kind !== "source") throw new Error(read.why(english));
  return read.source;
};

describe("a pattern", () => {
  it.each([
    ["The build is broken", "build*broken", true],
    ["Broken is the build", "build*broken", false],
    ["ERROR 500", "error", true],
    ["no", "yes*", false],
  ])("in %j: %s is %s", (text, pattern, found) => {
    expect(containsPattern(text.toLowerCase(), pattern)).toBe(found);
  });

  it("is found where its parts stand in order, whatever is between them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-c]{1,3}$/), { minLength: 1 }),
        fc.string(),
        (parts, between) => containsPattern(parts.join(between).toLowerCase(), parts.join("*")),
      ),
    );
  });
});

describe("a question", () => {
  it.each(["Why?", "¿Por qué?", "どうして動かないのですか。", "怎么办？", "see https://a.example/x?"])(
    "%s",
    (text) => {
      expect(isQuestion(text)).toBe(true);
    },
  );

  it.each(["It works.", "https://a.example/x?y=1 is down", "`a ? b : c`", "```x?```"])("not: %s", (text) => {
    expect(isQuestion(text)).toBe(false);
  });
});

describe("working hours", () => {
  const hours = { from: 9, until: 17, zone: "Europe/Berlin" };
  it.each([
    ["2026-11-30T08:00:00Z", true],
    ["2026-11-30T07:59:00Z", false],
    ["2026-11-30T16:00:00Z", false],
    ["2026-07-06T07:00:00Z", true],
    ["2026-11-28T10:00:00Z", false],
  ])("%s: %s", (at, isOpen) => {
    expect(isWithinHours(hours, Date.parse(at))).toBe(isOpen);
  });
});

describe("options", () => {
  it("are read in any order", () => {
    expect(
      sourceOf(
        'only questions with crash with "build broke" without *joke* from <!subteam^S0123456|@devs> hours 9-17 Europe/Berlin in #inc-* posts 5 looks 0.50 notify owners',
      ),
    ).toEqual({
      kind: "people",
      with: ["crash", "build broke"],
      without: ["*joke*"],
      onlyQuestions: true,
      from: "S0123456",
      hours: { from: 9, until: 17, zone: "Europe/Berlin" },
      incidents: "inc-",
      notifyOwners: true,
      postsPerHour: 5,
      lookBudget: 500_000,
    });
  });

  it("are none by default", () => {
    const source = sourceOf("");
    expect(isWatchedPost(source, "anything", 0)).toBe(true);
    expect(source).toMatchObject({ postsPerHour: 60, lookBudget: 1_000_000, from: null });
  });

  it.each([
    "with",
    "with *",
    "only jokes",
    "hours 17-9 UTC",
    "hours 9-17 Mars",
    "in #inc",
    "posts 0",
    "from devs",
    "sudo",
  ])("%s is asked back", (typed) => {
    const read = peopleOptions(typed);
    expect(read.kind === "unclear" ? read.why(english) : read).toMatch(/I did not understand/);
  });

  it("end with an answer for any words, such as names of methods", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype), "with", "hours", "a*"),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const read = peopleOptions(words.join(" "));
        expect(read.kind === "unclear" ? read.why(english) : read.source.kind).toMatch(/understand|people/);
      }),
    );
  });
});
