/**
 * prompt(history): the transcript as the model sees it. Pure and append-only: a longer history has a shorter
 * one's messages as its prefix, so that the provider's cache keeps hitting (BED-017).
 *
 * Every tool use is answered in the next user message, results first, then notes (L4, C5); neighbours of one
 * role are merged; notices are for people and left out.
 */

import type { Entry, Note, Outcome } from "./transcript.ts";
import type { Category } from "./words.ts";

/** What a person wrote. Images are named by content hash. */
export interface SaidWords {
  readonly text: string;
  readonly images: readonly ImageRef[];
}

export interface ImageRef {
  readonly hash: string;
  readonly mediaType: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
}

/** What the model wrote, block by block; `opaque` goes back to the provider unchanged (thinking). */
export type AnswerBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "toolUse"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "opaque"; readonly raw: unknown };

/** What a tool told the model, and what it shows to people beside it. */
export interface ResultWords {
  readonly text: string;
  readonly images: readonly ImageRef[];
  /** Unified diff of what the call changed. */
  readonly diff: string | null;
}

/** One category of a held call, as Phase 5 shows it. */
export interface DangerWords {
  readonly category: Category;
  readonly what: string;
  readonly why: string;
  readonly risk: string;
  /** One to three things that would change. */
  readonly changes: readonly string[];
}

/** The words of an entry, resolved by the store. `gone`: erased on request (D8). */
export type Words =
  | ({ readonly kind: "said" } & SaidWords)
  | { readonly kind: "answer"; readonly blocks: readonly AnswerBlock[] }
  | ({ readonly kind: "result" } & ResultWords)
  | { readonly kind: "comment"; readonly text: string }
  /** What the host tells the model in its own name: the prompt of a work mode. */
  | { readonly kind: "meta"; readonly text: string }
  /** What people are shown before they let a held call go on. */
  | { readonly kind: "dangers"; readonly dangers: readonly DangerWords[] }
  | { readonly kind: "gone" };

export interface Told {
  readonly entry: Entry;
  /** Words of the entry's message; null where the entry has none. */
  readonly words: Words | null;
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

const ERASED = "[erased]";

/** `preface` opens the first user message: where the agent works (D16). */
export const prompt = (preface: string, history: readonly Told[]): readonly PromptMessage[] => {
  const messages: { role: "user" | "assistant"; content: PromptBlock[] }[] = [
    { role: "user", content: [text(preface)] },
  ];
  let answer: Words | null = null;
  for (const told of history) {
    if (told.entry.kind === "answer") answer = told.words;
    const said = messageOf(told, answer);
    const last = messages.at(-1);
    if (said === null || said.content.length === 0) continue;
    if (last?.role === said.role) last.content.push(...said.content);
    else messages.push({ role: said.role, content: [...said.content] });
  }
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: [text(NOTES.continue)] });
  return messages;
};

/** `answer`: words of the response whose calls the next results belong to. */
const messageOf = ({ entry, words }: Told, answer: Words | null): PromptMessage | null => {
  switch (entry.kind) {
    case "said":
      return { role: "user", content: saidBlocks(words) };
    case "answer":
      return { role: "assistant", content: answerBlocks(entry, words) };
    case "result":
      return { role: "user", content: [resultBlock(entry.call.id, entry.outcome, words, answer)] };
    case "note":
      return { role: "user", content: [text(noteText(entry.note, words))] };
    case "granted":
    case "notice":
      return null;
  }
};

const saidBlocks = (words: Words | null): readonly PromptBlock[] => {
  if (words?.kind !== "said") return [text(ERASED)];
  const images = words.images.map((image) => ({ kind: "image", image }) as const);
  return words.text === "" ? images : [text(words.text), ...images];
};

/** Tool uses that the core did not accept (cut by max_tokens) are not told: nothing answers them (L4). */
const answerBlocks = (entry: Entry & { kind: "answer" }, words: Words | null): readonly PromptBlock[] => {
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

const noteText = (note: Note, words: Words | null): string => {
  if (typeof note === "string") return NOTES[note];
  const prompt = words?.kind === "meta" ? words.text : ERASED;
  return `[Parley] The conversation is now in the work mode "${note.mode}".\n${prompt}`;
};

const resultBlock = (
  id: string,
  outcome: Outcome,
  words: Words | null,
  answer: Words | null,
): PromptBlock => {
  if (outcome.kind === "mode") {
    const { success, mode, branch } = outcome;
    const told = JSON.stringify({ success, mode, branch, reason: reasonOf(id, answer) });
    return { kind: "toolResult", id, text: told, isError: false, images: [] };
  }
  if (outcome.kind === "ran") {
    const found = words?.kind === "result" ? words : { text: ERASED, images: [] };
    return { kind: "toolResult", id, text: found.text, isError: outcome.isError, images: found.images };
  }
  const comment = words?.kind === "comment" ? `\nThe person added: ${words.text}` : "";
  return { kind: "toolResult", id, text: `${outcome.text}${comment}`, isError: outcome.isError, images: [] };
};

/** What the model gave as its reason in the call itself. */
const reasonOf = (id: string, words: Words | null): unknown => {
  const block =
    words?.kind === "answer"
      ? words.blocks.find((one) => one.kind === "toolUse" && one.id === id)
      : undefined;
  const input = block?.kind === "toolUse" ? block.input : null;
  return typeof input === "object" && input !== null && "reason" in input ? input.reason : ERASED;
};

const text = (value: string): PromptBlock => ({ kind: "text", text: value });

const NOTES: Readonly<Record<Note & string, string>> = {
  upgraded:
    "[Parley] The conversation is now in Unrestricted mode: a person approved it. Tools may write in the working directory, and patch is available.",
  downgraded:
    "[Parley] The conversation is now in Restricted mode: a person tightened it. Tools can read the working directory and nothing else: no writes, no network, and patch is disabled. Use request_mode_upgrade if write access is needed.",
  continue: "[Parley] The last response was cut off. Continue exactly where it stopped.",
};
