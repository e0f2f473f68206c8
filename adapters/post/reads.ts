/**
 * Combines simultaneous reads of the same thing: one read runs at a time, and later callers share the next
 * one. So an answer is never older than its question (D1, D2).
 */

export type Reads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/** `read` must be the same for the same key. */
export const createReadCoalescer = <T>(): Reads<T> => {
  const current = new Map<string, Promise<T>>();
  const following = new Map<string, Promise<T>>();

  const begin: Reads<T> = async (key, read) => {
    const reading = read();
    current.set(key, reading);
    try {
      return await reading;
    } finally {
      if (current.get(key) === reading) current.delete(key);
    }
  };

  return (key, read) => {
    const before = current.get(key);
    if (before === undefined) return begin(key, read);
    const follows =
      following.get(key) ??
      Promise.allSettled([before]).then(() => {
        following.delete(key);
        return begin(key, read);
      });
    following.set(key, follows);
    return follows;
  };
};
