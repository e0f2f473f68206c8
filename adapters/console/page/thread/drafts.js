/** What was typed or sent and not yet taken, kept in this browser so that a reload or a crash loses nothing. */

const keyOf = (kind, id) => `parley.${kind}.${id}`;

const read = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const write = (key, value) => {
  try {
    if (value === null || value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that stores nothing still works; it only forgets at reload.
  }
};

export const draft = (id) => read(keyOf("draft", id)) ?? "";

export const keepDraft = (id, text) => write(keyOf("draft", id), text);

/** A message whose acceptance is not known: sent again with the same id, it is taken once. */
export const unsent = (id) => {
  const stored = read(keyOf("unsent", id));
  return stored === null ? null : JSON.parse(stored);
};

/** Pictures are not kept, they would not fit; that there were some is. */
export const keepUnsent = (id, message) => {
  const kept =
    message === null ? null : { id: message.id, text: message.text, pictures: message.images.length };
  write(keyOf("unsent", id), kept === null ? null : JSON.stringify(kept));
};

export const lastRepo = () => read("parley.repo") ?? "";

export const keepRepo = (repo) => write("parley.repo", repo);
