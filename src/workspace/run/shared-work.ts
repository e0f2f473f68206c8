/** Work that several callers share: it runs once, and ends early when the last caller gives up. */

import { BrokenOff } from "./git-trouble.ts";

export interface Hooks {
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** Work without a signal is never aborted. */
export const unwatched = (signal: AbortSignal = new AbortController().signal): Hooks => ({
  signal,
  onProgress: () => undefined,
});

interface Flight<T> {
  readonly passengers: Set<Hooks>;
  readonly ending: AbortController;
  readonly done: Promise<T>;
}

export const createSharedWork = <T>() => {
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
    /** The work's signal fires when no caller waits. A caller that gives up gets `BrokenOff`. */
    join: async (key: string, hooks: Hooks, work: (hooks: Hooks) => Promise<T>): Promise<T> => {
      let flight = flights.get(key);
      /* Abandoned work still cleans up: wait for its end, then start again. */
      while (flight?.ending.signal.aborted === true) {
        await flight.done.catch(() => null);
        flight = flights.get(key);
      }
      if (hooks.signal.aborted) throw new BrokenOff();
      flight ??= begin(key, work);
      return ride(flight, hooks);
    },
    running: (key: string): Promise<unknown> | null => flights.get(key)?.done.catch(() => null) ?? null,
  };
};

const ride = async <T>(flight: Flight<T>, hooks: Hooks): Promise<T> => {
  flight.passengers.add(hooks);
  const left = Promise.withResolvers<never>();
  const leave = (): void => {
    flight.passengers.delete(hooks);
    if (flight.passengers.size > 0) return left.reject(new BrokenOff());
    /* The last caller waits until the work has ended, so that no partial result is visible after an abort. */
    flight.ending.abort();
    void flight.done.catch(() => null).then(() => left.reject(new BrokenOff()));
  };
  hooks.signal.addEventListener("abort", leave, { once: true });
  try {
    const value = await Promise.race([flight.done, left.promise]);
    if (!hooks.signal.aborted) return value;
  } catch (error) {
    if (!hooks.signal.aborted) throw error;
  } finally {
    hooks.signal.removeEventListener("abort", leave);
    flight.passengers.delete(hooks);
  }
  throw new BrokenOff();
};
