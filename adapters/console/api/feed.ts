/**
 * What one client hears of one conversation (docs/reference.md, `GET …/events`; BED-011, D23).
 *
 * F1. A client that says where it was hears every later post once and in order; any other hears a `snapshot` first, of all
 *     posts or the last of them, as it asks.
 * F2. Posts and states leave in the tick of their commit; `live` at most once in LIVE_EVERY ms, and never later.
 * F3. A client that does not read costs at most MAX_BACKLOG bytes: then nothing is sent until it has read all, and
 *     it is caught up from where it was, by the same path as a reconnect.
 */

import type { ConversationId, EffectId } from "../../../src/machine/id.ts";
import type { State } from "../../../src/machine/state.ts";
import type { Bot, Change, Overview } from "../../../src/ports/bot.ts";
import type { PostRow, QuestionRow } from "../../../src/ports/store.ts";
import type { Presenter } from "../render/presenter.ts";
import { liveText } from "../render/summary.ts";
import { newestPosts } from "./posts.ts";
import { beyond, type Cursor, cursorId } from "./cursor.ts";

/** Where frames go. `backlog`: bytes handed over and not yet taken by the client. */
export interface Sink {
  write(frame: string): void;
  readonly backlog: () => number;
  end(): void;
}

export interface Feed {
  /** The client has read everything. */
  drained(): void;
  /** Its socket is gone, or the server closes. */
  close(): void;
}

/** Short of the 50 ms within which text is to reach a browser, with room for a busy host. */
export const LIVE_EVERY = 30;
const MAX_BACKLOG = 1_048_576;
/** Above this `live` waits: only its newest text matters. */
const LIVE_BACKLOG = 65_536;

type News = Extract<Change, { readonly kind: "state" }>;

export const openFeed = (
  bot: Bot,
  id: ConversationId,
  from: Cursor | null,
  last: number | undefined,
  presenter: Presenter,
  sink: Sink,
): Feed => {
  let cursor = from?.boot === bot.boot ? from : null;
  let phase: "catchingUp" | "flowing" | "behind" | "closed" = "catchingUp";
  let latest: { overview: Overview; question: QuestionRow | null } | null = null;
  let asked: string | null = null;
  let rows: PostRow[] = [];
  let news: News | null = null;
  let live: Extract<Change, { readonly kind: "live" }> | null = null;
  let liveAt = -Infinity;
  let liveShown: EffectId | null = null;
  let liveTimer: NodeJS.Timeout | null = null;
  let flushing = false;

  const hear = (change: Change): void => {
    if (change.kind === "gone") return close();
    if (change.kind === "posts") {
      if (phase !== "behind") rows.push(...change.rows);
    } else if (change.kind === "state") news = change;
    else if (change.kind === "live") live = change;
    else if (phase === "flowing") send("progress", { line: change.line });
    if (phase !== "flowing" || flushing) return;
    flushing = true;
    queueMicrotask(() => {
      flushing = false;
      if (phase === "flowing") flush();
    });
  };

  const flush = (): void => {
    if (news !== null) latest = news;
    sendPosts(rows);
    rows = [];
    if (latest !== null && news !== null) {
      send("state", presenter.news(latest.overview, news.status));
      sendQuestion();
      endLive(latest.overview.state.phase);
    }
    news = null;
    flushLive();
    if (sink.backlog() > MAX_BACKLOG) phase = "behind";
  };

  /** The answer's post has taken the place of the text, or nothing will. */
  const endLive = (phase: State["phase"]): void => {
    if (live !== null && !isOf(phase, live.request)) live = null;
    if (liveShown === null || isOf(phase, liveShown)) return;
    liveShown = null;
    send("live", { request: null, text: "" });
  };

  const flushLive = (): void => {
    if (live === null) return;
    const wait = live.text === "" ? 0 : liveAt + LIVE_EVERY - performance.now();
    if (wait > 0) {
      liveTimer ??= setTimeout(() => {
        liveTimer = null;
        if (phase === "flowing") flushLive();
      }, wait);
      return;
    }
    if (sink.backlog() > LIVE_BACKLOG) return;
    liveAt = performance.now();
    liveShown = live.text === "" ? null : live.request;
    send("live", { request: live.request, text: live.text });
    live = null;
  };

  const catchUp = async (): Promise<void> => {
    phase = "catchingUp";
    const detail = await bot.read(id);
    if (isClosed()) return;
    if (detail === null) return close();
    latest = { overview: detail, question: detail.question };
    if (cursor === null) {
      const { rows: shown, earlier } =
        last === undefined ? { rows: bot.posts(id, 0), earlier: null } : newestPosts(bot, id, last);
      const revision = shown.reduce((most, row) => Math.max(most, row.revision), 0);
      cursor = { boot: bot.boot, revision };
      asked = questionKey();
      send("snapshot", presenter.snapshot(detail, shown, earlier), cursorId(cursor));
    } else {
      sendPosts(bot.posts(id, cursor.revision));
      send("state", presenter.news(detail, detail.status));
      asked = null;
      sendQuestion();
      send("live", { request: null, text: liveText(detail) });
    }
    const { phase: doing } = detail.state;
    liveShown = doing.kind === "thinking" && detail.live !== "" ? doing.request : null;
    phase = "flowing";
    flush();
  };

  const sendPosts = (changed: readonly PostRow[]): void => {
    if (cursor === null || latest === null || changed.length === 0) return;
    for (const row of beyond(cursor, changed)) {
      const [post] = presenter.posts(latest.overview, latest.question, [row]);
      cursor = { ...cursor, revision: row.revision };
      if (post !== undefined) send("post", post, cursorId(cursor));
    }
  };

  const sendQuestion = (): void => {
    const key = questionKey();
    if (latest === null || key === asked) return;
    asked = key;
    send("question", { question: presenter.question(latest.overview, latest.question) });
  };

  /** "" while nothing is asked; null means that the client has not been told. */
  const questionKey = (): string =>
    latest?.overview.state.phase.kind === "awaitingApproval" ? (latest.question?.wire ?? "") : "";

  const send = (event: string, data: unknown, eventId?: string): void =>
    sink.write(
      `${eventId === undefined ? "" : `id: ${eventId}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    );

  const isClosed = (): boolean => phase === "closed";

  const close = (): void => {
    if (phase === "closed") return;
    phase = "closed";
    unsubscribe();
    if (liveTimer !== null) clearTimeout(liveTimer);
    sink.end();
  };

  const unsubscribe = bot.subscribe(id, hear);
  void catchUp();
  return {
    drained: () => {
      if (phase === "behind") void catchUp();
      else if (phase === "flowing") flushLive();
    },
    close,
  };
};

const isOf = (phase: State["phase"], request: EffectId | null): boolean =>
  request !== null && phase.kind === "thinking" && phase.request === request;
