/**
 * The day as people live it: they read their thread, say the next thing, and click what they see; what they
 * said they do not say again, whatever happens to the host.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Speaker } from "../../src/machine/vocabulary.ts";
import type { ActRequest } from "../../src/ports/bot.ts";
import { replayDirectory } from "../replay.ts";
import { createStepClock, type StepClock } from "./clock.ts";
import { type Disk, wornDisk } from "./platforms/disk.ts";
import type { Click, Town } from "./platform.ts";
import type { Done, Point } from "./points.ts";
import { JOINED, type Outside, type Person } from "./script.ts";
import { createProcess, type Process } from "./world.ts";
import { MOST_WAIT } from "../patience.ts";

/** Timers further away are not worth waiting for: the runtime's own housekeeping. */
const HORIZON = 120_000;
/** More turns of a person's attention than any day takes. */
const PATIENCE = 60;

/** A file in memory is synced at no cost; what is left out is the loss of power, not the end of the process. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** In a thread that goes on from another one. */
const NOTHING = -1;

/** More rounds than it takes the host to come to rest. */
const MOVES = 5_000;

export interface Fate {
  /** Whether the first process ends at this point, the second, …: they count from 0. Unset: the first lives on. */
  readonly isEnd?: (point: Point, process: number) => boolean;
  /** What the disk of the first process refuses. */
  readonly disk?: Disk;
  /** How long a call that the platform never answers takes to fail, in real milliseconds. */
  readonly timeout?: number;
}

/** Each process at its point, by number; the one after the last lives on. */
export const endsAt =
  (...ends: readonly number[]): NonNullable<Fate["isEnd"]> =>
  ({ index }, process) =>
    ends[process] === index;

export interface Day {
  /** The threads as people see them at the end, by name. */
  readonly threads: Readonly<Record<string, string>>;
  /** With what people clicked. */
  readonly stories: Readonly<Record<string, string>>;
  /** Points that the first process passed. */
  readonly points: readonly string[];
  /** Points at which processes ended. */
  readonly ends: readonly string[];
  /** Events of its conversations, all replayed (L12). */
  readonly events: number;
  /** Batches of writes of the first process, and writes that its disk refused. */
  readonly batches: number;
  readonly refused: number;
}

/** A person's day so far. */
interface Diary {
  readonly person: Person;
  /** The message that the thread hangs on. */
  root: string | null;
  /** What was said last: its number, and the arrival that it makes. */
  said: number;
  heard: boolean;
}

export const live = async (town: Town, fate: Fate = {}): Promise<Day> => {
  const { isEnd = () => false, timeout = MOST_WAIT } = fate;
  const worn = wornDisk(fate.disk ?? null);
  const directory = mkdtempSync(join(memory, "parley-crash-"));
  const clock = createStepClock();
  const outside: Outside = { triedAgain: false };
  const done: Done = new Map();
  const place = town.place();
  const play = town.play();
  const alice: Speaker = { id: place.alice, mayDrive: true, mayApprove: true };
  const bob: Speaker = {
    // Discord refuses mentions without a numeric id.
    id: `${town.surface}:${town.surface === "discord" ? "100000000000000001" : "bob"}`,
    name: "bob",
    mayDrive: true,
    mayApprove: false,
  };
  const diaries = play.people.map((person): Diary => ({ person, root: null, said: -1, heard: true }));
  const ends: string[] = [];
  let points: readonly string[] = [];
  let processes = 0;
  let events = 0;
  try {
    for (;;) {
      const number = processes;
      const process = createProcess({
        directory,
        town,
        clock,
        outside,
        play,
        done,
        isEnd: (point) => {
          const ended = isEnd(point, number);
          if (ended) ends.push(point.name);
          return ended;
        },
        timeout,
        disk: number === 0 ? worn : wornDisk(null),
      });
      processes += 1;
      const lived = process
        .start()
        .then(() => Promise.all(diaries.map((diary) => spend(process, diary))))
        .then(() => finish(process));
      await Promise.race([lived, process.points.ended]);
      const over = !process.points.isDead();
      if (number === 0) points = process.points.passed;
      await process.drop();
      if (over) break;
    }
    events = replayDirectory(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const told = (tell: (root: string) => string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      diaries.map(({ person, root }) => [person.name, play.plain(tell(root ?? ""))] as const),
    );
  return {
    threads: { ...told(place.thread), opened: place.opened().map(place.thread).join("\n\n"), ...play.left() },
    stories: told(place.story),
    points,
    ends,
    events,
    batches: worn.batches(),
    refused: worn.refused(),
  };

  async function spend(process: Process, diary: Diary): Promise<void> {
    const { person } = diary;
    if (!diary.heard && diary.said === 0) await hear(process, diary);
    if (diary.root !== null) await attend(process, diary, diary.root);
    while (diary.said + 1 < person.says.length) {
      await alive(process);
      const root = say(diary, person.says[diary.said + 1] ?? "");
      await hear(process, diary);
      await attend(process, diary, root);
      await hear(process, diary);
    }
  }

  /** Once, whatever becomes of it. */
  function say(diary: Diary, text: string): string {
    diary.root = place.say(text, diary.root);
    diary.said += 1;
    diary.heard = false;
    return diary.root;
  }

  /**
   * A platform may tell of one message more than once. Where nobody stored it, it is told again only if it began the
   * thread: the rest is caught up.
   */
  async function hear(process: Process, diary: Diary): Promise<void> {
    await alive(process);
    const events = place.events(diary.root ?? "");
    for (let tries = 0; tries < PATIENCE; tries += 1) {
      const stored = events.map((event) => process.hear(event));
      await quiet(process, clock);
      await alive(process);
      if ((await Promise.all(stored)).includes(true)) break;
    }
    diary.heard = true;
  }

  /** Clicks what there is to click until the turn is over. */
  async function attend(process: Process, diary: Diary, root: string): Promise<void> {
    const { person, said } = diary;
    for (let turns = 0; turns < PATIENCE; turns += 1) {
      await quiet(process, clock);
      await alive(process);
      const id = process.ledger.find(town.surface, place.id, root)?.conversation ?? null;
      const stored = id === null ? null : process.store.load(id);
      if (id === null || stored === null) throw new Error("the conversation is lost");
      const { phase } = stored.state;
      if (phase.kind === "exhausted" && phase.next !== null) {
        const onward = process.ledger.thread(phase.next)?.root;
        if (onward === undefined) throw new Error("the new conversation has no thread");
        return attend(process, { ...diary, said: NOTHING }, onward);
      }
      const task = person.says[said];
      if (phase.kind === "running" && task === "hang") {
        await process.bot.act(id, { kind: "stop", by: alice.id });
        continue;
      }
      if (phase.kind === "awaitingApproval" && task === "join" && (await joins(process, id))) continue;
      const click =
        place.button(root, person.choice) ??
        place.button(root, "choose") ??
        place.button(root, "retry") ??
        place.button(root, "with_summary");
      if (click === null) {
        if (phase.kind === "idle") return;
        if (clock.step(HORIZON)) continue;
        throw new Error(
          `${person.name} waits in phase ${phase.kind} without a button to click:\n${place.thread(root)}`,
        );
      }
      await press(process, id, click, phase.kind === "failed" && task === "fail");
    }
    throw new Error(`${person.name} lost patience:\n${place.thread(root)}`);
  }

  /** A colleague clicks *Add to this turn* and then *Send when done*, each once. Returns false if both were clicked. */
  async function joins(process: Process, id: ConversationId): Promise<boolean> {
    const events = new Set(Array.from(process.store.trace(id), ({ event }) => event.kind));
    const kind = !events.has("added") ? "add" : !events.has("queued") ? "queue" : null;
    if (kind === null) return false;
    await process.bot.act(id, { kind, speaker: bob, text: JOINED[kind], images: [] });
    return true;
  }

  async function press(process: Process, id: ConversationId, click: Click, failed: boolean): Promise<void> {
    click.press();
    if (click.action === "retry" && failed) outside.triedAgain = true;
    await process.bot.act(id, requestOf(click, alice));
  }

  async function finish(process: Process): Promise<void> {
    await quiet(process, clock);
    if (process.isBehind()) throw new Error("threads are behind at the end of the day");
  }
};

/** What a click asks of the bot. */
export const requestOf = ({ action, value }: Click, by: Speaker): ActRequest => {
  const [question = "", option] = value.split("/");
  switch (action) {
    case "approve":
    case "deny":
      return { kind: "decide", question, choice: action, by, comment: null };
    case "choose":
      return { kind: "decide", question, choice: action, option: Number(option), by, comment: null };
    case "retry":
      return { kind: "retry", speaker: by };
    case "with_summary":
      return { kind: "move", seed: "summary", by };
  }
};

/** Waits for ever in a process that has ended. */
const alive = async (process: Process): Promise<void> => {
  if (process.points.isDead()) await new Promise(() => {});
};

/** Until nothing moves any more but what a person would have to do. */
export const quiet = async (process: Process, clock: StepClock): Promise<void> => {
  for (let rounds = 0; rounds < MOVES; rounds += 1) {
    const before = process.points.passed.length;
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    await alive(process);
    await process.deliverer.quiet();
    // Whoever asked has to hear of what came back, also where it failed and passes no point.
    const flew = await Promise.race([process.points.landed(), process.points.ended]);
    if (flew === true || process.points.passed.length !== before) continue;
    const listens = process.isListening();
    if (!listens && !process.isBehind()) return;
    if (!clock.step(HORIZON) && !listens) return;
  }
  throw new Error("the host never comes to rest");
};
