/** Work that several callers wait for together, done once, and ended when the last of them gives up. */

export interface Hooks {
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** For whoever shows nobody how it goes on. Without a signal it is not ended. */
export const unwatched = (signal: AbortSignal = new AbortController().signal): Hooks => ({
  signal,
  onProgress: () => undefined,
});

type Landing<T> = { readonly kind: "landed"; readonly value: T } | { readonly kind: "aborted" };

interface SharedWork<T> {
  /** Joins the work under `key`, or begins it. `work` must not reject; its signal fires when nobody waits. */
  join(key: string, hooks: Hooks, work: (hooks: Hooks) => Promise<T>): Promise<Landing<T>>;
}

interface Flight<T> {
  readonly passengers: Set<Hooks>;
  readonly ending: AbortController;
  readonly done: Promise<T>;
}

export const createSharedWork = <T>(): SharedWork<T> => {
  const flights = new Map<string, Flight<T>>();

  const begin = (key: string, work: (hooks: Hooks) => Promise<T>): Flight<T> => {
    const passengers = new Set<Hooks>();
    const ending = new AbortController();
    const onProgress = (line: string): void => {
      for (const passenger of passengers) passenger.onProgress(line);
    };
    const done = work({ signal: ending.signal, onProgress }).finally(() => flights.delete(key));
    const flight = { passengers, ending, done };
    flights.set(key, flight);
    return flight;
  };

  return {
    join: async (key, hooks, work) => {
      let flight = flights.get(key);
      /* One that everybody has left still cleans up behind itself: wait, then begin anew. */
      while (flight?.ending.signal.aborted === true) {
        await flight.done;
        flight = flights.get(key);
      }
      if (hooks.signal.aborted) return { kind: "aborted" };
      flight ??= begin(key, work);
      return ride(flight, hooks);
    },
  };
};

const ride = async <T>(flight: Flight<T>, hooks: Hooks): Promise<Landing<T>> => {
  flight.passengers.add(hooks);
  const left = Promise.withResolvers<Landing<T>>();
  const leave = (): void => {
    flight.passengers.delete(hooks);
    if (flight.passengers.size > 0) return left.resolve({ kind: "aborted" });
    /* The last one waits until the work has ended, so that nothing half-made is seen after an abort. */
    flight.ending.abort();
    void flight.done.then(() => left.resolve({ kind: "aborted" }));
  };
  hooks.signal.addEventListener("abort", leave, { once: true });
  const landed = flight.done.then((value): Landing<T> => ({ kind: "landed", value }));
  const first = await Promise.race([landed, left.promise]);
  hooks.signal.removeEventListener("abort", leave);
  flight.passengers.delete(hooks);
  return hooks.signal.aborted ? { kind: "aborted" } : first;
};
