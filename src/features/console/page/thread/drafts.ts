/** Drafts and unconfirmed messages, stored in this browser so that a reload or a crash loses nothing. */

import { readStorage, writeStorage } from "../../../../../adapters/page/storage.ts";

const keyOf = (kind: "draft" | "unsent", id: string): string => `parley.${kind}.${id}`;

export const draft = (id: string): string => readStorage(keyOf("draft", id)) ?? "";

export const keepDraft = (id: string, text: string): void => writeStorage(keyOf("draft", id), text);

export interface SendRefusal {
  readonly code: string;
  readonly reason: string;
}

/**
 * A message whose acceptance is unconfirmed. Sending the message again with the same id is safe, because the host accepts each
 * id once.
 */
export interface Unsent {
  readonly id: string;
  readonly text: string;
  /** Number of the message's pictures. Pictures are too large to be stored here. */
  readonly pictures: number;
  /** Id under which the host refused the message earlier. The host still has the text and the pictures of the message. */
  readonly of?: string;
  /** Absent while the message is being sent. */
  readonly refusal?: SendRefusal;
}

export const unsent = (conversation: string): readonly Unsent[] =>
  [JSON.parse(readStorage(keyOf("unsent", conversation)) ?? "[]")].flat();

/**
 * Replaces the message `id`, or adds the message at the end; null removes the message. Messages stored by other pages remain.
 */
export const keepUnsent = (conversation: string, id: string, message: Unsent | null): void => {
  const stored = unsent(conversation);
  const isKnown = stored.some((one) => one.id === id);
  const added = message === null || isKnown ? [] : [message];
  const kept = stored.flatMap((one) => (one.id === id ? (message ?? []) : one));
  const all = [...kept, ...added];
  writeStorage(keyOf("unsent", conversation), all.length === 0 ? null : JSON.stringify(all));
};

/** Calls `changed` when another page of this browser changes the list. The returned function stops the calls. */
export const listenForUnsent = (conversation: string, changed: () => void): (() => void) => {
  const own = new AbortController();
  const heard = ({ key }: StorageEvent) => {
    if (key === keyOf("unsent", conversation)) changed();
  };
  window.addEventListener("storage", heard, { signal: own.signal });
  return () => own.abort();
};

export const lastRepo = (): string => readStorage("parley.repo") ?? "";

export const keepRepo = (repo: string): void => writeStorage("parley.repo", repo);
