/** Commands of chat, from their list. */

import { chatCommands } from "../../../src/app/commands.ts";
import type { Command } from "../../../src/runtime/chat/commands/define-command.ts";
import { code, table } from "./markdown.ts";

export const commandsOfChat = (): string =>
  table(
    ["command", "options", "where", "who may", "does"],
    chatCommands.all.map((one) => [
      one.words.map(code).join(", "),
      one.options.map(optionText).join(", "),
      whereText(one),
      one.right === null ? "everyone" : RIGHTS[one.right],
      one.help.does,
    ]),
  );

const optionText = ({ name, choices }: Command["options"][number]): string =>
  choices === undefined ? code(name) : code(choices.join("|"));

const whereText = ({ where, slash, help }: Command): string => {
  if (where === "channel") return "`/parley` in a channel";
  const isForThreads = where === "thread" ? help.channel === undefined : slash === null;
  return isForThreads ? "thread" : "thread, channel";
};

const RIGHTS: Readonly<Record<NonNullable<Command["right"]>, string>> = {
  mayDrive: "write permission, or who began the conversation",
  mayApprove: "approvers",
  mayBind: "to change: admins",
  mayManage: "to change: host approvers",
};
