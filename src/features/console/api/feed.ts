/**
 * Events of one conversation for one client (docs/reference.md, `GET …/events`; BED-011, D23).
 *
 * F1. A client that names its last event gets every later post once and in order. Any other client gets a
 * `snapshot` first, with all posts or the last of them, as requested.
 * F2. Posts and states are sent in the tick of their commit; a slow client gets only the newest state. `live`
 * is sent at most once per LIVE_EVERY ms, and never later than that.
 * F3. Frames are produced only after the client has taken the frames before. A client that does not read
 * costs at most MOST_ROWS rows, and catches up later from its last position, like after a reconnect.
 */

import type { ConversationId, EffectId } from "../../../machine/id.ts";
import type { State } from "../../../machine/state.ts";
import type { Bot, ConversationChange, Overview } from "../../../ports/bot.ts";
import type { PostRow, QuestionRow } from "../../../ports/store.ts";
import type { Presenter } from "../render/presenter.ts";
import { liveText } from "../render/summary.ts";

/** Milliseconds. Text must reach a browser within 50 ms; the rest is room for a busy host. */
export const LIVE_EVERY = 30;
const MOST_ROWS = 200;

interface Asked {
  readonly id: ConversationId;
  /** Last revision that the client received from this `boot`; null if there is none. */
  readonly from: number | null;
  /** Number of posts in a snapshot; all posts if undefined. */
  readonly last: number | undefined;
}

interface Latest {
  readonly overview: Overview;
  readonly question: QuestionRow | null;
}

/**
 * Yields the available frames each time the client asks for more. Ends with the conversation or the signal.
 */
export async function* feed(
  bot: Bot,
  { id, from, last }: Asked,
  presenter: Presenter,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const ear = listen(bot, id, signal);
  let cursor = from;
  /** Key of the question that was sent last: "" for no question, null if nothing was sent yet. */
  let asked: string | null = null;
  let waiting: Told["live"] = null;
  let liveAt = -Infinity;
  let liveShown: EffectId | null = null;
  let frames = "";

  const send = (event: string, data: unknown, revision?: number): void => {
    const name = revision === undefined ? "" : `id: ${bot.boot}.${revision}\n`;
    frames += `${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  };

  const sendPosts = ({ overview, question }: Latest, rows: readonly PostRow[]): void => {
    for (const row of rows.toSorted((a, b) => a.revision - b.revision)) {
      if (cursor === null || row.revision <= cursor) continue;
      const [post] = presenter.posts(overview, question, [row]);
      cursor = row.revision;
      if (post !== undefined) send("post", post, cursor);
    }
  };

  const sendQuestion = ({ overview, question }: Latest): void => {
    const key = questionKey(overview, question);
    if (key !== asked) send("question", { question: presenter.question(overview, question) });
    asked = key;
  };

  /** Sends a snapshot, or the changes since the cursor; returns null if the conversation was deleted. */
  const catchUp = async (): Promise<Latest | null> => {
    const detail = await bot.read(id);
    if (detail === null) return null;
    const latest = { overview: detail, question: detail.question };
    if (cursor === null) {
      const { rows, earlier } =
        last === undefined ? { rows: bot.posts(id, 0), earlier: null } : newestPosts(bot, id, last);
      cursor = rows.reduce((most, row) => Math.max(most, row.revision), 0);
      asked = questionKey(detail, detail.question);
      send("snapshot", presenter.snapshot(detail, rows, earlier), cursor);
    } else {
      sendPosts(latest, bot.posts(id, cursor));
      send("state", presenter.news(detail, detail.status));
      asked = null;
      sendQuestion(latest);
      send("live", { request: null, text: liveText(detail) });
    }
    const { phase } = detail.state;
    liveShown = phase.kind === "thinking" && detail.live !== "" ? phase.request : null;
    return latest;
  };

  try {
    let latest = await catchUp();
    while (latest !== null && !ear.isOver()) {
      const { rows, news, live, line } = ear.take();
      if (rows === null) {
        waiting = null;
        latest = await catchUp();
        continue;
      }
      if (news !== null) latest = news;
      sendPosts(latest, rows);
      waiting = live ?? waiting;
      if (news !== null) {
        const { phase } = news.overview.state;
        send("state", presenter.news(news.overview, news.status));
        sendQuestion(news);
        // The answer's post has replaced the live text, or the request ended without an answer.
        if (!isOf(phase, waiting?.request)) waiting = null;
        if (liveShown !== null && !isOf(phase, liveShown)) {
          liveShown = null;
          send("live", { request: null, text: "" });
        }
      }
      if (line !== null) send("progress", { line: line.line });
      const wait = waiting === null || waiting.text === "" ? 0 : liveAt + LIVE_EVERY - performance.now();
      if (waiting !== null && wait <= 0) {
        const { request, text } = waiting;
        waiting = null;
        liveAt = performance.now();
        liveShown = text === "" ? null : request;
        send("live", { request, text });
      }
      if (frames === "") await ear.next(waiting === null ? null : wait);
      else {
        yield frames;
        frames = "";
      }
    }
  } finally {
    ear.close();
  }
}

interface Newest {
  readonly rows: readonly PostRow[];
  /** Ordinal of the first returned post; null if no earlier post exists. */
  readonly earlier: number | null;
}

/** The last `count` posts before the ordinal `before`. */
export const newestPosts = (bot: Bot, id: ConversationId, count: number, before?: number): Newest => {
  const rows: PostRow[] = [];
  for (const row of bot.latestPosts(id, before)) {
    if (rows.length === count) return { rows, earlier: rows.at(-1)?.ordinal ?? null };
    rows.push(row);
  }
  return { rows, earlier: null };
};

/**
 * Reads an event id of the form `boot.revision` (D23). Null if `boot` differs: revisions are valid only in
 * one process, or on all hosts of one database.
 */
export const revisionIn = (eventId: string | undefined, boot: string): number | null => {
  const [, its, revision] = /^([\w-]{1,100})\.(\d{1,15})$/.exec(eventId ?? "") ?? [];
  return its === boot ? Number(revision) : null;
};

/** Changes that were received but not sent yet. Only the newest state, text and progress line is kept. */
interface Told {
  /** Null if there are too many, so that the rows must be read from the store. */
  readonly rows: readonly PostRow[] | null;
  readonly news: Extract<ConversationChange, { readonly kind: "state" }> | null;
  readonly live: Extract<ConversationChange, { readonly kind: "live" }> | null;
  readonly line: Extract<ConversationChange, { readonly kind: "progress" }> | null;
}

const NOTHING: Told = { rows: [], news: null, live: null, line: null };

const listen = (bot: Bot, id: ConversationId, signal: AbortSignal) => {
  let told = NOTHING;
  let isGone = false;
  let woken = Promise.withResolvers<void>();
  const unsubscribe = bot.subscribe(id, (change) => {
    if (change.kind === "gone") isGone = true;
    else if (change.kind === "posts") {
      const rows = told.rows === null ? null : [...told.rows, ...change.rows];
      told = { ...told, rows: rows === null || rows.length > MOST_ROWS ? null : rows };
    } else if (change.kind === "state") told = { ...told, news: change };
    else told = change.kind === "live" ? { ...told, live: change } : { ...told, line: change };
    woken.resolve();
  });
  signal.addEventListener("abort", () => woken.resolve(), { once: true });
  return {
    isOver: () => isGone || signal.aborted,
    take: () => {
      const taken = told;
      told = NOTHING;
      woken = Promise.withResolvers();
      return taken;
    },
    /**
     * Resolves after the tick in which more arrives, so that a page never sees half of a step, or after
     * `wait` milliseconds.
     */
    next: async (wait: number | null): Promise<void> => {
      const timer = wait === null ? undefined : setTimeout(woken.resolve, wait);
      if (!isGone && !signal.aborted) await woken.promise;
      clearTimeout(timer);
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
    },
    close: unsubscribe,
  };
};

/** "" if no question is pending. */
const questionKey = ({ state }: Overview, question: QuestionRow | null): string =>
  state.phase.kind === "awaitingApproval" ? (question?.wire ?? "") : "";

const isOf = (phase: State["phase"], request: EffectId | null | undefined): boolean =>
  typeof request === "string" && phase.kind === "thinking" && phase.request === request;
