/**
 * A restored backup may lack Parley's own answers in a thread. Messages before such answers are not answered again.
 * An event may arrive minutes after later ones, so messages shortly before a cursor are read again and recognized by their ids.
 * No message older than the stored ids is read. Therefore no request is carried out twice.
 */

import { DAY, type Millis } from "../../machine/id.ts";
import {
  type Backlog,
  type ChatStore,
  comparePositions,
  type Cursors,
  type MissedMessages,
  type Source,
  type BacklogScope,
} from "../../ports/chat-rows.ts";
import type { InboundEvent, InboundResult, Inbox } from "../../ports/chat.ts";
import { type Ambient, pause } from "../../ports/host.ts";
import { type Ledger, mayPass, type SendFailure, whyOf } from "../../ports/surface.ts";
import { createTurns } from "../bot/turns.ts";
import type { ListeningGap } from "./listening-gap.ts";

/** Latest threads first, up to THREADS. At Slack's limit of fifty reads a minute, the last is read after twenty minutes. */
const RECENT: Millis = 3 * 24 * 60 * 60_000;
const THREADS = 1_000;
/** Maximum delay of an event after its message. Slack resends an event after five minutes. */
const OVERLAP: Millis = 10 * 60_000;
/** Maximum number of unknown channels that are read for mentions. */
const PLACES = 200;
/** Delay if the platform requests none, and number of attempts without a usable answer. */
const WAIT: Millis = 5_000;
const TRIES = 5;
/** Delays before everything is read again after a partial failure; LONGEST after the last. */
const AGAIN: readonly Millis[] = [60_000, 2 * 60_000, 5 * 60_000];
const LONGEST: Millis = 10 * 60_000;
/** Delay between two named channels: a fifth of the calls per second that Discord allows a bot. */
const READ_EVERY: Millis = 100;
const PLACE_AGAIN: readonly Millis[] = [5_000, 10_000, 20_000, 60_000];
const LONGEST_PLACE: Millis = 5 * 60_000;

interface CatchUpDeps extends Ambient {
  readonly surface: string;
  /** Null if only named channels are read. */
  readonly backlog: Backlog | null;
  readonly rows: Pick<ChatStore, "newest" | "unused">;
  readonly cursors: Cursors;
  readonly inbox: Pick<Inbox, "arrive">;
  readonly gap: ListeningGap;
  readonly ledger: Pick<Ledger, "lived" | "wires">;
  /** Called once per cursor. */
  readonly tellLeft: (source: Source, threads: number) => Promise<unknown>;
  /** `threads`: limit beyond which threads were not read; 0 for none. */
  readonly passedOver: (channels: number, threads: number) => void;
}

export const createCatchUp = (deps: CatchUpDeps) => {
  const { surface, backlog, cursors, inbox, gap, clock, log } = deps;
  const turns = createTurns();
  let closed = false;
  let failures = 0;
  let cancel: (() => void) | null = null;

  const run = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    if (backlog === null) return;
    const now = gap.current();
    const over = (): boolean => closed || gap.current() !== now;
    let all = true;
    const sources = cursors.sources(surface, clock.now() - RECENT, THREADS);
    const threads = sources.filter(({ root }) => root !== null).length === THREADS ? THREADS : 0;
    let channels = 0;
    if (threads > 0) {
      log.warn("catch-up: only the latest threads read", {
        surface,
        threads: THREADS,
      });
    }
    const { sweep } = backlog;
    const reading = sweep === undefined ? null : readingOf(deps, sweep);
    const unused = reading?.unused() ?? [];
    for (const source of [...sources.map(reading?.overlapping ?? same), ...unused]) {
      all = (await readOne(backlog, source, over)) && all;
    }
    if (sweep !== undefined && reading !== null) {
      const known = new Set([...sources, ...unused].map(({ place }) => place));
      const others = await readOthers(backlog, sweep, known, reading.unknown, over);
      all = others.all && all;
      channels = others.left;
    }
    if (over()) return;
    deps.passedOver(channels, threads);
    if (all && (await cursors.tighten(surface)).kind === "done") {
      failures = 0;
      gap.end(now);
    } else later(over);
  };

  /** Reads channels in which no mention of the bot is known to this host. */
  const readOthers = async (
    from: Backlog,
    { places }: BacklogScope,
    known: ReadonlySet<string>,
    since: string,
    over: () => boolean,
  ): Promise<{ readonly all: boolean; readonly left: number }> => {
    const read = await patiently(places, over);
    if (read === null) return { all: false, left: 0 };
    if (read.kind !== "places") {
      log.warn("catch-up: channels not listed", { surface, why: whyOf(read) });
      return { all: !mayPass(read), left: 0 };
    }
    const others = read.places.filter((place) => !known.has(place));
    const left = Math.max(0, others.length - PLACES);
    if (left > 0) log.warn("catch-up: channels not read", { surface, channels: left });
    let all = true;
    for (const place of others.slice(0, PLACES)) {
      all = (await readOne(from, { place, root: null, since }, over)) && all;
    }
    return { all, left };
  };

  /** Schedules another run, because a connected platform does not report missed messages on its own. */
  const later = (over: () => boolean): void => {
    log.warn("catch-up: missed messages only partly stored, retry scheduled", {
      surface,
    });
    const wait = AGAIN[failures] ?? LONGEST;
    failures += 1;
    cancel?.();
    cancel = clock.after(wait, () => {
      if (!over()) void run();
    });
  };

  /** False if the source must be read again. A deleted source counts as read. */
  const readOne = async (from: Backlog, source: Source, over: () => boolean): Promise<boolean> => {
    const missed = await patiently(() => readOnce(from, source), over);
    if (missed === null) return false;
    if (missed.kind === "arrived") return missed.all.every(({ kind }) => kind !== "failed");
    if (mayPass(missed)) return false;
    log.warn("catch-up: missed messages of a thread not read", { surface, why: whyOf(missed) });
    return true;
  };

  /** Null if catch-up ends first. */
  const patiently = async <Good extends { readonly kind: "arrived" | "places" }>(
    ask: () => Promise<Good | SendFailure>,
    over: () => boolean,
  ): Promise<Good | SendFailure | null> => {
    for (let tries = 1; !over(); tries += 1) {
      const answer = await ask();
      if (!isTrouble(answer) || !mayPass(answer) || tries >= TRIES) return answer;
      await pause(clock, answer.kind === "throttled" ? answer.retryAfter : WAIT * tries);
    }
    return null;
  };

  /** Messages of Parley that the ledger lacks must still exist at a second read, because progress messages are deleted. */
  const readOnce = async (
    from: Backlog,
    source: Source,
    strange?: ReadonlySet<string>,
  ): Promise<SendFailure | { readonly kind: "arrived"; readonly all: readonly InboundResult[] }> => {
    const missed = await from.missed(source);
    if (missed.kind !== "read") return missed;
    if (closed) return { kind: "arrived", all: [] };
    if (missed.left !== undefined && missed.left > 0) {
      log.warn("catch-up: threads not read", { surface, place: source.place, threads: missed.left });
      await deps.tellLeft(source, missed.left);
    }
    const known = new Set(wiresOf(deps, source).map(from.markOf));
    const foreign = missed.ours
      .filter(({ mark, id }) => !known.has(mark) && strange?.has(id) !== false)
      .map(({ id }) => id);
    if (foreign.length > 0 && strange === undefined) return readOnce(from, source, new Set(foreign));
    const left = unanswered(deps, foreign, missed);
    return { kind: "arrived", all: await Promise.all(left.map(inbox.arrive)) };
  };

  const readNext: typeof readAll = (...given) => turns.take("", () => readAll(...given));

  const readAll = async (from: Backlog, places: readonly Source[], tries: number): Promise<void> => {
    for (const source of places) {
      if (closed) return;
      await readPlace(from, source, tries);
      await pause(clock, READ_EVERY);
    }
  };

  const readPlace = async (from: Backlog, source: Source, tries: number): Promise<void> => {
    const missed = await readOnce(from, source);
    if (closed || missed.kind === "arrived") return;
    const why = whyOf(missed);
    const place = source.root ?? source.place;
    log.warn("catch-up: missed messages of a channel not read", {
      surface,
      place,
      again: mayPass(missed),
      why,
    });
    if (!mayPass(missed)) return;
    clock.after(PLACE_AGAIN[tries] ?? LONGEST_PLACE, () => void readNext(from, [source], tries + 1));
  };

  return {
    /** Called after each connection. Settles when the missed messages have arrived, or cannot be read this time. */
    run,
    /** Failed reads are repeated later. */
    read: (from: Backlog, places: readonly Source[]): Promise<void> => readNext(from, places, 0),
    close: () => {
      closed = true;
      cancel?.();
    },
  };
};

const isTrouble = (answer: SendFailure | { readonly kind: "arrived" | "places" }): answer is SendFailure =>
  answer.kind !== "arrived" && answer.kind !== "places";

const same = (source: Source): Source => source;

const readingOf = (
  { rows, surface, clock }: Pick<CatchUpDeps, "rows" | "surface" | "clock">,
  { timeOf, positionAt }: BacklogScope,
) => {
  const now = clock.now();
  const newest = rows.newest(surface);
  const recent = now - RECENT;
  // The platform's clock, because the host's may differ.
  const heard = newest === null ? null : timeOf(newest);
  const lost = heard === null ? null : Math.max(heard - OVERLAP, recent);
  /** Ids of all events since then are still stored (`inbox.ts`). */
  const kept = (heard ?? now) - DAY;
  return {
    overlapping: (source: Source): Source => {
      const since = positionAt(Math.max(timeOf(source.since) - OVERLAP, kept));
      const { first = null } = source;
      return { ...source, since: first !== null && comparePositions(since, first) < 0 ? first : since };
    },
    unused: (): readonly Source[] =>
      rows
        .unused(surface)
        .map(({ place, at }) => ({ place, root: null, since: positionAt(Math.max(at, lost ?? recent)) })),
    unknown: positionAt(lost ?? now - OVERLAP),
  };
};

/** A thread that was opened for a conversation starts with the conversation's id. */
const wiresOf = ({ ledger, surface }: CatchUpDeps, { place, root }: Source): readonly string[] =>
  root === null ? [] : ledger.lived(surface, place, root).flatMap((id) => [id, ...ledger.wires(id)]);

const unanswered = (
  { log, surface }: CatchUpDeps,
  foreign: readonly string[],
  { arrivals }: MissedMessages & { kind: "read" },
): readonly InboundEvent[] => {
  const last = foreign.toSorted(comparePositions).at(-1);
  const left = arrivals
    .filter(
      ({ position, isTaken }) => !isTaken && (last === undefined || comparePositions(position, last) > 0),
    )
    .toSorted((a, b) => comparePositions(a.position, b.position))
    .map(({ arrival }) => arrival);
  if (left.length < arrivals.length) {
    log.warn("catch-up: messages skipped, answered before the database was restored", {
      surface,
      messages: arrivals.length - left.length,
    });
  }
  return left;
};
