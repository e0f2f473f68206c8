export const createRefCounts = () => {
  const counts = new Map<string, number>();
  return {
    hold: (name: string): Disposable => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return {
        [Symbol.dispose]: () => {
          const left = (counts.get(name) ?? 0) - 1;
          if (left > 0) counts.set(name, left);
          else counts.delete(name);
        },
      };
    },
    has: (name: string): boolean => counts.has(name),
  };
};
