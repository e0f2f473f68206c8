/** The browser's storage for the page. Without storage the page still works, but forgets values at reload. */

export const readStorage = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** Null or an empty text removes the value. */
export const writeStorage = (key: string, value: string | null): void => {
  try {
    if (value === null || value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is not available.
  }
};
