/** A text that is posted without a click commands no bot and notifies nobody. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { quietText } from "../../../../src/features/forge/api/quiet-text.ts";

const pieces = fc.array(
  fc.constantFrom(
    "@",
    "org/everyone",
    "dependabot merge",
    "/",
    "deploy prod",
    "\n",
    "\r",
    "> ",
    "- ",
    "`",
    " ",
    "1. ",
    "&#64;",
  ),
  { maxLength: 30 },
);

it("contains no mention, and no line that begins with a command", () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = quietText(parts.join(""));
      expect(text).not.toMatch(/@[^\s\u200b]|&#64;/);
      for (const line of text.split(/[\r\n]/)) expect(line).not.toMatch(/^[\s>*+`-]*(?:1\. *)?\/\S/);
      expect(text).toMatch(/^Parley:\n\n/);
    }),
  );
});

it.each([
  ["@dependabot merge", "@\u200bdependabot merge"],
  ["Done.\n/deploy prod", "Done.\n\u200b/deploy prod"],
  ["Ask @org/everyone.", "Ask @\u200borg/everyone."],
  ["The path src/a.ts is fixed: 1 @ 2.", "The path src/a.ts is fixed: 1 @ 2."],
])("%j", (given, shown) => {
  expect(quietText(given)).toBe(`Parley:\n\n${shown}`);
});
