/** What is in use, by name, however often. */

export interface Holds {
  hold(name: string): Disposable;
  has(name: string): boolean;
}

export const createHolds = (): Holds => {
  const counts = new Map<string, number>();
  return {
    hold: (name) => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return {
        [Symbol.dispose]: () => {
          const left = (counts.get(name) ?? 0) - 1;
          if (left > 0) counts.set(name, left);
          else counts.delete(name);
        },
      };
    },
    has: (name) => counts.has(name),
  };
};
