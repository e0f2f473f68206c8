/** The words of `review`, and its place in lists. */

import { expect, it } from "vitest";
import { typedOf } from "../../../adapters/discord/read/visible.ts";
import { chatCommands } from "../../../src/app/commands.ts";

const SELF = "1".repeat(18);
const CHANNEL = "2".repeat(18);

it("a channel in a Discord message keeps its id", () => {
  const typed = typedOf({ content: `<@${SELF}> review on <#${CHANNEL}>` }, { isSelf: (id) => id === SELF });
  expect(chatCommands.parse(typed)).toMatchObject({
    order: { command: "review", asked: { what: "on", channel: `#${CHANNEL}` } },
  });
});

it("is listed before watches", () => {
  const names = chatCommands.menu.map(({ name }) => name);
  expect(names[names.indexOf("review") + 1]).toBe("watches");
});
