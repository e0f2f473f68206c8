/**
 * D52: An edit has one outcome. A message of the running turn is added to the turn, a message that nobody has read yet changes its
 * text, and the author of an answered one may ask again. An edit that addresses the bot for the first time counts as the message.
 */

import { DAY } from "../../machine/id.ts";
import { escapeOwn } from "../../machine/message-parts.ts";
import { refusalText } from "../../machine/refusal.ts";
import type { Chat, ChatMessage, Click, HandleResult, MessageEdit } from "../../ports/chat.ts";
import type { Addressee } from "../../ports/surface.ts";
import type { Sentence } from "../../i18n/say.ts";
import { EDITED } from "./replies.ts";
import { whereText } from "./people/continuation.ts";
import { type ChatDeps, toPerson } from "./people/deps.ts";
import { press } from "./people/press.ts";
import { groupsOf, speakerOf } from "./people/rights.ts";
import { storageText, strangerText, unreadPersonText } from "./people/reply-texts.ts";

export const createEditHandler =
  (deps: ChatDeps, hear: Chat["said"]) =>
  async ({ said, editedAt, last }: MessageEdit): Promise<HandleResult> => {
    const { name, bot, ledger, platform, policy, clock, store } = deps;
    // Later, the ids of handled edits may be forgotten, and a platform repeats an edit with every other change.
    if (clock.now() - editedAt > DAY) return "done";
    const known = bot.newestText({ surface: name, id: said.id });
    if (known === null) {
      const isUnbound = store.unbound(name, said.place).some(({ message }) => message === said.message);
      const isNew = deps.latestTexts.get(said.id) !== said.text;
      return said.addressed && isNew && !isUnbound ? hear(said, last) : "done";
    }
    if (known.text === null || known.text === escapeOwn({ text: said.text })) return "done";
    const thread = ledger.find(name, said.place, said.root ?? said.message);
    if (thread === null) return "done";
    const read = await platform.person(said.person, groupsOf(policy));
    if (read.kind === "unread")
      return read.passing && !last ? "later" : tell(deps, said, unreadPersonText(read.why, deps.say));
    const { person } = read;
    const own = toPerson(deps, person);
    if (person.standing !== "member") return tell(deps, said, strangerText(person.standing, own.say));
    const speaker = speakerOf(policy, person);
    const result = await bot.act(thread.conversation, {
      kind: "edit",
      claim: { surface: name, id: said.id },
      text: said.text,
      speaker,
    });
    switch (result.kind) {
      case "done":
      case "unknown":
        return "done";
      case "failed":
        return result.code === "closing" || !last
          ? "later"
          : tell(deps, said, storageText(result.message, own.say));
      case "refused":
        if (result.why === "no_op") return "done";
        if (result.why === "context_exhausted")
          return tell(deps, said, await whereText(own, thread.conversation, result.why));
        if (result.why !== "stale") return tell(deps, said, refusalText(result.why, own.say));
        await deps.replies.owe(addresseeOf(said), editKey(said, known.versions), {
          kind: "edited",
          conversation: thread.conversation,
          claim: said.id,
        });
        return "done";
    }
  };

/** *Answer again*: the question starts a turn in its newest words, once per edit. */
export const answerAgain = (deps: ChatDeps, hear: Chat["said"], click: Click): Promise<HandleResult> => {
  const { name, bot, ledger, platform } = deps;
  const known = bot.newestText({ surface: name, id: click.value });
  return press(deps, click, known?.conversation ?? null, async ({ conversation, speaker, say }) => {
    const thread = ledger.thread(conversation);
    if (known === null || known.source === null || thread === null) return say(NOT_STORED);
    if (known.by !== speaker.id) return say("Only the person who wrote the message can send it.");
    const said = await platform.reread(thread, known.source);
    if (said === null || known.text === null) return say(UNREAD);
    if (escapeOwn({ text: said.text }) === known.text) return say(SENT);
    await hear({ ...said, id: `${click.value}/again/${known.versions}`, addressed: true }, true);
    return null;
  });
};

/** The thread exists, because the message was read. */
const addresseeOf = ({ place, root, message, person }: ChatMessage): Addressee => ({
  place,
  root: root ?? message,
  person,
});

const tell = async (deps: ChatDeps, said: ChatMessage, text: string): Promise<HandleResult> => {
  const known = deps.bot.newestText({ surface: deps.name, id: said.id });
  await deps.replies.owe(addresseeOf(said), editKey(said, known?.versions ?? 0), text);
  return "done";
};

/** Ten edits of one question get one reply. */
const editKey = ({ id }: ChatMessage, versions: number): string => `${id}${EDITED}${versions}`;

const NOT_STORED =
  "That message is no longer stored, so I cannot answer it again. Send it as a new message." satisfies Sentence;
const UNREAD =
  "I could not read your message, so nothing was done. Send it as a new message." satisfies Sentence;
const SENT = "Your message has been sent in these words already." satisfies Sentence;
