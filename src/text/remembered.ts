/** What is remembered in memory of the newest, by their keys: when there are too many the oldest goes. */

interface Remembered<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  forget(key: string): void;
}

export const createRemembered = <Value>(most: number): Remembered<Value> => {
  const kept = new Map<string, Value>();
  return {
    get: (key) => kept.get(key),
    forget: (key) => void kept.delete(key),
    set: (key, value) => {
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    },
  };
};
