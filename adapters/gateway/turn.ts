/** One turn as a client waits for it: what streams meanwhile, and how it came out. */

import type { ConversationId } from "../../src/core/id.ts";
import { answerText } from "../../src/core/spoken.ts";
import type { Usage } from "../../src/core/words.ts";
import { noUsage } from "../../src/core/words.ts";
import type { PostBody } from "../../src/core/view.ts";
import type { Bot, Detail, SayResult } from "../../src/runtime/ports.ts";
import { sharedFile, sizeText } from "../text.ts";
import { sourcesBelow } from "./sources.ts";

export type TurnResult =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly finish: "stop" | "length" | "content_filter";
      readonly usage: Usage;
    }
  /** A person's word is needed. */
  | { readonly kind: "asked"; readonly detail: Detail }
  | { readonly kind: "failed"; readonly message: string; readonly why: string }
  | { readonly kind: "notTaken"; readonly result: Exclude<SayResult, { readonly kind: "accepted" }> };

export interface TurnHooks {
  /** Text of the answer so far, all responses of the turn joined. */
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Says it and waits for the end of the turn, or for a question. An aborted client stops its turn. */
export const takeTurn = async (
  bot: Bot,
  id: ConversationId,
  say: () => Promise<SayResult>,
  hooks: TurnHooks,
): Promise<TurnResult> => {
  const before = await bot.read(id);
  const last = Math.max(-1, ...(before?.posts ?? []).map(({ ordinal }) => ordinal));
  const turn = before?.state.turn.no ?? 0;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let written = "";
  const unsubscribe = bot.subscribe(id, (change) => {
    if (change.kind === "live" && change.text !== "") hooks.onText(join(written, change.text));
    if (change.kind === "posts")
      written = answers(
        bot,
        change.rows.map(({ post }) => post),
        written,
      );
    if (change.kind !== "state") return;
    const { state } = change.overview;
    if (state.turn.no > turn && SETTLED.has(state.phase.kind)) resolve();
  });
  const stop = (): void => void bot.act(id, { kind: "stop", by: "gateway:client" });
  hooks.signal.addEventListener("abort", stop);
  const said = await say();
  if (said.kind === "accepted") await ended;
  hooks.signal.removeEventListener("abort", stop);
  unsubscribe();
  if (said.kind !== "accepted") return { kind: "notTaken", result: said };
  const detail = await bot.read(id);
  return detail === null ? { kind: "notTaken", result: { kind: "unknown" } } : resultOf(bot, detail, last);
};

const SETTLED: ReadonlySet<string> = new Set(["idle", "failed", "awaitingApproval"]);

type PostOf = Detail["posts"][number]["post"];

/** Answers, and a line for each file, in the order in which they are posted. */
const answers = (bot: Bot, posts: readonly PostOf[], before: string): string =>
  posts.reduce((text, { body }) => {
    if (body.kind === "file") return join(text, fileLine(body, bot));
    return body.kind === "answer"
      ? join(text, answerText(bot.words([body.message]).get(body.message), ""))
      : text;
  }, before);

/** OpenAI's answers carry no files: the console has it. */
const fileLine = (body: PostBody & { readonly kind: "file" }, bot: Bot): string => {
  const file = sharedFile(body, bot.words([body.message]));
  return file === null
    ? "[A file that stood here was erased.]"
    : `[File: ${file.name} (${sizeText(file.size)}), to be downloaded in Parley's console]`;
};

const join = (a: string, b: string): string => (a === "" || b === "" ? a + b : `${a}\n\n${b}`);

const resultOf = (bot: Bot, detail: Detail, last: number): TurnResult => {
  const { phase } = detail.state;
  if (phase.kind === "awaitingApproval") return { kind: "asked", detail };
  if (phase.kind === "failed")
    return { kind: "failed", message: phase.failure.message, why: phase.failure.kind };
  const posts = detail.posts
    .filter(({ ordinal }) => ordinal > last)
    .toSorted((a, b) => a.ordinal - b.ordinal)
    .map(({ post }) => post);
  const notices = new Set(posts.flatMap(({ body }) => (body.kind === "notice" ? [body.notice.kind] : [])));
  if (notices.has("stopped") || notices.has("interrupted"))
    return { kind: "failed", message: "The turn was stopped.", why: "stopped" };
  const usage = posts.flatMap(({ body }) => (body.kind === "footer" ? [body.usage] : [])).at(-1) ?? noUsage;
  const finish = notices.has("cut") ? "length" : notices.has("refused") ? "content_filter" : "stop";
  const cited = posts
    .flatMap(({ body }) => (body.kind === "footer" && body.answer ? [body.answer] : []))
    .at(-1);
  const below = cited === undefined ? "" : sourcesBelow(bot.words([cited]).get(cited), detail.conversation);
  return { kind: "answered", text: `${answers(bot, posts, "")}${below}`, finish, usage };
};
