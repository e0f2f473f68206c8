/** One after the other for each name, in the order of asking. */

export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export const createTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: async (name, work) => {
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
  };
};
