/**
 * `rename: TITLE`, `archive` and `delete` in a thread. The first two are for whoever began the conversation or may have
 * the agent write; deleting is for those of PARLEY_APPROVERS, and asks back with a code that nobody types by chance.
 */

import { createHash } from "node:crypto";
import type { ConversationId } from "../../../machine/id.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Label } from "../../../words/say.ts";
import type { ChatDeps } from "../deps.ts";
import { threadNameText } from "../reply-texts.ts";
import { outcomeText } from "../outcome-text.ts";
import type { Command } from "./command.ts";
import { personId, rightsOf } from "./rights.ts";

type Managing = Extract<Command, { readonly kind: "rename" | "archive" | "delete" }>;

/** What the person is told; every outcome is something that the thread does not show. */
export const manage = async (
  deps: ChatDeps,
  command: Managing,
  conversation: ConversationId,
  person: Person,
): Promise<string> => {
  const by = personId(deps.name, person.id);
  const { mayDrive, mayManage } = rightsOf(deps.policy, person);
  const began = (await deps.bot.read(conversation))?.conversation.createdBy === by;
  switch (command.kind) {
    case "rename": {
      if (!mayDrive && !began) return deps.say(MAY_NOT_KEEP);
      if (command.title === null) return howText(deps);
      return (
        outcomeText(await deps.bot.rename(conversation, command.title, by), deps.say) ??
        `${deps.say("Renamed.")} ${threadNameText(deps.name, deps.say)}`
      );
    }
    case "archive":
      if (!mayDrive && !began) return deps.say(MAY_NOT_KEEP);
      return outcomeText(await deps.bot.archive(conversation, true, by), deps.say) ?? deps.say(ARCHIVED);
    case "delete": {
      if (!mayManage)
        return deps.say("Only people who may approve here delete conversations. Ask one of them.");
      const code = codeOf(conversation);
      if (command.code !== code) return confirmText(deps, code, command.code !== null);
      return outcomeText(await deps.bot.remove(conversation, by), deps.say) ?? deps.say(DELETED);
    }
  }
};

/** The same for a conversation in every process: whoever typed it has read what it does. */
export const codeOf = (conversation: ConversationId): string =>
  createHash("sha256").update(`delete ${conversation}`).digest("hex").slice(0, 4);

const howText = ({ mention, name, say }: ChatDeps): string =>
  `${say("Say the new name behind a colon: `{mention} rename: NAME`.", { mention })} ${threadNameText(name, say)}`;

const confirmText = ({ mention, say }: ChatDeps, code: string, wasWrong: boolean): string =>
  [
    ...(wasWrong ? [say("That is not the code of this conversation.")] : []),
    say(
      "This deletes all that this host holds of the conversation, for good: words, posts, trace, pictures, and its checkout with whatever was not pushed.",
    ),
    say("What stands in this thread is the platform's and stays."),
    say("To do it: `{command}`.", { command: `${mention} delete ${code}` }),
  ].join(" ");

const MAY_NOT_KEEP: Label =
  "Only whoever began this conversation, or somebody who may have me write, does that. Ask one of them.";

const ARCHIVED: Label =
  "Archived: what it did was stopped, and it is off the list in the console. It comes back when somebody writes here.";

const DELETED: Label =
  "Deleted: this host holds nothing of the conversation any more. What stands in this thread is the platform's; delete it there. A mention here begins a new conversation.";
