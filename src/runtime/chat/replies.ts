/**
 * The ledger stores each reply as pending until the platform has accepted it (D7). A reply with a lost acknowledgment is sent
 * again and says that it may be the second one. A permanently refused reply is sent again when its channel accepts posts again,
 * and by the next process.
 * A newer reply replaces a delivered one, and repeats its text if the person had less than half a minute to read it.
 */

import type { ConversationId, Millis } from "../../machine/id.ts";
import { type Refusal, refusalText } from "../../machine/refusal.ts";
import { isTurnOver } from "../../machine/state.ts";
import type { Bot } from "../../ports/bot.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { PendingReply, Replies, PostedReply, RefusalReason } from "../../ports/replies.ts";
import {
  type Addressee,
  mayPass,
  type PrivateNote,
  type Surface,
  type SendFailure,
} from "../../ports/surface.ts";
import { createTurns } from "../bot/turns.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { whereText } from "./people/continuation.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { Label, Say } from "../../i18n/say.ts";
import type { ChatDeps } from "./people/deps.ts";
import { durationText } from "../../thread/durations.ts";
import { pause } from "../../ports/host.ts";

/** Delay between attempts, doubled after each one up to LONGEST_WAIT. */
const WAIT: Millis = 1_000;
const LONGEST_WAIT: Millis = 15_000;

/** Minimum time for which a reply is readable. */
const READ: Millis = 30_000;
const REMEMBERED = 1_000;

/** In UTF-16 code units; every platform displays that many. */
const MOST_TEXT = 1_500;
const MOST_LINES = 4;

interface Line {
  readonly why: RefusalReason;
  readonly text: string;
}

interface Told {
  readonly id: string;
  readonly at: Millis;
  readonly lines: readonly Line[];
  readonly buttons: PrivateNote["buttons"];
}

interface RepliesDeps extends Pick<ChatDeps, "name" | "languageAt" | "clock" | "log"> {
  readonly store: Pick<ChatStore, "owe" | "owed" | "owedTo" | "told" | "standing">;
  readonly surface: Pick<Surface, "answer" | "apply">;
  readonly bot: Pick<Bot, "read" | "refusedClaim">;
}

export const createReplies = (deps: RepliesDeps): Replies => {
  const { name, store, surface, bot, languageAt, clock, log } = deps;
  const telling = createTurns();
  /** Keys of replies that may already be delivered. */
  const doubtful = new Set<string>();
  const latest = createLruCache<Told>(REMEMBERED);
  const closing = new AbortController();

  const tell = (): void => {
    if (closing.signal.aborted) return;
    for (const to of store.owed(name)) {
      const whose = JSON.stringify(to);
      if (!telling.has(whose)) void telling.take(whose, () => tellThem(to));
    }
  };

  const tellThem = async (to: Addressee): Promise<void> => {
    /** Whether the previous message contained only some of the pending replies, so that it must remain. */
    let isPart = false;
    for (let troubles = 0; !closing.signal.aborted; ) {
      const owed = store.owedTo(name, to);
      if (owed === null) return;
      const replaces = isPart ? null : owed.stands;
      const before = unread(to, replaces);
      const { note, keys, lines } = await noteOf(owed, before, sayIn(languageAt(to.place)));
      if (lines.length === 0) {
        if (!(await noted(to, keys, owed.stands ?? ""))) return;
        continue;
      }
      // Sent under the oldest key, because an earlier attempt may have left a message with that key and fewer lines.
      const renews = keys.length === 1 && keys[0] === owed.key ? {} : ({ renews: true } as const);
      const outcome = await surface.answer(to, note, { key: owed.key, replaces, ...renews });
      if (outcome.kind === "done") {
        if (!(await noted(to, keys, outcome.id))) return;
        latest.set(JSON.stringify(to), {
          id: outcome.id,
          at: clock.now(),
          lines: lines.slice(-MOST_LINES),
          buttons: note.buttons,
        });
        isPart = keys.length < owed.waiting.length;
        troubles = 0;
      } else {
        log.warn("replies: refusal not posted", {
          surface: name,
          why: outcome.kind === "throttled" ? "too fast" : outcome.why,
        });
        if (outcome.kind === "unknown") for (const key of keys) doubtful.add(key);
        if (!mayPass(outcome)) return;
        await pause(clock, waitAfter(outcome, troubles++), closing.signal);
      }
    }
  };

  /** Null if the replaced message was readable long enough. */
  const unread = (to: Addressee, replaces: string | null): Told | null => {
    const told = latest.get(JSON.stringify(to));
    if (told === undefined || told.id !== replaces || clock.now() - told.at >= READ) return null;
    return told.lines.reduce((sum, { text }) => sum + text.length, 0) < MOST_TEXT / 2 ? told : null;
  };

  /** False if the process ends before the write succeeds. */
  const noted = async (to: Addressee, keys: readonly string[], id: string): Promise<boolean> => {
    do {
      const written = await store.told(name, to, keys, id === "" ? null : id);
      if (written.kind === "done") {
        for (const key of keys) doubtful.delete(key);
        return true;
      }
      await pause(clock, WAIT, closing.signal);
    } while (!closing.signal.aborted);
    return false;
  };

  const over = (conversation: ConversationId): void => {
    for (const one of store.standing(name))
      if (one.conversation === conversation && !telling.has(one.key))
        void telling.take(one.key, () => takeBack(one));
  };

  /** A failed removal is not repeated. */
  const takeBack = async ({ conversation, stands: id, key, at, ...to }: PostedReply): Promise<void> => {
    await pause(clock, Math.max(0, at + READ - clock.now()), closing.signal);
    const isNewest = store.standing(name).some((one) => one.key === key);
    if (closing.signal.aborted || !isNewest) return;
    const { place, root } = to;
    const thread = { conversation, surface: name, place, root: root ?? place };
    const outcome = await surface.apply({ kind: "delete", thread, wire: key, id });
    if (outcome.kind === "done" || outcome.kind === "gone") await store.told(name, to, [key], null);
  };

  /** Fits as many replies as possible, oldest first, with the buttons of the newest that has some. */
  const noteOf = async (
    { waiting }: PendingReply,
    before: Told | null,
    say: Say,
  ): Promise<{
    readonly note: PrivateNote;
    readonly keys: readonly string[];
    readonly lines: readonly Line[];
  }> => {
    const lines = (before?.lines ?? []).filter(
      (line) => !isOutdated(line.why) && !waiting.some(({ why }) => isSame(why, line.why)),
    );
    const keys: string[] = [];
    let buttons = lines.length === 0 ? [] : (before?.buttons ?? []);
    let length = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
    for (const { key, why } of waiting) {
      if (isOutdated(why)) {
        keys.push(key);
        continue;
      }
      const text = await textOf(why, say);
      length += text.length + 1;
      if (lines.length > 0 && length > MOST_TEXT) break;
      lines.push({ why, text });
      keys.push(key);
      const own = replyButtons(why, say);
      if (own.length > 0) buttons = own;
    }
    const text = [...new Set(lines.map((line) => line.text))].join("\n");
    const isDoubtful = keys.some((key) => doubtful.has(key));
    const told = isDoubtful ? `${text} ${say("(You may have received this notice already.)")}` : text;
    const quiet = lines.every(({ why }) => why.kind === "accepted") ? { quiet: true as const } : {};
    return { note: { text: told, buttons, ...quiet }, keys, lines };
  };

  /** Whether the refused message was sent by a click or was deleted before its author got this reply. */
  const isOutdated = (why: RefusalReason): boolean =>
    why.kind === "refused" && bot.refusedClaim({ surface: name, id: why.claim }) === null;

  const textOf = async (why: RefusalReason, say: Say): Promise<string> => {
    if (why.kind === "said") return why.text;
    if (why.kind === "accepted") return acceptedText(why, say);
    if (why.why === "context_exhausted") return whereText({ bot, say }, why.conversation, why.why);
    if (why.why !== "agent_busy") return refusalText(why.why, say);
    const { begun, speaker } = (await bot.read(why.conversation))?.state.turn ?? {};
    const time = durationText(clock.now() - (begun ?? clock.now()), say);
    return speaker?.name === undefined
      ? say("I am still working on another question ({time}), so I did not start on yours.", { time })
      : say("I am still working on @{name}'s question ({time}), so I did not start on yours.", {
          name: speaker.name,
          time,
        });
  };

  return {
    owe: async (to, id, given) => {
      const key = `refusal/${id}`;
      const why = typeof given === "string" ? ({ kind: "said", text: given } as const) : given;
      for (let troubles = 0; !closing.signal.aborted; ) {
        const written = await store.owe(name, to, { key, why, at: clock.now() });
        if (written.kind === "done") return tell();
        const say = sayIn(languageAt(to.place));
        const note = { text: await textOf(why, say), buttons: replyButtons(why, say) };
        const outcome = await surface.answer(to, note, { key, replaces: null });
        if (outcome.kind === "done") return;
        if (outcome.kind === "unknown") doubtful.add(key);
        // The disk or the platform accepts the reply in the end.
        const wait = outcome.kind === "gone" ? LONGEST_WAIT : waitAfter(outcome, troubles++);
        await pause(clock, wait, closing.signal);
      }
    },
    tell,
    over,
    start: () => {
      for (const conversation of new Set(store.standing(name).map((one) => one.conversation)))
        void bot.read(conversation).then((read) => {
          if (read === null || isTurnOver(read.state.phase)) over(conversation);
          return undefined;
        });
      for (const to of store.owed(name)) {
        const owed = store.owedTo(name, to);
        for (const { key } of owed?.waiting ?? []) doubtful.add(key);
      }
      tell();
    },
    close: () => {
      closing.abort();
      return telling.settled();
    },
  };
};

const waitAfter = (trouble: SendFailure, troubles: number): Millis =>
  trouble.kind === "throttled" ? trouble.retryAfter : Math.min(LONGEST_WAIT, WAIT * 2 ** troubles);

const isSame = (one: RefusalReason, other: RefusalReason): boolean => {
  if (one.kind === "said") return other.kind === "said" && one.text === other.text;
  const isAlike = one.kind === "refused" && other.kind === "refused" && one.why === other.why;
  return isAlike && one.conversation === other.conversation;
};

type BusyAction = "stop" | "stop_and_send" | "send_when_done" | "add_to_turn";

/** Buttons of a refusal that ends without an action (D51). An answer under review accepts no addition. */
const CHOICES: Readonly<Partial<Record<Refusal, readonly BusyAction[]>>> = {
  agent_busy: ["stop", "stop_and_send", "send_when_done", "add_to_turn"],
  awaiting_approval: ["stop", "stop_and_send", "send_when_done", "add_to_turn"],
  answer_held: ["stop", "stop_and_send", "send_when_done"],
  cancellation_in_progress: ["send_when_done"],
};

const LABELS: Readonly<Record<BusyAction, Label>> = {
  stop: "Stop",
  stop_and_send: "Stop and send this",
  send_when_done: "Send when done",
  add_to_turn: "Add to this turn",
};

const ACCEPTED: Readonly<Record<"added" | "waiting", Label>> = {
  added: "I will read your message before my next step.",
  waiting: "Your message waits. I will start on it when I am done here.",
};

export const acceptedText = (
  { as, restricts }: Pick<RefusalReason & { readonly kind: "accepted" }, "as" | "restricts">,
  say: Say,
): string =>
  as === "added" && restricts
    ? `${say(ACCEPTED.added)} ${say("You have no write permission here, so the rest of this turn is Restricted.")}`
    : say(ACCEPTED[as]);

export const replyButtons = (why: RefusalReason, say: Say): PrivateNote["buttons"] => {
  if (why.kind === "said") return [];
  if (why.kind === "accepted")
    return why.as === "waiting" ? [{ action: "remove_waiting", label: say("Remove"), value: why.claim }] : [];
  return (CHOICES[why.why] ?? []).map((action) => ({
    action,
    label: say(LABELS[action]),
    value: action === "stop" ? why.conversation : why.claim,
  }));
};
