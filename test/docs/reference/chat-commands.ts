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
      rightText(one),
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

/** Everyone may keep their own conversation in order. */
const rightText = (one: Command): string => {
  if (one.right === null) return "everyone";
  const isKeeping = one.right === "mayDrive" && whereText(one) === "thread";
  return isKeeping ? "write permission, or who began the conversation" : RIGHTS[one.right];
};

const RIGHTS: Readonly<Record<NonNullable<Command["right"]>, string>> = {
  mayDrive: "to change: people with write permission",
  mayApprove: "approvers",
  mayBind: "to change: admins",
  mayManage: "to change: host approvers",
};
