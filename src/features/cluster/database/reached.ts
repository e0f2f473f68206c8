/** How far the replica is, as the thread that writes it tells. */

/** `look`: asks that thread to bring it up to a group. */
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
    /** Settles when the replica has the group. */
    reach: (seq: number): Promise<void> =>
      new Promise((settle) => {
        if (seq <= reached) return settle();
        waiting.push({ seq, settle });
        look(seq);
      }),
  };
};
