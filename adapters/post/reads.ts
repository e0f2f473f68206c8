/**
 * What many want to know of the same thing at once, asked of the platform no oftener than needed: one read at a time, and
 * whoever asks while it is under way shares the next one. So an answer is never older than the question (D1, D2).
 */

export type Reads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/** `read` is the same for the same key. */
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
