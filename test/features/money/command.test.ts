/** The words of `budget`, those that only look like it, and its place in lists. */

import { expect, it } from "vitest";
import { typedOf } from "../../../adapters/discord/read/visible.ts";
import { chatCommands } from "../../../src/app/commands.ts";

const SELF = "1".repeat(18);
const PERSON = "2".repeat(18);

it.each([
  ["budget", null],
  ["/budget channel", null],
  ["budget Channel $20", { of: "channel", dollars: 20 }],
  ["budget workspace none", { of: "server", dollars: "none" }],
  ["budget @U024BE7LH 0.50", { of: { person: "U024BE7LH" }, dollars: 0.5 }],
  ["budget <@123456789012345678> 2.", { of: { person: "123456789012345678" }, dollars: 2 }],
])("%s", (text, asked) => {
  expect(chatCommands.parse(text)).toMatchObject({ order: { command: "budget", asked } });
});

it.each(["budget the work", "budget channel much", "budget day 100", "budget channel -5"])(
  "%s is no command by accident",
  (text) => {
    expect(chatCommands.parse(text)).toEqual({ kind: "message" });
  },
);

it("a mention in a Discord message keeps the id of the person", () => {
  const typed = typedOf({ content: `<@${SELF}> budget <@${PERSON}> 5` }, { isSelf: (id) => id === SELF });
  expect(chatCommands.parse(typed)).toMatchObject({
    order: { command: "budget", asked: { of: { person: PERSON }, dollars: 5 } },
  });
});

it("is listed after the settings of a channel, and before its memory and instructions", () => {
  const names = chatCommands.menu.map(({ name }) => name);
  expect(names.slice(names.indexOf("language"), names.indexOf("instructions") + 1)).toEqual([
    "language",
    "connect",
    "approvers",
    "tools",
    "budget",
    "memory",
    "instructions",
  ]);
});
