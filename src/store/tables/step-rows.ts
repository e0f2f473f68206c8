/** Text of a step's rows, made on the main thread, so that the writer thread only stores it. Pure. */

import type { ConversationId, MessageId, Millis } from "../../machine/id.ts";
import type { Refusal } from "../../machine/refusal.ts";
import type { Decision, Entry } from "../../machine/transcript.ts";
import type { Claim, ClaimKey } from "../../ports/claims.ts";
import type { Erasure } from "../../ports/erasure.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { QuestionChange } from "../../ports/questions.ts";
import type { ErasureRows } from "../../ports/tables.ts";
import type { Commit, PostRow, Store } from "../../ports/store.ts";
import type { TurnBody } from "../../thread/post.ts";
import { canonical } from "../../text/canonical.ts";
import { CORE_VERSION, encode, encodeState, hashState } from "../base/codec.ts";

export interface StepRows {
  readonly conversation: ConversationId;
  readonly entries: readonly EntryRow[];
  /** Words that no entry of this step names; a later entry names them. */
  readonly waiting: readonly { readonly id: MessageId; readonly words: string }[];
  readonly event: EventRow;
  readonly posts: readonly { readonly key: string; readonly body: string }[];
  readonly questions: readonly QuestionChange[];
  readonly claim: (ClaimKey & { readonly message: MessageId | null }) | null;
  /** Message that waited and could not start. The author of the message gets a reply. */
  readonly refused: { readonly message: MessageId; readonly why: Refusal } | null;
  readonly version: Claim | null;
  readonly erasure: ErasureRows | null;
  readonly answered: ReturnType<typeof answeredRow>;
  readonly at: Millis;
  readonly state: StateRow;
}

interface EntryRow {
  /** The message whose words the entry names; null if there is none. */
  readonly id: MessageId | null;
  readonly turn: number;
  readonly kind: string;
  readonly entry: string;
  /** Words that came with the step; null if there are none. */
  readonly words: string | null;
}

export type EventRow = ReturnType<typeof eventRow>;
export type StateRow = ReturnType<typeof stateRow>;

export type CommittedStep =
  | { readonly kind: "committed"; readonly posts: readonly PlacedPost[] }
  | WriteFailure;

export interface PlacedPost {
  readonly key: string;
  readonly ordinal: number;
  readonly revision: number;
}

/** Throws RangeError if a value is too long for a text. */
export const rowsOf = (commit: Commit): StepRows => {
  const { conversation } = commit;
  const brought = new Map<MessageId, string>();
  for (const { id, words } of commit.words) brought.set(id, encode(words));
  const entries = commit.append.map((one): EntryRow => {
    const id = messageNamedBy(one);
    const words = id === null ? null : (brought.get(id) ?? null);
    if (id !== null) brought.delete(id);
    return { id, turn: one.turn, kind: one.kind, entry: encode(one), words };
  });
  return {
    conversation,
    entries,
    waiting: Array.from(brought, ([id, words]) => ({ id, words })),
    event: eventRow(commit),
    posts: commit.posts.map((post) => ({ key: post.key, body: canonical(post) })),
    questions: commit.questions,
    claim: commit.claim === null ? null : { ...commit.claim, message: spoken(commit) },
    refused:
      commit.event.kind === "waitingRefused"
        ? { message: commit.event.message, why: commit.event.why }
        : null,
    version: commit.version ?? null,
    erasure: commit.erasure === undefined ? null : erasureRows(commit.erasure),
    answered: answeredRow(commit),
    at: commit.event.at,
    state: stateRow(commit),
  };
};

const eventRow = ({ conversation, event, labels, before, after, effects, actor }: Commit) => ({
  conversation,
  seq: after.seq,
  event: encode(event),
  labels: encode(labels),
  before: before.phase.kind,
  after: after.phase.kind,
  effects: encode(effects),
  actor,
  hash: hashState(after),
  core: CORE_VERSION,
});

const stateRow = ({ conversation, event, after, back = false }: Commit) => ({
  id: conversation,
  state: encodeState(after),
  phase: after.phase.kind,
  /** Time of activity in the conversation; 0 for steps that are no activity. */
  at: event.kind === "woken" ? 0 : event.at,
  /** Whether the step makes an archived conversation active again. */
  back,
});

const spoken = ({ words }: Commit): MessageId | null =>
  words.find((one) => one.words.kind === "said")?.id ?? null;

/** Null unless the turn ended with a complete answer that its message shows. */
const answeredRow = ({ conversation, append, after, posts }: Commit) => {
  const last = append.findLast((one) => one.kind === "answer" || one.kind === "granted");
  const body = posts.find((one) => one.body.kind === "turn")?.body;
  if (after.kind !== "thread" || last === undefined || body?.kind !== "turn") return null;
  const message = wholeAnswer(last, body);
  if (message === null || body.end !== "answered" || !body.said.includes(message)) return null;
  const { turn, at } = last;
  const cost = Math.round(after.turn.usage.costMicroUsd);
  return { conversation, message, turn, said: encode(body.said), at, cost };
};

/** The model's last response, or the reviewer's text, which has no citations; null if the response is incomplete. */
const wholeAnswer = (last: Entry, { said, notices, looked }: TurnBody): MessageId | null => {
  if (last.kind === "answer") return last.stop === "end" && last.text > 0 ? last.message : null;
  const isWhole =
    looked?.edited === true || (looked !== undefined && !notices.some(({ kind }) => kind === "cut"));
  return isWhole ? (said.at(-1) ?? null) : null;
};

const erasureRows = ({ words, claims, title, uninstructed }: Erasure): ErasureRows => ({
  words: words.map((one) => ({ id: one.id, words: one.words.kind === "gone" ? null : encode(one.words) })),
  claims: claims.map((claim) => ({ surface: claim.surface, id: claim.id, body: claimBodyOf(claim) })),
  title: title === null ? null : encode(title),
  uninstructed,
});

export const claimBodyOf = ({
  speaker,
  text,
  own,
  images,
  files,
  quoted,
  source,
  model,
}: Omit<Claim, "at">): string => encode({ speaker, text, images, files, own, quoted, source, model });

/** The posts themselves never left the calling thread. */
export const committed = (commit: Commit, stepped: CommittedStep): Awaited<ReturnType<Store["commit"]>> => {
  if (stepped.kind === "failed") return stepped;
  const posts = new Map(commit.posts.map((post) => [post.key, post]));
  const rows = stepped.posts.flatMap(({ key, ordinal, revision }): readonly PostRow[] => {
    const post = posts.get(key);
    return post === undefined ? [] : [{ post, ordinal, revision }];
  });
  return { kind: "committed", posts: rows };
};

export const messageNamedBy = (one: Entry): MessageId | null => {
  switch (one.kind) {
    case "said":
    case "answer":
    case "summary":
      return one.message;
    case "asked":
      // The words of the answer are stored already.
      return one.ask.kind === "answer" ? null : one.message;
    case "result":
      return one.outcome.kind === "ran" ? one.outcome.message : addedTo(one.outcome.decision);
    case "granted":
      return addedTo(one.decision);
    case "note":
      return typeof one.note === "string" ? null : one.note.message;
    case "notice":
      return null;
  }
};

/** A comment that requests changes belongs to the turn that it starts. An edited answer belongs to the model's note. */
const addedTo = (decision: Decision | null): MessageId | null =>
  decision === null || decision.choice === "changes" || decision.choice === "edit" ? null : decision.comment;
