import { NO_OPTIONS, defineCommand } from "./define-command.ts";

export const help = defineCommand({
  words: ["help"],
  ...NO_OPTIONS,
  rights: "everybody",
  help: {
    does: "How to work with Parley",
    thread: "help",
    channel: { code: "`/parley help`" },
    // Discord lists the last commands in a group of their own.
    before: { menu: "rename" },
  },
  slash: ({ context: { deps, commands } }) => commands.channelHelp(deps.mention, deps.forms, deps.say),
  run: ({ deps, commands }) => commands.threadHelp(deps.mention, deps.forms, deps.say),
});
