/** Whether messages may be missing: from when nobody listened until what was said then has been read. */

export type ListeningGap = ReturnType<typeof createGap>;

/** A process begins with one. */
export const createGap = () => {
  let gap = 1;
  let open = true;
  return {
    isOpen: (): boolean => open,
    begin: () => {
      gap += 1;
      open = true;
    },
    /** The number of the gap, so that what was read for one does not close the next. */
    current: (): number => gap,
    end: (closed: number) => {
      if (closed === gap) open = false;
    },
  };
};
