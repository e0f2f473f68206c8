/** 40: commands in a Discord message keep the ids of whom they name, as two people may have one name. */

import { expect, it } from "vitest";
import { typedOf } from "../../../../adapters/discord/read/visible.ts";
import { chatCommands } from "../../../../src/app/commands.ts";

const SELF = "1".repeat(18);
const PERSON = "2".repeat(18);
const names = { isSelf: (id: string) => id === SELF };

it.each([
  [`<@${SELF}> approvers add <@${PERSON}>`, "approvers", { add: true, who: `@${PERSON}` }],
  [`<@!${SELF}> approvers remove <@&${PERSON}>`, "approvers", { add: false, who: `@&${PERSON}` }],
])("%s names its person, role or channel by id", (content, command, asked) => {
  expect(chatCommands.parse(typedOf({ content }, names))).toMatchObject({ order: { command, asked } });
});
