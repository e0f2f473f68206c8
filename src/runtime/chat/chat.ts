import type { Chat, ChatMessage, CommandQuestion, DeletedMessage, HandleResult } from "../../ports/chat.ts";
import type { ConversationId } from "../../machine/id.ts";
import { createClickHandler, reviewChannelOf } from "./click.ts";
import { handleAskCommand } from "./commands/ask.ts";
import { policyAt } from "./commands/channels.ts";
import type { Commands } from "./commands/commands.ts";
import { createCut } from "../bot/erased-text.ts";
import type { ErasureRequest } from "../../ports/erasure.ts";
import { answerAgain, createEditHandler } from "./edits.ts";
import { withoutQuotes } from "../../text/quotes.ts";
import type { ChatDeps } from "./people/deps.ts";
import { personalHome } from "./home.ts";
import { solvedAt } from "./judge.ts";
import { createMessageHandler } from "./message.ts";
import { whisper } from "./people/member.ts";
import { mayApprove, showSteps } from "./people/steps.ts";
import { suggestionsFor } from "./suggestions.ts";
import { answerWaitingMessages, pick } from "./commands/missing-repository.ts";
import { sayIn } from "../../i18n/languages.ts";

export const createChat = (commands: Commands, host: Omit<ChatDeps, "answerUnbound" | "say">): Chat => {
  const at = ({ place }: { readonly place: string }) => {
    const deps: ChatDeps = {
      ...host,
      policy: policyAt(host, place),
      say: sayIn(host.languageAt(place)),
      answerUnbound: (bound) => answerWaitingMessages(deps, said, bound),
    };
    const said = createMessageHandler(deps, commands);
    const edited = createEditHandler(deps, said);
    const asked = (ask: CommandQuestion): Promise<HandleResult> => handleAskCommand(deps, said, ask);
    return { deps, said, edited, asked };
  };
  return {
    steps: (ask) => showSteps(at(ask).deps, ask),
    said: (one, last) =>
      isUnaddressedPost(host, one)
        ? host.appPosts.people.take(host.name, one, host.platform)
        : at(one).said(one, last),
    created: async (channel) =>
      host.places === null || host.places.includes(channel.place)
        ? host.appPosts.people.created(host.name, channel, host.platform)
        : "done",
    edited: (one) => at(one.said).edited(one),
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
    reacted: async (one) => {
      const { place, root, direct, person, message } = one;
      if (host.places !== null && !host.places.includes(place)) return "done";
      const { deps, asked } = at(one);
      const reply = async (text: string): Promise<void> => void (await whisper(deps, one, text));
      const about = { message, root };
      return host.appPosts.reactions.take(host.name, one, {
        isAsked: (id) => host.bot.newestText({ surface: host.name, id }) !== null,
        ask: (id, text) => asked({ id, place, direct, person, text, about, reply }),
        tell: (words) => reply(words(deps.say)),
      });
    },
    // A question may be decided in another channel, but the rights and the two-person rule of its own channel count.
    clicked: (one) => {
      const { action } = one;
      if (typeof action !== "string") {
        const { deps, said } = at(one);
        return host.clicks.get(action.feature)?.(deps, said, one) ?? Promise.resolve("done");
      }
      if (action === "answer_again") {
        const { deps, said } = at(one);
        return answerAgain(deps, said, one);
      }
      const held = reviewChannelOf(host, { ...one, action });
      if (held === null) return createClickHandler(at(one).deps)({ ...one, action });
      const thread = host.ledger.thread(held);
      const direct =
        thread?.place === one.place ? one.direct : host.platform.isDirect?.(thread?.place ?? "") === true;
      return createClickHandler(at(thread ?? one).deps)({ ...one, action, direct });
    },
    solved: (where, value) => solvedAt(at(where).deps, where, value),
    picked: (one) => pick(at(one).deps, one),
    asked: (one) => at(one).asked(one),
    removed: (one) => forgetDeleted(at(one).deps, one),
    slash: (one) => commands.slash(at(one).deps, at(one).asked, one),
    suggestions: (ask) => suggestionsFor(host, ask),
    home: (person) => personalHome(host, person),
    mayApprove: (person) => mayApprove(host, { person }),
  };
};

/** Whether a person's post at the top of a channel has neither an addressee nor a conversation. */
const isUnaddressedPost = (
  { name, ledger, appPosts }: Pick<ChatDeps, "name" | "ledger" | "appPosts">,
  { place, root, message, person, addressed, direct }: ChatMessage,
): boolean =>
  !addressed &&
  !direct &&
  (root === null || root === message) &&
  appPosts.people.sees(name, place, person) &&
  ledger.find(name, place, message) === null;

/** Repeated handling after a crash finds no text left. */
const forgetDeleted = async (
  { name, ledger, bot, appPosts, log }: ChatDeps,
  { place, root, message, at }: DeletedMessage,
): Promise<HandleResult> => {
  /** A look exists only because of the post, so the look is deleted with the post. */
  const forgetting = (conversation: ConversationId): ErasureRequest => ({
    by: `${name}:deletion`,
    meant:
      message === null || (message === root && appPosts.people.authorOf(conversation) !== null)
        ? { kind: "all" }
        : { kind: "message", source: message },
    cut: createCut((text) => withoutQuotes(text, at)),
  });
  if (message === null || message === root) {
    const done = await appPosts.people.removed(name, place, root, message === null ? "thread" : "post");
    if (done === "later") return done;
  }
  for (const conversation of ledger.lived(name, place, root)) {
    const result = await bot.forget(conversation, forgetting(conversation));
    if (result.kind !== "failed") continue;
    log.warn("erasure: deleted message not erased, retry scheduled", { conversation, why: result.message });
    return "later";
  }
  return "done";
};
