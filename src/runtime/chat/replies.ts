/**
 * Whoever said what was not taken is told why: the ledger owes each of them one reply until the platform has taken it
 * (D7). A reply whose acknowledgement is lost is told again and says that it may be the second; one that the platform
 * refuses for good stays owed, and is tried again by the next process. A newer one takes the place of the one before.
 */

import type { ConversationId, Millis } from "../../machine/id.ts";
import { type Refusal, refusalText } from "../../machine/refusal.ts";
import { isOver } from "../../machine/state.ts";
import type { Bot } from "../../ports/bot.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Owed, Replies, Standing, Why } from "../../ports/replies.ts";
import { type Addressee, mayPass, type Note, type Surface, type Trouble } from "../../ports/surface.ts";
import { createTurns } from "../bot/turns.ts";
import { whereText } from "./continuation.ts";
import { sayIn } from "../../words/languages.ts";
import type { Say } from "../../words/say.ts";
import type { ChatDeps } from "./deps.ts";
import { durationText } from "../../thread/durations.ts";
import { pause } from "../../ports/host.ts";

/** Waits between tries: doubled with each in a row, up to the longest. */
const WAIT: Millis = 1_000;
const LONGEST_WAIT: Millis = 15_000;

/** How long a reply that goes with a turn stands at least. */
const READ: Millis = 30_000;

interface RepliesDeps extends Pick<ChatDeps, "name" | "languageAt" | "clock" | "log"> {
  readonly store: Pick<ChatStore, "owe" | "owed" | "owedTo" | "told" | "standing">;
  readonly surface: Pick<Surface, "answer" | "apply">;
  readonly bot: Pick<Bot, "read">;
}

export const createReplies = (deps: RepliesDeps): Replies => {
  const { name, store, surface, bot, languageAt, clock, log } = deps;
  const telling = createTurns();
  /** Keys of replies that may have been told. */
  const doubtful = new Set<string>();
  const closing = new AbortController();

  const tell = (): void => {
    if (closing.signal.aborted) return;
    for (const to of store.owed(name)) {
      const whose = JSON.stringify(to);
      if (!telling.has(whose)) void telling.take(whose, () => tellThem(to));
    }
  };

  /** Until nothing is owed to that person there. */
  const tellThem = async (to: Addressee): Promise<void> => {
    /** Key of a reply that may have been told: until that is known, a newer one takes its message over. */
    let unsure: string | null = null;
    for (let troubles = 0; !closing.signal.aborted; ) {
      const owed = store.owedTo(name, to);
      if (owed === null) return;
      const note = await noteOf(owed.why, doubtful.has(owed.key), sayIn(languageAt(to.place)));
      const key: string = unsure ?? owed.key;
      const renews = key === owed.key ? {} : ({ renews: true } as const);
      const outcome = await surface.answer(to, note, { key, replaces: owed.stands, ...renews });
      if (outcome.kind === "done") {
        unsure = null;
        if (!(await noted(to, owed, outcome.id))) return;
        troubles = 0;
      } else {
        log.warn("a person was not told why something was not taken; it is tried again", {
          surface: name,
          why: outcome.kind === "throttled" ? "too fast" : outcome.why,
        });
        if (outcome.kind === "unknown") {
          doubtful.add(owed.key);
          unsure = key;
        }
        if (!mayPass(outcome)) return;
        await pause(clock, waitAfter(outcome, troubles++), closing.signal);
      }
    }
  };

  /** False when the process ends before the disk takes it. */
  const noted = async (to: Addressee, { key }: Owed, id: string): Promise<boolean> => {
    do {
      const written = await store.told(name, to, key, id === "" ? null : id);
      if (written.kind === "done") {
        doubtful.delete(key);
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

  /** A courtesy: one that cannot be removed now stays. Whoever it tells has had the time to read it. */
  const takeBack = async ({ conversation, stands: id, key, at, ...to }: Standing): Promise<void> => {
    await pause(clock, Math.max(0, at + READ - clock.now()), closing.signal);
    const isNewest = store.standing(name).some((one) => one.key === key);
    if (closing.signal.aborted || !isNewest) return;
    const { place, root } = to;
    const thread = { conversation, surface: name, place, root: root ?? place };
    const outcome = await surface.apply({ kind: "delete", thread, wire: key, id });
    if (outcome.kind === "done" || outcome.kind === "gone") await store.told(name, to, key, null);
  };

  const noteOf = async (why: Why, again: boolean, say: Say): Promise<Note> => {
    const text = await textOf(why, say);
    const told = again ? `${text} ${say("(You may have been told this already.)")}` : text;
    return { text: told, buttons: buttonsOf(why, say) };
  };

  const textOf = async (why: Why, say: Say): Promise<string> => {
    if (why.kind === "said") return why.text;
    if (why.why === "context_exhausted") return whereText({ bot, say }, why.conversation, why.why);
    if (why.why !== "agent_busy") return refusalText(why.why, say);
    const { begun, speaker } = (await bot.read(why.conversation))?.state.turn ?? {};
    const time = durationText(clock.now() - (begun ?? clock.now()), say);
    return speaker?.name === undefined
      ? say("I am still working on another question ({time}), so yours was not taken.", { time })
      : say("I am still working on @{name}'s question ({time}), so yours was not taken.", {
          name: speaker.name,
          time,
        });
  };

  return {
    owe: async (to, id, text) => {
      const key = `refusal/${id}`;
      const written = await store.owe(name, to, { key, text, at: clock.now() });
      if (written.kind === "done") return tell();
      await surface.answer(to, { text, buttons: [] }, { key, replaces: null });
    },
    tell,
    over,
    start: () => {
      for (const conversation of new Set(store.standing(name).map((one) => one.conversation)))
        void bot.read(conversation).then((read) => {
          if (read === null || isOver(read.state.phase)) over(conversation);
          return undefined;
        });
      for (const to of store.owed(name)) {
        const owed = store.owedTo(name, to);
        if (owed !== null) doubtful.add(owed.key);
      }
      tell();
    },
    close: () => {
      closing.abort();
      return telling.settled();
    },
  };
};

const waitAfter = (trouble: Trouble, troubles: number): Millis =>
  trouble.kind === "throttled" ? trouble.retryAfter : Math.min(LONGEST_WAIT, WAIT * 2 ** troubles);

/** What a stop makes room for. */
const STOPS: ReadonlySet<Refusal> = new Set(["agent_busy", "awaiting_approval", "answer_held"]);

const buttonsOf = (why: Why, say: Say): Note["buttons"] =>
  why.kind === "refused" && STOPS.has(why.why)
    ? [
        { action: "stop", label: say("Stop"), value: why.conversation },
        { action: "stop_and_send", label: say("Stop and send this"), value: why.claim },
      ]
    : [];
