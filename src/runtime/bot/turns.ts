/** Runs the work of each name one after the other, in the order of the calls. */

export const createTurns = () => {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const before = last.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      const settled = mine.catch(() => undefined);
      last.set(name, settled);
      try {
        return await mine;
      } finally {
        if (last.get(name) === settled) last.delete(name);
      }
    },
    has: (name: string): boolean => last.has(name),
    settled: async (): Promise<void> => void (await Promise.all(last.values())),
  };
};
