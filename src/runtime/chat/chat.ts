/** The manners of one connection to a chat platform, put together. They hold no state of their own. */

import type { CommandQuestion, Chat, Handled, Removed } from "../../ports/chat.ts";
import { createClickHandler, heldIn } from "./click.ts";
import { hearAsk } from "./commands/ask.ts";
import { policyAt } from "./commands/channels.ts";
import type { Commands } from "./commands/commands.ts";
import { createCut } from "../bot/erased-text.ts";
import type { Forgetting } from "../../ports/erasure.ts";
import { withoutQuotes } from "../../text/quotes.ts";
import type { ChatDeps } from "./people/deps.ts";
import { solvedAt } from "./judge.ts";
import { createMessageHandler } from "./message.ts";
import { mayApprove, showSteps } from "./people/steps.ts";
import { answerUnbound, pick } from "./commands/unbound.ts";
import { sayIn } from "../../i18n/languages.ts";

export const createChat = (commands: Commands, host: Omit<ChatDeps, "answerUnbound" | "say">): Chat => {
  /** Whom the place itself names is looked up for each thing that happens there. */
  const at = ({ place }: { readonly place: string }) => {
    const deps: ChatDeps = {
      ...host,
      policy: policyAt(host, place),
      say: sayIn(host.languageAt(place)),
      answerUnbound: (bound) => answerUnbound(deps, said, bound),
    };
    const said = createMessageHandler(deps, commands);
    const asked = (ask: CommandQuestion): Promise<Handled> => hearAsk(deps, said, ask);
    return { deps, said, asked };
  };
  return {
    steps: (ask) => showSteps(at(ask).deps, ask),
    said: (one, last) => at(one).said(one, last),
    unplaced: async (to, message, why) => {
      const text = sayIn(host.languageAt(to.place))(
        "I could not read where your message was posted ({why}), so nothing was done. Please send it again in a moment.",
        { why },
      );
      await host.replies.owe(to, `unplaced/${message}`, text);
      return "done";
    },
    posted: async (one) =>
      host.places === null || host.places.includes(one.place) ? host.appPosts.take(host.name, one) : "done",
    // Whoever decides on an answer has that right where it is posted.
    clicked: (one) => {
      const { action } = one;
      if (typeof action !== "string") {
        const { deps, said } = at(one);
        return host.clicks.get(action.feature)?.(deps, said, one) ?? Promise.resolve("done");
      }
      const held = heldIn(host, { ...one, action });
      const thread = held === null ? null : host.ledger.thread(held);
      return createClickHandler(at(thread ?? one).deps)({ ...one, action });
    },
    solved: (where, value) => solvedAt(at(where).deps, where, value),
    picked: (one) => pick(at(one).deps, one),
    asked: (one) => at(one).asked(one),
    removed: (one) => forgetDeleted(at(one).deps, one),
    slash: (one) => commands.slash(at(one).deps, at(one).asked, one),
    mayApprove: (person) => mayApprove(host, { person }),
  };
};

/**
 * A message was deleted on the platform: what the conversation of its thread holds of it goes too, within seconds and
 * for good. Handled again after a crash; what is gone already is found nowhere.
 */

const forgetDeleted = async (
  { name, ledger, bot, log }: ChatDeps,
  { place, root, message, at }: Removed,
): Promise<Handled> => {
  const forgetting: Forgetting = {
    by: `${name}:deletion`,
    meant: message === null ? { kind: "all" } : { kind: "message", source: message },
    cut: createCut((text) => withoutQuotes(text, at)),
  };
  for (const conversation of ledger.lived(name, place, root)) {
    const result = await bot.forget(conversation, forgetting);
    if (result.kind !== "failed") continue;
    log.warn("a deleted message could not be forgotten yet", { conversation, why: result.message });
    return "later";
  }
  return "done";
};
