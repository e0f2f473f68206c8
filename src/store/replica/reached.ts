/** How far the replica is, as the thread that writes it tells. */

export interface Reached {
  seq(): number;
  at(seq: number): void;
  /** Settles when the replica has the group, for which the thread is asked to bring it up. */
  reach(seq: number): Promise<void>;
  /** The thread is there. */
  begun(look: (seq: number) => void): void;
}

export const createReached = (first: number): Reached => {
  let reached = first;
  let look: ((seq: number) => void) | null = null;
  let waiting: { readonly seq: number; readonly settle: () => void }[] = [];
  return {
    seq: () => reached,
    at: (seq) => {
      reached = seq;
      const there = waiting.filter((one) => one.seq <= reached);
      waiting = waiting.filter((one) => one.seq > reached);
      for (const { settle } of there) settle();
    },
    reach: (seq) =>
      new Promise((settle) => {
        if (seq <= reached) return settle();
        waiting.push({ seq, settle });
        look?.(seq);
      }),
    begun: (given) => {
      look = given;
    },
  };
};
