/** Whether messages may be missing: from an interruption of the connection until catch-up has read that period. */

export type ListeningGap = ReturnType<typeof createGap>;

/** A process starts with an open gap. */
export const createGap = () => {
  let gap = 1;
  let open = true;
  return {
    isOpen: (): boolean => open,
    begin: () => {
      gap += 1;
      open = true;
    },
    /** Returns the number of the gap, so that catch-up for one gap does not close the next. */
    current: (): number => gap,
    end: (closed: number) => {
      if (closed === gap) open = false;
    },
  };
};
