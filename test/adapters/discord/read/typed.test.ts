/** 40: commands in a Discord message keep the ids of whom they name, as two people may have one name. */

import { expect, it } from "vitest";
import { typedOf } from "../../../../adapters/discord/read/visible.ts";
import { parseCommand } from "../../../../src/runtime/chat/commands/command.ts";

const SELF = "1".repeat(18);
const PERSON = "2".repeat(18);
const names = { isSelf: (id: string) => id === SELF };

it.each([
  [`<@${SELF}> approvers add <@${PERSON}>`, { kind: "approvers", change: { add: true, who: `@${PERSON}` } }],
  [
    `<@!${SELF}> approvers remove <@&${PERSON}>`,
    { kind: "approvers", change: { add: false, who: `@&${PERSON}` } },
  ],
  [`<@${SELF}> budget <@${PERSON}> 5`, { kind: "budget", change: { of: { person: PERSON }, dollars: 5 } }],
  [`<@${SELF}> review on <#${PERSON}>`, { kind: "review", change: { what: "on", channel: `#${PERSON}` } }],
])("%s names its person, role or channel by id", (content, command) => {
  expect(parseCommand(typedOf({ content }, names))).toEqual({ kind: "command", command });
});
