/** `help`: all commands, as their list names them. */

import { defineCommand } from "./define-command.ts";

export const help = defineCommand({
  words: ["help"],
  options: [],
  read: () => null,
  rights: "everybody",
  help: { does: "How to work with Parley", thread: "help", channel: { code: "`/parley help`" } },
  isOffered: true,
  slash: ({ context: { deps, commands } }) => commands.channelHelp(deps.mention, deps.name, deps.say),
  run: ({ deps, commands }) => commands.threadHelp(deps.mention, deps.name, deps.say),
});
