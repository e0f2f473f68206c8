/**
 * Decides about one stored post of a person: silence, a line with a link, or a thread. A post that was deleted meanwhile, or whose
 * author must not be read any more, gets nothing.
 */

import type { ConversationId } from "../../../machine/id.ts";
import type { Bot } from "../../../ports/bot.ts";
import type { HandleResult } from "../../../ports/chat.ts";
import type { ChatSurface, PostRead } from "../../../ports/connection.ts";
import type { Composed } from "../../../machine/message-parts.ts";
import type { TextCut } from "../../../ports/erasure.ts";
import { type Ambient, pause } from "../../../ports/host.ts";
import { createLruCache } from "../../../text/lru-cache.ts";
import type { LookRows } from "../store/first-looks.ts";
import type { Watch, WatchEvent, WatchRows, WatchThread } from "../store/watches.ts";
import { untilConnected } from "./connected.ts";
import { tellDuplicate } from "./duplicate.ts";
import { readPostOn } from "./read-post.ts";
import type { FirstLooks, PostEvent } from "./first-looks.ts";
import type { createKnownMatters } from "./known-matters.ts";
import type { createLeftOut } from "./left-out.ts";
import { isSameMatter, matterKeys } from "./matter.ts";

/** Threads whose matters a post is compared with, the newest. */
const MOST_THREADS = 50;
/** Waits after a line that the platform refuses. A missing connection is no refusal. */
const AGAIN = [2_000, 4_000];
const LONGEST = 8_000;

export interface PostReader {
  /** The newest thread about the event's matter; null for events of other kinds. */
  threadFor(event: WatchEvent): WatchThread | null;
  /** `begin`: the post is worth a thread. */
  answer(watch: Watch, event: PostEvent, inbox: string, signal: AbortSignal): Promise<HandleResult | "begin">;
  /** A limit was reached after the decision. */
  left(watch: Watch, bound: "hour" | "money"): void;
  begun(watch: Watch, event: PostEvent, conversation: ConversationId, signal: AbortSignal): Promise<void>;
  /** Ends looks whose last check an earlier process did not make. */
  resume(watch: Watch, signal: AbortSignal): Promise<void>;
}

interface ReaderDeps extends Ambient {
  readonly surfaces: () => readonly Pick<
    ChatSurface,
    "name" | "off" | "standing" | "tell" | "say" | "readPost"
  >[];
  readonly bot: Pick<Bot, "forget">;
  /** Whether the operator allows watches of people. */
  readonly isAllowed: boolean;
  readonly rows: Pick<WatchRows, "lately">;
  readonly looks: Pick<LookRows, "begun" | "find" | "isIgnored">;
  readonly first: Pick<FirstLooks, "look">;
  readonly matters: Pick<ReturnType<typeof createKnownMatters>, "forget">;
  readonly leftOut: Pick<ReturnType<typeof createLeftOut>, "count">;
}

export const isPost = (event: WatchEvent): event is PostEvent =>
  event.person !== undefined && event.post !== undefined;

export const createPostReader = ({
  rows,
  looks,
  first,
  matters,
  leftOut,
  surfaces,
  bot,
  isAllowed,
  clock,
  log,
}: ReaderDeps): PostReader => {
  const keys = createLruCache<readonly string[]>(1_000);

  const keysOf = ({ conversation, event }: WatchThread): readonly string[] => {
    const known = keys.get(conversation);
    if (known !== undefined) return known;
    const found = matterKeys(event.text);
    keys.set(conversation, found);
    return found;
  };

  const readPost = ({ surface }: Watch, { person: { place }, post }: PostEvent): Promise<PostRead | null> =>
    readPostOn(surfaces(), surface, place, post);

  /** A failed read is no deletion. */
  const isDeleted = async (watch: Watch, event: PostEvent): Promise<boolean> =>
    (await readPost(watch, event))?.kind === "deleted";

  /** The last check repeats a failed read, because nothing checks the post later. Null if the process ends first. */
  const isGone = async (watch: Watch, event: PostEvent, signal: AbortSignal): Promise<boolean | null> => {
    for (const wait of [0, ...AGAIN, LONGEST]) {
      await pause(clock, wait, signal);
      if (signal.aborted) return null;
      const read = await readPost(watch, event);
      if (read?.kind !== "unread") return read?.kind === "deleted";
    }
    return null;
  };

  /** The thread is stored with the look after the last check, so that a start finds looks without that check. */
  const finish = async (
    watch: Watch,
    event: PostEvent,
    conversation: ConversationId,
    signal: AbortSignal,
  ): Promise<void> => {
    const { id, surface } = watch;
    // A deletion before the thread existed removed nothing.
    const isPostGone = await isGone(watch, event, signal);
    if (isPostGone === true) {
      const done = await bot.forget(conversation, { by: `${surface}:deletion`, meant: { kind: "all" }, cut });
      if (done.kind === "failed") log.warn("watches: look at a deleted post not erased", { conversation });
    } else if (isPostGone === false) {
      await looks.begun({ watch: id, place: event.person.place, post: event.post }, conversation);
    }
  };

  const isOver = async (watch: Watch, event: PostEvent): Promise<boolean> =>
    !isAllowed ||
    watch.standing.kind !== "on" ||
    looks.isIgnored(watch.surface, event.person.author) ||
    (await isDeleted(watch, event));

  /** Waits for the platform as long as necessary. */
  const tell = async (
    watch: Watch,
    event: PostEvent,
    link: string,
    inbox: string,
    signal: AbortSignal,
  ): Promise<HandleResult> => {
    for (let failures = 0; !signal.aborted; ) {
      const told = await tellDuplicate(surfaces, watch, event, link, inbox);
      if (told.kind === "done") return "done";
      const wait = AGAIN[failures] ?? LONGEST;
      if (told.kind === "failed") {
        log.warn("watches: duplicate not posted", { watch: watch.id, why: told.why });
        failures += 1;
        if (failures > AGAIN.length) return "done";
      }
      await pause(clock, wait, signal);
      if (!signal.aborted && (await isOver(watch, event))) return "done";
    }
    return "later";
  };

  return {
    threadFor: (event) => {
      if (!isPost(event)) return null;
      const own = matterKeys(event.text);
      const threads = rows.lately(event.watch, MOST_THREADS);
      return (
        threads.find(
          (thread) =>
            thread.event.text !== "" &&
            thread.event.person?.place === event.person.place &&
            isSameMatter(own, keysOf(thread)),
        ) ?? null
      );
    },
    answer: async (watch, event, inbox, signal) => {
      if (await isOver(watch, event)) return "done";
      const result = await first.look(watch, event, signal);
      if (result.kind === "later") return "later";
      if (result.kind === "left") return "done";
      const { decision } = result;
      // The model took some time.
      if (decision.kind === "nothing" || (await isOver(watch, event))) return "done";
      if (decision.kind !== "duplicate") return "begin";
      return tell(watch, event, decision.link, inbox, signal);
    },
    left: ({ id }, bound) => leftOut.count(id, bound === "hour" ? "threads" : "money"),
    begun: async (watch, event, conversation, signal) => {
      const { id, surface } = watch;
      matters.forget({ surface, place: event.person.place }, id);
      await finish(watch, event, conversation, signal);
    },
    resume: async (watch, signal) => {
      for (const { conversation, event } of rows.lately(watch.id, MOST_THREADS)) {
        if (signal.aborted) return;
        if (!isPost(event)) continue;
        const look = looks.find(watch.id, event.person.place, event.post);
        if (look === null || look.conversation !== null) continue;
        const surface = surfaces().find(({ name, off }) => name === watch.surface && off === null);
        if (surface === undefined) return;
        await untilConnected(surface, clock, signal);
        await finish(watch, event, conversation, signal);
      }
    },
  };
};

/** A conversation that has just begun repeats nothing. */
const cut = (left: Composed): TextCut => ({ left, taken: [] });
