/** What was typed or sent and not yet taken, kept in this browser so that a reload or a crash loses nothing. */

const keyOf = (kind: "draft" | "unsent", id: string): string => `parley.${kind}.${id}`;

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const write = (key: string, value: string | null): void => {
  try {
    if (value === null || value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that stores nothing still works; it only forgets at reload.
  }
};

export const draft = (id: string): string => read(keyOf("draft", id)) ?? "";

export const keepDraft = (id: string, text: string): void => write(keyOf("draft", id), text);

interface Unsent {
  readonly id: string;
  readonly text: string;
  /** How many there were. */
  readonly pictures: number;
}

/** A message whose acceptance is not known: sent again with the same id, it is taken once. */
export const unsent = (id: string): Unsent | null => {
  const stored = read(keyOf("unsent", id));
  return stored === null ? null : JSON.parse(stored);
};

interface Message {
  readonly id: string;
  readonly text: string;
  readonly pictures: readonly unknown[];
}

/** Pictures are not kept, they would not fit; that there were some is. */
export const keepUnsent = (id: string, message: Message | null): void => {
  const kept =
    message === null ? null : { id: message.id, text: message.text, pictures: message.pictures.length };
  write(keyOf("unsent", id), kept === null ? null : JSON.stringify(kept));
};

export const lastRepo = (): string => read("parley.repo") ?? "";

export const keepRepo = (repo: string): void => write("parley.repo", repo);
