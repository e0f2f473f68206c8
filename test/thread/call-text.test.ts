/** Calls in words: what was done and what is being done, short, whatever the model gave. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callDoing, callTitle, type DisplayedCall } from "../../src/thread/call-text.ts";
import { english } from "../../src/i18n/say.ts";
import { looks } from "../looks.ts";

const shown = (name: string, input: unknown): DisplayedCall => ({ look: looks(name), name, input });

describe("a call in words", () => {
  it.each([
    ["bash", { command: "npm test" }, "Ran npm test", "running npm test"],
    ["bash", { command: "cat a\ncat b" }, "Ran cat a…", "running cat a…"],
    [
      "keyword_search",
      { search_terms: ["retry", "backoff"] },
      "Searched for retry, backoff",
      "searching for retry, backoff",
    ],
    ["patch", { path: "src/a.ts" }, "Changed src/a.ts", "changing src/a.ts"],
    ["read_issue", { number: 4 }, "Read issue 4", "reading issue 4"],
    ["think", {}, "Thought", "thinking"],
    ["of_mine", { any: 1 }, "Used of_mine", "using of_mine"],
    ["constructor", null, "Used constructor", "using constructor"],
  ])("%s with %j", (name, input, past, now) => {
    expect(callTitle(shown(name, input))).toBe(past);
    const { verb, object } = callDoing(shown(name, input));
    expect(english(verb, { object: object === "" ? name : object })).toBe(now);
  });

  it("is one short line", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.anything(),
        fc.string({ unit: "binary", maxLength: 300 }),
        (name, input, command) => {
          for (const given of [input, { command }]) {
            expect(callTitle(shown("bash", given))).toMatch(/^.{0,60}$/su);
            // Code on a host's line spells each other line end (WG5).
            expect(callDoing(shown("bash", given)).object).not.toContain("\n");
            callTitle(shown(name, given));
          }
        },
      ),
    );
  });
});
