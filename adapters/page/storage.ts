/** What this browser keeps for the page. One that stores nothing still works; it only forgets at reload. */

export const readStorage = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** Nothing, or an empty text, is not kept. */
export const writeStorage = (key: string, value: string | null): void => {
  try {
    if (value === null || value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above.
  }
};
