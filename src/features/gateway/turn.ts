/** Runs one turn for a waiting client: streams text, and returns the result when the turn ends or pauses. */

import type { ConversationId } from "../../machine/id.ts";
import { personQuestionIn } from "../../machine/person-question.ts";
import { failedText } from "../../machine/retry.ts";
import { askOf, isSettled, type State } from "../../machine/state.ts";
import type { Notice } from "../../machine/transcript.ts";
import { type FailureKind, noUsage, type Usage } from "../../machine/vocabulary.ts";
import type { Bot, Detail, SayResult } from "../../ports/bot.ts";
import type { PostRow } from "../../ports/store.ts";
import type { Post, PostBody } from "../../thread/post.ts";
import { choiceLabels } from "../../thread/person-question.ts";
import { answerText, callReason, citationsOf } from "../../thread/visible-text.ts";
import { sharedFile, sizeText } from "../../../adapters/text/files.ts";
import { sourcesText } from "../../../adapters/text/citations.ts";
import type { Conversation } from "../../ports/conversation.ts";
import { citedText } from "../../text/citation.ts";
import { callInput, type StoredContent } from "../../thread/prompt.ts";
import { english } from "../../i18n/say.ts";

export type TurnResult =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly finish: "stop" | "length" | "content_filter";
      readonly usage: Usage;
    }
  | { readonly kind: "asked"; readonly detail: Detail }
  | { readonly kind: "failed"; readonly message: string; readonly why: FailureKind | OwnFailure }
  | { readonly kind: "notTaken"; readonly result: Exclude<SayResult, { readonly kind: "accepted" }> };

type OwnFailure = "stopped" | "interrupted" | "empty" | "deleted";

export interface TurnHooks {
  /** Called with the answer so far: all responses of the turn joined. Text of a failed attempt may disappear again. */
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Sends the message and waits for the end of the turn or for a question. If the client aborts, the turn is stopped. */
export const runTurn = async (
  bot: Bot,
  id: ConversationId,
  say: () => Promise<SayResult>,
  hooks: TurnHooks,
): Promise<TurnResult> => {
  await bot.read(id);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const rows = new Map<string, PostRow>();
  let live = "";
  /** Number of the turn; null until the message is accepted. */
  let turn: number | null = null;
  let latest: State | null = null;
  const show = (): void => {
    if (turn !== null && live !== "") hooks.onText(join(written(bot, inOrder(rows.values())), live));
  };
  const heed = (): void => {
    if (turn !== null && latest !== null && (latest.turn.no !== turn || isSettled(latest.phase))) end();
  };
  const unsubscribe = bot.subscribe(id, (change) => {
    switch (change.kind) {
      case "live":
        live = change.text;
        return show();
      case "posts":
        if (change.rows.some(({ post }) => isOfClient(post.body))) rows.clear();
        for (const row of change.rows) rows.set(row.post.key, row);
        return;
      case "state":
        latest = change.overview.state;
        return heed();
      case "gone":
        return end();
      case "progress":
        return;
    }
  });
  const stop = (): void => void bot.act(id, { kind: "stop", by: "gateway:client" });
  const said = await say();
  const begun = said.kind === "accepted" ? await bot.read(id) : null;
  const before = begun === null ? -1 : lastSaid(bot, id);
  if (begun !== null) {
    turn = begun.state.turn.no;
    hooks.signal.addEventListener("abort", stop);
    if (hooks.signal.aborted) stop();
    latest ??= begun.state;
    show();
    heed();
    await ended;
    hooks.signal.removeEventListener("abort", stop);
  }
  unsubscribe();
  if (said.kind !== "accepted") return { kind: "notTaken", result: said };
  const detail = await bot.read(id);
  return detail === null || begun === null ? DELETED : resultOf(bot, detail, before);
};

const inOrder = (rows: Iterable<PostRow>): readonly Post[] =>
  [...rows].toSorted((a, b) => a.ordinal - b.ordinal).map(({ post }) => post);

/** Text of the answers and a line for each file, in the order of the posts. */
const written = (bot: Bot, posts: readonly Post[]): string =>
  posts.reduce((text, { body }) => {
    if (body.kind === "file") return join(text, fileLine(body, bot));
    return body.kind === "answer"
      ? join(text, answerText(bot.words([body.message]).get(body.message), ""))
      : text;
  }, "");

/** OpenAI's format has no files, so the line refers to the console. */
const fileLine = (body: PostBody & { readonly kind: "file" }, bot: Bot): string => {
  const file = sharedFile(body, bot.words([body.message]));
  return file === null
    ? "[A file in this place was erased.]"
    : `[File: ${file.name} (${sizeText(file.size)}), to be downloaded in Parley's console]`;
};

const join = (a: string, b: string): string => (a === "" || b === "" ? a + b : `${a}\n\n${b}`);

/** Whether the post is a message, or a question of the agent that a message answered. */
const isOfClient = (body: PostBody): boolean =>
  body.kind === "user" || (body.kind === "question" && body.ask?.kind === "person" && body.decision !== null);

/** Ordinal of the message that started the turn or answered the agent's question. */
const lastSaid = (bot: Bot, id: ConversationId): number => {
  for (const { post, ordinal } of bot.latestPosts(id)) if (isOfClient(post.body)) return ordinal;
  return -1;
};

/** `first`: ordinal by `lastSaid`. */
const resultOf = (bot: Bot, detail: Detail, first: number): TurnResult => {
  const rows: PostRow[] = [];
  for (const row of bot.latestPosts(detail.state.id)) {
    if (row.ordinal <= first) break;
    rows.push(row);
  }
  const after = inOrder(rows);
  const next = after.findIndex(({ body }) => isAnotherTurn(body));
  const posts = next === -1 ? after : after.slice(0, next);
  if (next === -1 && detail.state.phase.kind === "awaitingApproval") {
    const question = questionIn(bot, detail.state);
    if (question === null) return { kind: "asked", detail };
    const { usage } = detail.state.turn;
    return { kind: "answered", text: join(written(bot, posts), question), finish: "stop", usage };
  }

  const bodies = posts.map(({ body }) => body);
  const notices = bodies.flatMap((body) => (body.kind === "notice" ? [body.notice] : []));
  const text = written(bot, posts);
  const summary = bodies.find((body) => body.kind === "summary");
  const footer = bodies.findLast((body) => body.kind === "footer");
  const usage = footer?.usage ?? noUsage;
  if (summary !== undefined) {
    const { rejected } = summary;
    if (text === "") return { kind: "failed", why: "context", message: fullText(rejected) };
    const finish = rejected.length > 0 ? "length" : "stop";
    return { kind: "answered", text: `${text}\n\n[${fullText(rejected)}]`, finish, usage };
  }
  const failure = notices.map(failureOf).findLast((one) => one !== null);
  if (failure !== undefined) return failure;
  const kinds = new Set(notices.map(({ kind }) => kind));
  const finish = kinds.has("cut") ? "length" : kinds.has("refused") ? "content_filter" : "stop";
  const cited = footer?.answer;
  const below = cited === undefined ? "" : sourcesBelow(bot.words([cited]).get(cited), detail.conversation);
  return { kind: "answered", text: `${text}${below}`, finish, usage };
};

/** The agent's question with its choices, which the client's next message answers (D53); null for other questions. */
const questionIn = (bot: Bot, state: State): string | null => {
  const phase = personQuestionIn(state);
  if (phase === null) return null;
  const { question, call } = phase;
  const words = bot.words([question.message]).get(question.message);
  const choices = choiceLabels(askOf(question), callInput(words, call.id), english);
  return join(
    callReason(words, call.id) ?? "",
    choices.map((choice, index) => `${index + 1}. ${choice}`).join("\n"),
  );
};

/** Whether the post starts another turn: a message, or a summary that a person requested. */
const isAnotherTurn = (body: PostBody): boolean =>
  body.kind === "user" || (body.kind === "summary" && body.by !== null);

const failureOf = (notice: Notice): (TurnResult & { readonly kind: "failed" }) | null => {
  if (notice.kind === "failed") {
    return { kind: "failed", why: notice.failure.kind, message: failedText(notice) };
  }
  const { kind } = notice;
  if (kind !== "stopped" && kind !== "interrupted" && kind !== "empty") return null;
  return { kind: "failed", why: kind, message: ENDINGS[kind] };
};

const ENDINGS = {
  stopped: "The turn was stopped.",
  interrupted: "The turn was interrupted: this host ends.",
  empty: "The model answered with nothing.",
} as const;

const fullText = (rejected: readonly string[]): string =>
  [
    "The session's context is full, and it takes no more messages.",
    ...(rejected.length === 0 ? [] : [`Not run: ${rejected.join(", ")}.`]),
    FULL_REMEDY,
  ].join(" ");

export const FULL_REMEDY =
  "Begin another session (another X-Session-Id), or have it continued in the console: the session then goes on there.";

const DELETED: TurnResult = {
  kind: "failed",
  why: "deleted",
  message: "The session was deleted while it answered.",
};

const MOST_NAMED = 10;

/**
 * Sources below an answer; empty if the answer cites nothing. The answer itself is not marked, because clients have already
 * received its text. Pure.
 */
export const sourcesBelow = (words: StoredContent | undefined, conversation: Conversation): string => {
  const checked = citationsOf(words);
  const sources = sourcesText(checked, conversation, ({ text, link }) =>
    link === null ? `\`${text}\`` : `[\`${text}\`](${link})`,
  );
  if (checked === undefined || sources === null) return "";
  const { base } = conversation;
  const doubtful = checked.filter(({ status }) => status === "missing" || status === "unread");
  const named = doubtful.slice(0, MOST_NAMED).map((one) => `\`${citedText(one)}\``);
  return [
    "",
    "",
    `${sources}${named.length === 0 ? "" : `: ${named.join(", ")}`}${base === null || base.name !== undefined ? "" : ` · commit ${base.commit.slice(0, 9)} (${base.ref})`}`,
  ].join("\n");
};
