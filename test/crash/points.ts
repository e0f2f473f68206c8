/**
 * Where a world can end: before and after each commit and each platform call. A dead world reaches nothing any
 * more: writes fail, calls are not made, and answers to calls never arrive.
 */

import type { Backlog, ChatStore, Cursors } from "../../src/ports/chat-rows.ts";
import type { Clock, WriteFailure } from "../../src/ports/host.ts";
import type { Store } from "../../src/ports/store.ts";
import type { Ledger, Surface } from "../../src/ports/surface.ts";
import type { StartWriter } from "../../src/store/write/writer.ts";

/** A point that a world passes. */
export interface Point {
  /**
   * Which it is of the whole day: before or after what, and how often that was done before, in whichever process. The
   * same in every day as far as the day is the same.
   */
  readonly name: string;
  /** How many points this world has passed before it. */
  readonly index: number;
}

export interface Points {
  /** Names of the points passed so far, in order. */
  readonly passed: readonly string[];
  /** Settles when the world has ended at its point. */
  readonly ended: Promise<void>;
  isDead(): boolean;
  /** Ends the world from outside. */
  end(): void;
  write<T extends { readonly kind: string } | void>(
    name: string,
    run: () => Promise<T>,
  ): Promise<T | WriteFailure>;
  /** What fails in a living world is rejected as it was. */
  call<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Something that takes real time between calls; it is over where the world ends. */
  work<T>(run: () => Promise<T>): Promise<T>;
  /** Waits for calls that are under way on the wire, whoever waits for them, and for work; false where there are none. */
  landed(): Promise<boolean>;
}

/** How often each thing was done on a day: it outlives the processes. */
export type Done = Map<string, number>;

/** The world ends at the first point for which `isEnd` is true. */
export const createPoints = (isEnd: (point: Point) => boolean, done: Done): Points => {
  const passed: string[] = [];
  const flying = new Set<Promise<unknown>>();
  const working = new Set<Promise<unknown>>();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let dead = false;

  const end = (): void => {
    dead = true;
    resolve();
  };

  const pass = (name: string): boolean => {
    const index = passed.length;
    passed.push(name);
    if (isEnd({ name, index })) end();
    return dead;
  };

  const numbered = (name: string): string => `${name} ${(done.get(name) ?? 0) + 1}`;
  const count = (name: string): Done => done.set(name, (done.get(name) ?? 0) + 1);

  const landed = async <T>(task: Promise<T>): Promise<T> => {
    const landing = task.then(nothing, nothing);
    flying.add(landing);
    try {
      return await task;
    } catch (error) {
      if (dead) return never();
      throw error;
    } finally {
      flying.delete(landing);
    }
  };

  return {
    passed,
    ended,
    isDead: () => dead,
    end,
    write: async (name, run) => {
      const number = numbered(name);
      if (dead || pass(`before ${number}`)) return DEAD;
      const result = await run();
      if (result?.kind !== "failed") count(name);
      return dead || pass(`after ${number}`) ? DEAD : result;
    },
    call: async (name, run) => {
      const number = numbered(name);
      if (dead || pass(`before ${number}`)) return never();
      const result = await landed(run());
      count(name);
      return dead || pass(`after ${number}`) ? never() : result;
    },
    work: async (run) => {
      const task = run();
      const over = task.then(nothing, nothing);
      working.add(over);
      try {
        return await task;
      } finally {
        working.delete(over);
      }
    },
    landed: async () => {
      const flew = flying.size + working.size > 0;
      await Promise.race([Promise.all(working), ended]);
      await Promise.all(flying);
      return flew;
    },
  };
};

const DEAD: WriteFailure = { kind: "failed", code: "closing", message: "the world has ended" };

const nothing = (): void => undefined;

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Timers end with the world that set them. */
export const mortalClock = (clock: Clock, points: Points): Clock => {
  const cancels = new Set<() => void>();
  void points.ended.then(() => {
    for (const cancel of cancels) cancel();
    return undefined;
  });
  return {
    now: clock.now,
    after: (delay, fire) => {
      if (points.isDead()) return () => {};
      const cancel = clock.after(delay, () => {
        cancels.delete(cancel);
        if (!points.isDead()) fire();
      });
      cancels.add(cancel);
      return cancel;
    },
  };
};

/** What was handed over but not written when the world ended is lost with it. */
export const mortalWriter =
  (points: Points, start: StartWriter): StartWriter =>
  (...given) => {
    const writer = start(...given);
    return {
      ...writer,
      run: (jobs) => (points.isDead() ? Promise.resolve(jobs.map(() => DEAD)) : writer.run(jobs)),
    };
  };

/** What still runs of a process that has ended finds nothing: its file is closed. */
export const mortalStore = (store: Store, points: Points): Store => ({
  ...store,
  load: (id) => (points.isDead() ? null : store.load(id)),
  history: (...args) => (points.isDead() ? [] : store.history(...args)),
  create: (...args) => points.write("create", () => store.create(...args)),
  commit: (commit) => points.write(`commit ${commit.event.kind}`, () => store.commit(commit)),
  setBase: (...args) => points.write("setBase", () => store.setBase(...args)),
  setTitle: (...args) => points.write("setTitle", () => store.setTitle(...args)),
  claim: (claim) => points.write("claim", () => store.claim(claim)),
  refuse: (...args) => points.write("refuse", () => store.refuse(...args)),
});

export const mortalLedger = (ledger: Ledger, points: Points): Ledger => ({
  ...ledger,
  before: (...args) => (points.isDead() ? null : ledger.before(...args)),
  bind: (thread) => points.write("bind", () => ledger.bind(thread)),
  put: (id, row) => points.write(`put ${row.state}`, () => ledger.put(id, row)),
  drop: (...args) => points.write("drop", () => ledger.drop(...args)),
  settle: (...args) => points.write("settle", () => ledger.settle(...args)),
});

export const mortalChat = (chat: ChatStore, points: Points): ChatStore => ({
  ...chat,
  arrive: (...args) => points.write("arrive", () => chat.arrive(...args)),
  settle: (...args) => points.write("settle arrival", () => chat.settle(...args)),
  forget: (...args) => points.write("forget", () => chat.forget(...args)),
});

export const mortalCursors = (cursors: Cursors, points: Points): Cursors => ({
  ...cursors,
  tighten: (...args) => points.write("tighten", () => cursors.tighten(...args)),
});

export const mortalBacklog = ({ sweep, ...backlog }: Backlog, points: Points): Backlog => ({
  ...backlog,
  missed: (source) => points.call("missed", () => backlog.missed(source)),
  ...(sweep && { sweep: { ...sweep, places: () => points.call("places", sweep.places) } }),
});

export const mortalSurface = (surface: Surface, points: Points): Surface => ({
  limits: surface.limits,
  hint: (...args) => points.call("hint", () => surface.hint(...args)),
  open: (thread) => points.call("open", () => surface.open(thread)),
  apply: (operation) => points.call(operation.kind, () => surface.apply(operation)),
  observe: (...args) => points.call("observe", () => surface.observe(...args)),
  answer: (...args) => points.call("answer", () => surface.answer(...args)),
});
