/** Whether messages may be missing: from when nobody listened until what was said then has been read. */

export interface Gap {
  isOpen(): boolean;
  begin(): void;
  /** The number of the gap, so that what was read for one does not close the next. */
  current(): number;
  end(gap: number): void;
}

/** A process begins with one. */
export const createGap = (): Gap => {
  let gap = 1;
  let open = true;
  return {
    isOpen: () => open,
    begin: () => {
      gap += 1;
      open = true;
    },
    current: () => gap,
    end: (closed) => {
      if (closed === gap) open = false;
    },
  };
};
