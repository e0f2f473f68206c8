import type { ConversationId } from "../../../machine/id.ts";
import type { ActRequest } from "../../../ports/bot.ts";
import type { ChatDeps } from "../people/deps.ts";
import { outcomeText } from "../people/outcome-text.ts";

export const runThreadAction = async (
  deps: ChatDeps,
  conversation: ConversationId | null,
  request: ActRequest,
): Promise<string | null> =>
  conversation === null
    ? noConversation(deps)
    : outcomeText(await deps.bot.act(conversation, request), deps.say);

export const noConversation = ({ mention, say }: ChatDeps): string =>
  say("There is no conversation in this thread. Start one: {mention} and your question.", {
    mention,
  });
