/** Only approvers of PARLEY_APPROVERS may delete, after a code that cannot be typed by chance. */

import { createHash } from "node:crypto";
import type { ConversationId } from "../../../machine/id.ts";
import type { Label } from "../../../i18n/say.ts";
import type { ChatDeps } from "../people/deps.ts";
import { threadNameText } from "../people/reply-texts.ts";
import { outcomeText } from "../people/outcome-text.ts";
import { NO_OPTIONS, type CommandContext, defineThreadCommand, inThread } from "./define-command.ts";
import { ownText, wordOption } from "./options.ts";
import { surfacePersonId } from "../people/rights.ts";

export const MAY_NOT_KEEP: Label =
  "Only the person who started this conversation, or someone with write permission, can use this command.";
const NAME = ownText("name", "The new name", { required: true, max: 200 });

export const rename = defineThreadCommand({
  words: ["rename"],
  options: [NAME],
  read: (valueOf) => valueOf(NAME),
  rights: { right: "mayDrive", refusal: MAY_NOT_KEEP, isFree: (_, context) => hasBegun(context) },
  help: {
    does: "Rename this thread's conversation",
    thread: "rename: NAME",
    more: (say, forms) =>
      `${say("`rename: NAME` sets the conversation's name in the console's list.")} ${threadNameText(forms, say)}`,
  },
  slash: ({ context: { deps } }) => inThread(deps, "rename: NAME"),
  run: async ({ deps, conversation, person }, title) =>
    title === null
      ? howText(deps)
      : (outcomeText(
          await deps.bot.rename(conversation, title, surfacePersonId(deps.name, person.id)),
          deps.say,
        ) ?? `${deps.say("Renamed.")} ${threadNameText(deps.forms, deps.say)}`),
});

export const archive = defineThreadCommand({
  words: ["archive"],
  ...NO_OPTIONS,
  rights: { right: "mayDrive", refusal: MAY_NOT_KEEP, isFree: (_, context) => hasBegun(context) },
  help: {
    does: "Stop this conversation and hide it from the console's list until a person writes here again",
    thread: "archive",
  },
  slash: ({ context: { deps } }) => inThread(deps, "archive"),
  run: async ({ deps, conversation, person }) =>
    outcomeText(
      await deps.bot.archive(conversation, true, surfacePersonId(deps.name, person.id)),
      deps.say,
    ) ?? deps.say(ARCHIVED),
});

const CODE = wordOption("code", "Confirmation code; leave empty to get one", /^[0-9a-f]{4}$/);

export const deleteConversation = defineThreadCommand({
  words: ["delete"],
  options: [CODE],
  read: (valueOf) => valueOf(CODE),
  rights: {
    right: "mayManage",
    refusal: "Only host approvers (PARLEY_APPROVERS) can delete conversations here. Ask one of them.",
  },
  help: {
    does: "Delete all data of this conversation from Parley (only for host approvers)",
    thread: "delete",
  },
  slash: ({ context: { deps } }) => inThread(deps, "delete"),
  run: async ({ deps, conversation, person }, typed) => {
    const code = conversationCodeOf(conversation);
    return typed === code
      ? (outcomeText(await deps.bot.remove(conversation, surfacePersonId(deps.name, person.id)), deps.say) ??
          deps.say(DELETED))
      : confirmText(deps, code, typed !== null);
  },
});

export const hasBegun = async ({ deps, conversation, person }: CommandContext): Promise<boolean> =>
  conversation !== null &&
  (await deps.bot.read(conversation))?.conversation.createdBy === surfacePersonId(deps.name, person.id);

/** The code is the same in every process. A person who types the code has read the consequences. */
export const conversationCodeOf = (conversation: ConversationId): string =>
  createHash("sha256").update(`delete ${conversation}`).digest("hex").slice(0, 4);

const howText = ({ mention, forms, say }: ChatDeps): string =>
  `${say("Write the new name after a colon: `{mention} rename: NAME`.", { mention })} ${threadNameText(forms, say)}`;

const confirmText = ({ mention, say }: ChatDeps, code: string, wasWrong: boolean): string =>
  [
    ...(wasWrong ? [say("The code that you entered is not the code of this conversation.")] : []),
    say(
      "The command permanently deletes all data of the conversation on this host: messages, posts, trace, pictures, and the checkout with any work that was not pushed.",
    ),
    say("Messages in this thread belong to the platform and are not deleted."),
    say("To confirm: `{command}`.", { command: `${mention} delete ${code}` }),
  ].join(" ");

const ARCHIVED: Label =
  "Archived: running work was stopped, and the console no longer lists this conversation. The conversation returns when a person writes here.";

const DELETED: Label =
  "Deleted: this host no longer stores any data of the conversation. The messages in this thread belong to the platform; delete them there. A mention here starts a new conversation.";
