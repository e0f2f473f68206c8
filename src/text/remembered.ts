/** What is remembered in memory of the newest, by their keys: when there are too many the oldest goes. */

export const createRemembered = <Value>(most: number) => {
  const kept = new Map<string, Value>();
  return {
    get: (key: string) => kept.get(key),
    forget: (key: string) => void kept.delete(key),
    set: (key: string, value: Value): void => {
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    },
  };
};
