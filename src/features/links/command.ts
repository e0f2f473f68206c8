import type { ChannelOverrides } from "../../ports/channels.ts";
import type { ChatDeps } from "../../runtime/chat/people/deps.ts";
import { changeSettings, MAY_NOT } from "../../runtime/chat/commands/channels.ts";
import { asInThread, type Command, defineCommand } from "../../runtime/chat/commands/define-command.ts";
import { choiceOption } from "../../runtime/chat/commands/options.ts";

const SWITCH = choiceOption("change", "On or off; only host approvers can change it", "on", "off");

export const linksCommand: Command = defineCommand({
  words: ["links"],
  options: [SWITCH],
  read: (valueOf) => valueOf(SWITCH),
  rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
  help: {
    does: "Show or set whether Parley reads the pages that messages in this channel link to",
    channel: "`/parley links [on|off]` shows or sets whether I read the pages that messages here link to",
    before: { channel: "approvers" },
  },
  slash: asInThread,
  run: (context, change) =>
    changeSettings(context, change === null ? null : { links: change === "on" }, linksText),
});

const linksText = ({ say }: ChatDeps, { links }: ChannelOverrides): string =>
  links
    ? say("I read pages that messages in this channel link to. End this: `links off`.")
    : say("I do not read pages that messages in this channel link to. Allow it: `links on`.");
