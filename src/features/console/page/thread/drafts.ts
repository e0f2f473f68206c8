/** Drafts and unconfirmed messages, stored in this browser so that a reload or a crash loses nothing. */

import { readStorage, writeStorage } from "../../../../../adapters/page/storage.ts";

const keyOf = (kind: "draft" | "unsent", id: string): string => `parley.${kind}.${id}`;

export const draft = (id: string): string => readStorage(keyOf("draft", id)) ?? "";

export const keepDraft = (id: string, text: string): void => writeStorage(keyOf("draft", id), text);

interface Unsent {
  readonly id: string;
  readonly text: string;
  readonly pictures: number;
}

/**
 * A message without a confirmed acceptance. Sending it again with the same id is safe, because the host
 * accepts each id once.
 */
export const unsent = (id: string): Unsent | null => {
  const stored = readStorage(keyOf("unsent", id));
  return stored === null ? null : JSON.parse(stored);
};

/** Stores the number of pictures but not the pictures, which are too large. */
export const keepUnsent = (id: string, message: Unsent | null): void =>
  writeStorage(keyOf("unsent", id), message === null ? null : JSON.stringify(message));

export const lastRepo = (): string => readStorage("parley.repo") ?? "";

export const keepRepo = (repo: string): void => writeStorage("parley.repo", repo);
