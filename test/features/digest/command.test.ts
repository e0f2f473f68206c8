/** The words of `digest`, and those that only look like it. */

import { expect, it } from "vitest";
import { chatCommands } from "../../../src/app/commands.ts";

it.each([
  ["digest", null],
  ["Digest on", { what: "on", channel: null }],
  ["digest on <#C0123ABC|help>", { what: "on", channel: "C0123ABC" }],
  ["digest off 165511591545143296", { what: "off", channel: "165511591545143296" }],
  ["digest now.", { what: "now" }],
])("%s", (text, asked) => {
  expect(chatCommands.parse(text)).toMatchObject({ order: { command: "digest", asked } });
});

it.each(["digest of the week", "digest on #general", "digest now please"])(
  "%s is no command by accident",
  (text) => {
    expect(chatCommands.parse(text)).toEqual({ kind: "message" });
  },
);
