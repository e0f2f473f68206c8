import { familyOf } from "../../machine/agent.ts";
import type { EventKind } from "../../machine/event.ts";
import type { EffectId, MessageId } from "../../machine/id.ts";
import { ownModel } from "../../machine/model-fallback.ts";
import type { State } from "../../machine/state.ts";
import type { Call, Failure } from "../../machine/vocabulary.ts";
import {
  type Base,
  type Conversation,
  type RepositoryFolder,
  foldersOf,
  type Prefix,
  webRoot,
} from "../../ports/conversation.ts";
import type { AnswerReuse } from "../../ports/reuse.ts";
import type { RandomId } from "../../ports/host.ts";
import type { Model, ModelNames, ModelOutcome } from "../../ports/model.ts";
import type { Requests } from "../../ports/questions.ts";
import type { ChannelNotes, NoteForModel } from "../../ports/notes.ts";
import type { Store } from "../../ports/store.ts";
import type { Tools } from "../../ports/tools.ts";
import type { Citations } from "../../ports/workspaces.ts";
import { referencesIn } from "../../text/references.ts";
import { estimateTokens } from "../../thread/estimate.ts";
import type { Linkable } from "../../thread/linkable.ts";
import type { AnswerBlock, PromptMessage } from "../../thread/prompt.ts";
import { citedWords } from "./cited-words.ts";
import { createLiveLookup } from "./live-lookup.ts";
import type { Live } from "./conversation.ts";
import { deliveredEvent } from "./mailbox.ts";
import { earlierFor, answerFromReuse, seekEarlier } from "./reused-answer.ts";
import type { History } from "./history.ts";
import { openingMessage } from "./opening-message.ts";
import { type OpenDeps, openWorkspace } from "./open-workspace.ts";
import type { Slots } from "./slots.ts";
import { toStorable } from "./storable.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export interface ThinkDeps extends OpenDeps {
  readonly store: Store;
  readonly model: Model;
  readonly tools: Tools;
  readonly citations: Citations;
  readonly models?: ModelNames;
  readonly modelSlots: Slots;
  readonly reuse?: AnswerReuse;
  readonly memory?: ChannelNotes;
  /** Absent if people without write permission cannot request changes. */
  readonly requests?: Requests;
  readonly randomId: RandomId;
}

export const think = async (
  deps: ThinkDeps,
  live: Live,
  history: History,
  id: EffectId,
  signal: AbortSignal,
): Promise<void> => {
  const { turn } = live.state();
  const isFirst = turn.no === 1 && turn.rounds === 0;
  const reuse = isFirst ? deps.reuse : undefined;
  const given = await reuse?.find(live.conversation(), live.state(), history.read());
  if (signal.aborted) return;
  if (given != null) return answerFromReuse(deps.randomId, live, id, given);
  if (reuse !== undefined) seekEarlier(reuse, live, history.read());
  const ready = await openWorkspace(deps, live, signal);
  if (ready.kind === "aborted") return;
  if (ready.kind === "failed") return fail(live, id, ready.failure);
  const prefix = deps.store.prefix(live.conversation().prefix);
  if (prefix === null) return fail(live, id, PREFIX_LOST);
  const told = history.read();
  const { context } = live.state();
  if (context.window > 0 && estimateTokens(context, told) > context.window) return fail(live, id, TOO_LARGE);
  const guidance = await deps.workspaces.guidance(live.conversation());
  const release = await deps.modelSlots.take(signal, familyOf(live.state().id));
  if (release === null) return;
  const { model, turn: asked } = live.state();
  if (asked.added !== undefined) {
    release();
    return live.post(deliveredEvent({ kind: "renewed", by: id }));
  }
  const linkable = history.linkable(live.conversation());
  const notes = deps.memory?.usedIn(live.conversation()) ?? [];
  const opening = openingMessage(
    live.conversation(),
    ready.base,
    guidance,
    notes.map(({ line }) => line),
  );
  const messages = history.asked(opening, (text) => referred(live.conversation(), text));
  const asking = { live, model, base: ready.base, linkable, id, signal, notes };
  const answer = await ask(deps, asking, messages, prefix);
  release();
  await report(deps, asking, answer);
};

interface Asking {
  readonly live: Live;
  readonly model: string;
  readonly base: Base;
  readonly linkable: Linkable;
  readonly id: EffectId;
  readonly signal: AbortSignal;
  readonly notes: readonly NoteForModel[];
}

/** With several repositories a bare number is ambiguous, so only links count. */
const referred = (conversation: Conversation, text: string): string | null => {
  const folders = foldersOf(conversation);
  if (folders.length === 0) return referencesIn(text, webRoot(conversation.repo.location));
  const named = folders.flatMap(({ name, repo }) => referencesIn(text, webRoot(repo.location), name) ?? []);
  return named.length === 0 ? null : named.join("\n");
};

const ask = async (
  deps: ThinkDeps,
  { live, model, base, linkable, id, signal }: Asking,
  messages: readonly PromptMessage[],
  prefix: Prefix,
): Promise<ModelOutcome> => {
  let text = "";
  const { id: conversation } = live.state();
  const lookUp = createLiveLookup(
    (cited) => deps.citations.check(live.conversation(), base, cited),
    (looked) => {
      if (!signal.aborted && !isOver) live.stream(id, text, looked);
    },
    linkable,
  );
  let isOver = false;
  const answer = await deps.model.respond(
    { conversation, model, prefix, messages },
    {
      signal,
      onText: (delta) => {
        if (signal.aborted) return;
        text += delta;
        live.stream(id, text, lookUp(text));
      },
      unseenFor: () => live.unseenFor(),
      onSilent: (isSilent) => live.show({ silent: isSilent ? id : null }),
    },
  );
  isOver = true;
  return signal.aborted ? { kind: "aborted" } : answer;
};

const report = async (
  deps: ThinkDeps,
  { live, model, base, linkable, id, signal, notes }: Asking,
  answer: ModelOutcome,
): Promise<void> => {
  const answered = answeredOr(deps, live, { id, model }, answer);
  if (answered === null) return;
  const blocks = answered.blocks.map(toStorable);
  const words = await citedWords(deps.citations, live.conversation(), base, blocks, linkable);
  const message: MessageId = `m-${deps.randomId()}`;
  const asked = callsOf(deps.tools, blocks, foldersOf({ ...live.conversation(), base }));
  if (asked.every(({ intent }) => intent !== "tool")) await deps.workspaces.keep(live.state().id, signal);
  const event: EventKind = {
    kind: "answered",
    by: id,
    message,
    text: textSize(blocks),
    calls: await requested(deps, live, asked),
    stop: answered.stop,
    usage: answered.usage,
    model,
    ...earlierFor(live),
    ...omitUndefined({ notes: notes.length === 0 ? undefined : notes.map((one) => one.id) }),
  };
  live.post(deliveredEvent(event, [{ id: message, words }]));
};

export const answeredOr = (
  deps: Pick<ThinkDeps, "models" | "model">,
  live: Live,
  { id, model }: Pick<Asking, "id" | "model">,
  answer: ModelOutcome,
): Extract<ModelOutcome, { readonly kind: "answered" }> | null => {
  if (answer.kind === "failed") fail(live, id, answer.failure, { model, ...otherModel(deps, live.state()) });
  return answer.kind === "answered" ? answer : null;
};

const fail = (live: Live, id: EffectId, failure: Failure, asked: Asked = {}): void =>
  live.post(deliveredEvent({ kind: "modelFailed", by: id, failure, ...asked }));

type Asked = Pick<EventKind & { readonly kind: "modelFailed" }, "model" | "other" | "fallback">;

const otherModel = (
  { models, model }: Pick<ThinkDeps, "models" | "model">,
  state: State,
): Pick<Asked, "other" | "fallback"> => {
  if (models === undefined) return {};
  const { fallback, all } = models;
  const own = ownModel(state).name;
  const name = [...(fallback === undefined ? [] : [fallback]), ...all].find((one) => one !== own);
  if (name === undefined) return {};
  const other = { name, window: model.window(name) };
  return name === fallback ? { other, fallback: true } : { other };
};

const callsOf = (tools: Tools, blocks: readonly AnswerBlock[], folders: readonly RepositoryFolder[]) => {
  const names = folders.map(({ name }) => name);
  return blocks.flatMap((block): readonly Call[] =>
    block.kind === "toolUse"
      ? [{ id: block.id, name: block.name, ...tools.intent(block.name, block.input, names) }]
      : [],
  );
};

/** Weighs the request of a person without write permission before the core receives it (D39). */
const requested = async (
  { requests }: ThinkDeps,
  live: Live,
  calls: readonly Call[],
): Promise<readonly Call[]> => {
  const { kind, turn, id } = live.state();
  const { speaker } = turn;
  const asks = calls.some(({ intent }) => intent === "upgrade");
  if (!asks || kind === "subagent" || speaker === null || speaker.mayDrive) return calls;
  const request = (await requests?.weigh(id, speaker)) ?? null;
  return request === null
    ? calls
    : calls.map((call) => (call.intent === "upgrade" ? { ...call, request } : call));
};

/** In bytes. A block of white space counts as empty. */
const textSize = (blocks: readonly AnswerBlock[]): number =>
  blocks.reduce(
    (sum, block) =>
      sum + (block.kind === "text" && block.text.trim() !== "" ? Buffer.byteLength(block.text) : 0),
    0,
  );

/** D15 The request is not sent; the person can continue in another conversation. */
const TOO_LARGE: Failure = {
  kind: "context",
  message: "The request would be larger than the context window.",
  retryAfter: null,
};

const PREFIX_LOST: Failure = {
  kind: "unknown",
  message: "The conversation's system prompt is missing from the database. Please start a new conversation.",
  retryAfter: null,
};
