/**
 * Pure and append-only: the messages of a shorter history are a prefix of those of a longer one, so that the provider's cache
 * keeps hitting (BED-017). The next user message answers every tool use, results first, then notes (L4, C5).
 */

import type { Citation } from "../text/citation.ts";
import { fieldIn } from "../text/json.ts";
import { oneLine } from "../text/one-line.ts";
import type { Composed } from "../machine/message-parts.ts";
import type { Entry, Note, Outcome } from "../machine/transcript.ts";
import type { PersonId } from "../machine/id.ts";
import type { Category, UntrustedContent } from "../machine/vocabulary.ts";
import type { DraftResult, FileChange } from "./draft.ts";
import { english } from "../i18n/say.ts";
import type { FileOwners } from "./owners.ts";
import { choiceLabels } from "./person-question.ts";

interface SaidWords extends Composed {
  readonly images: readonly ImageRef[];
  readonly files?: readonly AttachedFile[];
}

/** File of a message. Commands find a copy below `name`, which is unique in the conversation and needs no quoting in a shell. */
export interface AttachedFile {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

export interface ImageRef {
  readonly hash: string;
  readonly mediaType: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
}

/** `opaque`: returned to the provider unchanged, such as thinking. */
export type AnswerBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "toolUse"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "opaque"; readonly raw: unknown };

export interface FileRef {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  /** Without directories. */
  readonly name: string;
  /** The model's description; null if there is none. */
  readonly title: string | null;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
}

export interface ResultContent {
  readonly text: string;
  readonly images: readonly ImageRef[];
  readonly diff: string | null;
  readonly files?: readonly FileRef[];
  readonly note?: NoteOffer;
}

/** A note that the agent proposes, and what people decided about it. */
export interface NoteOffer {
  readonly id: string;
  readonly text: string;
  readonly isAboutRepo: boolean;
  /** Untrusted content that the conversation had read; absent if none. */
  readonly read?: UntrustedContent;
  readonly state: "open" | "remembered" | "refused";
  readonly by?: PersonId;
  /** Number of the note in the channel. */
  readonly number?: number;
}

export interface DangerContent {
  readonly category: Category;
  /** The command itself, or the changed file, in one line. */
  readonly what: string;
  readonly why: string;
  readonly risk: string;
  /** One to three effects found in this call. */
  readonly changes: readonly string[];
}

export interface Proposal {
  readonly project: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Files of a commit, the largest changes first; empty if there is no commit. */
  readonly files: readonly ProposedFile[];
  readonly unlisted: number;
  /** The complete texts that would be written. */
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  readonly draft?: DraftReference;
  readonly owners?: FileOwners;
  readonly review?: ProposedReview;
  /** Issues that may already say what a new issue would say, as the forge has them. */
  readonly similar?: readonly SimilarItem[];
}

export interface SimilarItem {
  /** Such as `#12`. */
  readonly name: string;
  readonly title: string;
  readonly state: string;
  readonly url: string;
  /** Whether the item is open and has the same title. */
  readonly isSame: boolean;
}

/** Comments of a review, in the order of their numbers. */
export interface ProposedReview {
  readonly comments: readonly ProposedComment[];
  /** Whether the forge lets the review request changes. */
  readonly mayRequest: boolean;
}

export interface ProposedComment {
  readonly path: string;
  /** Lines in the version of the head, or in the version before (`old`). */
  readonly first: number;
  readonly last: number;
  readonly side: "new" | "old";
  /** The last of the lines. */
  readonly code: string;
  readonly text: string;
}

export type DraftReference = Omit<DraftResult, "files" | "filesInAll" | "owners">;

export interface ProposedFile {
  readonly path: string;
  readonly from?: string;
  /** Only for the files of a draft. */
  readonly change?: FileChange;
  /** Lines; null for files without lines. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** Words of an entry, loaded from the store. `gone`: erased on request (D8). */
export type StoredContent =
  | ({ readonly kind: "said" } & SaidWords)
  | {
      readonly kind: "answer";
      readonly blocks: readonly AnswerBlock[];
      /** Checked before the answer was posted; absent if no citation was checked. */
      readonly citations?: readonly Citation[];
      /** The only addresses in the text that may be links; absent if no address was checked. */
      readonly links?: readonly string[];
    }
  | ({ readonly kind: "result" } & ResultContent)
  | { readonly kind: "comment"; readonly text: string }
  /** Text of the host for the model, such as the prompt of a work mode. */
  | { readonly kind: "meta"; readonly text: string }
  | { readonly kind: "dangers"; readonly dangers: readonly DangerContent[] }
  | { readonly kind: "proposal"; readonly proposal: Proposal }
  | { readonly kind: "gone" };

export interface TranscriptMessage {
  readonly entry: Entry;
  readonly words: StoredContent | null;
}

export type PromptBlock =
  | AnswerBlock
  | {
      readonly kind: "toolResult";
      readonly id: string;
      readonly text: string;
      readonly isError: boolean;
      readonly images: readonly ImageRef[];
    }
  | { readonly kind: "image"; readonly image: ImageRef };

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly PromptBlock[];
}

export const ERASED = "[erased]";

export const callInput = (words: StoredContent | null | undefined, call: string): unknown => {
  if (words?.kind !== "answer") return null;
  const use = words.blocks.find((block) => block.kind === "toolUse" && block.id === call);
  return use?.kind === "toolUse" ? use.input : null;
};

/** Messages before the newest one keep their identity, so that prompts that share a message share all messages before it. */
export interface PromptBuilder {
  readonly messages: readonly PromptMessage[];
  /** The response that the next results belong to. */
  readonly answer: StoredContent | null;
  readonly places: ReadonlyMap<string, number>;
  readonly turn: TurnStart | null;
}

/** If the provider refuses the turn, the prompt returns to this state: later requests with the turn would be refused too. */
interface TurnStart {
  readonly no: number;
  /** Number of messages before the turn. */
  readonly count: number;
  readonly last: PromptMessage | undefined;
  /** Notes that stay valid after the turn: permission and work mode. */
  readonly notes: readonly PromptBlock[];
}

/** `preface`: start of the first user message, about the place where the agent works (D16). */
export const prompt = (
  preface: string,
  history: readonly TranscriptMessage[],
  refer: FindReference = nothing,
): readonly PromptMessage[] => endWithUserTurn(extendPrompt(beginPrompt(preface), history, refer));

/** References that the host adds to a person's text; deterministic. */
export type FindReference = (text: string) => string | null;

const nothing: FindReference = () => null;

export const beginPrompt = (preface: string): PromptBuilder => ({
  messages: [{ role: "user", content: [text(preface)] }],
  answer: null,
  places: new Map(),
  turn: null,
});

/** The cost is proportional to the new entries, plus a copy of the list. */
export const extendPrompt = (
  before: PromptBuilder,
  history: readonly TranscriptMessage[],
  refer: FindReference = nothing,
): PromptBuilder => {
  const messages = [...before.messages];
  let { answer, places, turn } = before;
  for (const told of history) {
    const { entry } = told;
    if (entry.turn !== turn?.no)
      turn = { no: entry.turn, count: messages.length, last: messages.at(-1), notes: [] };
    if (entry.kind === "notice" && entry.notice.kind === "refused") {
      leaveOut(messages, turn);
      continue;
    }
    if (told.entry.kind === "answer") {
      answer = told.words;
      places = new Map(told.entry.calls.map(({ id }, place) => [id, place]));
    }
    const said = messageOf(told, answer, refer);
    if (said === null || said.content.length === 0) continue;
    if (entry.kind === "note" && holdsAfter(entry.note))
      turn = { ...turn, notes: [...turn.notes, ...said.content] };
    add(messages, said, places);
  }
  return { messages, answer, places, turn };
};

const add = (
  messages: PromptMessage[],
  said: PromptMessage,
  places: ReadonlyMap<string, number> = new Map(),
): void => {
  const last = messages.at(-1);
  if (last?.role !== said.role) messages.push(said);
  else messages[messages.length - 1] = { ...last, content: merged(last.content, said.content, places) };
};

/** Replaces the refused turn by one sentence and the notes that stay valid. */
const leaveOut = (messages: PromptMessage[], { count, last, notes }: TurnStart): void => {
  messages.length = count;
  if (last !== undefined) messages[count - 1] = last;
  add(messages, { role: "user", content: [text(LEFT_OUT), ...notes] });
};

const holdsAfter = (note: Note): boolean =>
  note === "upgraded" || note === "downgraded" || (typeof note === "object" && note.kind === "mode");

/** Results follow the order of their calls, not the order of arrival. */
const merged = (
  before: readonly PromptBlock[],
  after: readonly PromptBlock[],
  places: ReadonlyMap<string, number>,
): readonly PromptBlock[] => {
  const place = (block: PromptBlock | undefined): number =>
    block?.kind === "toolResult" ? (places.get(block.id) ?? -1) : -1;
  let at = before.length;
  while (place(before[at - 1]) > place(after[0]) && place(after[0]) >= 0) at -= 1;
  return at === before.length ? [...before, ...after] : before.toSpliced(at, 0, ...after);
};

/** The last message is never an assistant message. */
export const endWithUserTurn = ({ messages }: PromptBuilder): readonly PromptMessage[] =>
  messages.at(-1)?.role === "assistant"
    ? [...messages, { role: "user", content: [text(NOTES.continue)] }]
    : messages;

const messageOf = (
  { entry, words }: TranscriptMessage,
  answer: StoredContent | null,
  refer: (text: string) => string | null,
): PromptMessage | null => {
  switch (entry.kind) {
    case "said":
      return { role: "user", content: [...addedBy(entry), ...saidBlocks(words, refer)] };
    case "answer":
      return { role: "assistant", content: answerBlocks(entry, words) };
    case "result":
      return { role: "user", content: [resultBlock(entry.call.id, entry.outcome, words, answer, refer)] };
    case "note":
      return { role: "user", content: [text(noteText(entry.note, words))] };
    case "asked":
    case "granted":
    case "notice":
    case "summary":
      return null;
  }
};

/** Says who sent a message during the turn, and that tools are Restricted from now on if its author has no write permission. */
const addedBy = ({ added, edited, speaker }: Entry & { kind: "said" }): readonly PromptBlock[] => {
  if (added !== true) return [];
  const name = oneLine(speaker.name ?? speaker.id).replaceAll(/["[\]]/g, "'");
  const did = edited === true ? `"${name}" edited the message` : `"${name}" added this message to the turn`;
  const limits = speaker.mayDrive
    ? ""
    : " This person has no write permission, so the rest of this turn is Restricted.";
  return [text(`[Parley] ${did} while you were working.${limits}`)];
};

const saidBlocks = (
  words: StoredContent | null,
  refer: (text: string) => string | null,
): readonly PromptBlock[] => {
  if (words?.kind !== "said") return [text(ERASED)];
  const images = words.images.map((image) => ({ kind: "image", image }) as const);
  const named = refer(words.text);
  return words.text === "" ? images : [text(words.text), ...(named === null ? [] : [text(named)]), ...images];
};

/** Leaves out tool uses that the core did not accept (cut by max_tokens), because they have no result (L4). */
const answerBlocks = (
  entry: Entry & { kind: "answer" },
  words: StoredContent | null,
): readonly PromptBlock[] => {
  const accepted = new Set(entry.calls.map((call) => call.id));
  if (words?.kind !== "answer") {
    const erased = entry.calls.map(
      (call) => ({ kind: "toolUse", id: call.id, name: call.name, input: {} }) as const,
    );
    return erased.length > 0 ? erased : [text(ERASED)];
  }
  return words.blocks.filter((block) =>
    block.kind === "toolUse" ? accepted.has(block.id) : block.kind === "opaque" || block.text.trim() !== "",
  );
};

const noteText = (note: Note, words: StoredContent | null): string => {
  if (typeof note === "string") return NOTES[note];
  if (note.kind === "edited") {
    const posted = words?.kind === "comment" ? words.text : ERASED;
    return `[Parley] A person edited your answer before it was posted. This is what people read in its place:\n${posted}`;
  }
  const prompt = words?.kind === "meta" ? words.text : ERASED;
  return `[Parley] The conversation is now in the work mode "${note.mode}".\n${prompt}`;
};

const resultBlock = (
  id: string,
  outcome: Outcome,
  words: StoredContent | null,
  answer: StoredContent | null,
  refer: FindReference,
): PromptBlock => {
  if (outcome.kind === "mode") {
    const { success, mode, branch } = outcome;
    const given = fieldIn(callInput(answer, id), "reason");
    const told = JSON.stringify({ success, mode, branch, reason: given === undefined ? ERASED : given });
    return { kind: "toolResult", id, text: told, isError: false, images: [] };
  }
  if (outcome.kind === "ran") {
    const found = words?.kind === "result" ? words : { text: ERASED, images: [] };
    return { kind: "toolResult", id, text: found.text, isError: outcome.isError, images: found.images };
  }
  if (outcome.ask?.kind === "person") {
    const told = [outcome.text, personAnswer(outcome, words, callInput(answer, id))];
    const named = words?.kind === "said" ? refer(words.text) : null;
    const text = [...told, ...(named === null ? [] : [named])].join("\n");
    const images = words?.kind === "said" ? words.images : [];
    return { kind: "toolResult", id, text, isError: outcome.isError, images };
  }
  const comment = words?.kind === "comment" ? `\nThe person added: ${words.text}` : "";
  return { kind: "toolResult", id, text: `${outcome.text}${comment}`, isError: outcome.isError, images: [] };
};

/** The words of a person who answered a question of the model. `input` belongs to the call that asked. */
export const personAnswer = (
  { decision, ask }: Outcome & { readonly kind: "host" },
  words: StoredContent | null | undefined,
  input: unknown,
): string => {
  const { option, comment } = decision ?? {};
  if (option !== undefined) return choiceLabels(ask, input, english)[option - 1] ?? "";
  if (comment === undefined || comment === null) return "";
  return words?.kind === "said" ? words.text : ERASED;
};

const text = (value: string): PromptBlock => ({ kind: "text", text: value });

const LEFT_OUT =
  "[Parley] A message and everything that was done about it are left out here: the model's provider refused them. They are over; do not guess what they said.";

const NOTES: Readonly<Record<Note & string, string>> = {
  upgraded:
    "[Parley] The conversation is now in Unrestricted mode: a person approved it. Tools may write in the working directory, and patch is available.",
  downgraded:
    "[Parley] The conversation is now in Restricted mode: a person tightened it. Tools can read the working directory and nothing else: no writes, no network, and patch is disabled. Use request_mode_upgrade if write access is needed.",
  askAgain:
    "[Parley] A person who may approve ends the pause: requests are put before people again. If you still need what was held back, ask for it once more.",
  askAnew:
    "[Parley] The answer above was given earlier, to a like question in another thread, and you have not looked yourself. A person wants an answer of its own: look into the repository as it is now, and answer the question as it was asked here.",
  discarded:
    "[Parley] A person decided that your answer was not posted: people have not read it. Do not refer to it.",
  turnLimit:
    "[Parley] You have reached your turn limit. Please call submit_result now with what you have found so far, and say what is missing. Nothing else will run.",
  timeLimit:
    "[Parley] You have reached your time limit. Please call submit_result now with what you have found so far, and say what is missing. Nothing else will run.",
  continue: "[Parley] The last response was cut off. Continue exactly where it stopped.",
};
