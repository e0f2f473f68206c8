/** Position of the replica, as reported by the writer thread. */

/** `look`: asks the writer thread to bring the replica up to a group. */
export const createReplicaProgress = (first: number, look: (seq: number) => void) => {
  let reached = first;
  let waiting: { readonly seq: number; readonly settle: () => void }[] = [];
  return {
    seq: (): number => reached,
    at: (seq: number): void => {
      reached = seq;
      const there = waiting.filter((one) => one.seq <= reached);
      waiting = waiting.filter((one) => one.seq > reached);
      for (const { settle } of there) settle();
    },
    reach: (seq: number): Promise<void> =>
      new Promise((settle) => {
        if (seq <= reached) return settle();
        waiting.push({ seq, settle });
        look(seq);
      }),
  };
};
