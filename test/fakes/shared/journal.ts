/**
 * A list that tests wait on: every wait is settled by an append, never by polling. Each entry is handed out by `next`
 * once, in order of arrival among those that the filter admits.
 */

export interface Journal<Entry> {
  readonly entries: readonly Entry[];
  append(entry: Entry): void;
  /** The first admitted entry not yet handed out, now or when it comes. Rejects when the journal closes. */
  next(admits: (entry: Entry) => boolean): Promise<Entry>;
  /** The first `count` admitted entries, handed out or not. Rejects when the journal closes. */
  waitFor(count: number, admits: (entry: Entry) => boolean): Promise<readonly Entry[]>;
  close(): void;
}

export const createJournal = <Entry>(): Journal<Entry> => {
  const entries: Entry[] = [];
  const handedOut = new Set<Entry>();
  const waiting = new Set<() => void>();
  let closed = false;

  const wake = (): void => {
    for (const check of waiting) {
      check();
    }
  };

  const when = <Value>(look: () => Value | undefined): Promise<Value> => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const check = (): void => {
      const value = look();
      if (value === undefined && !closed) {
        waiting.add(check);
        return;
      }
      waiting.delete(check);
      if (value === undefined) {
        reject(new Error("the fake was closed before the awaited request came"));
      } else {
        resolve(value);
      }
    };
    check();
    return promise;
  };

  return {
    entries,
    append: (entry) => {
      entries.push(entry);
      wake();
    },
    next: (admits) =>
      when(() => {
        const entry = entries.find((one) => !handedOut.has(one) && admits(one));
        if (entry !== undefined) {
          handedOut.add(entry);
        }
        return entry;
      }),
    waitFor: (count, admits) =>
      when(() => {
        const admitted = entries.filter(admits);
        return admitted.length >= count ? admitted.slice(0, count) : undefined;
      }),
    close: () => {
      closed = true;
      wake();
    },
  };
};
