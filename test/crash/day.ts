/**
 * The day as people live it: they read their thread in Slack, say the next thing, and click what they see; what they
 * said they do not say again, whatever happens to the host.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ConversationId } from "../../src/core/id.ts";
import type { Speaker } from "../../src/core/words.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { replayDirectory } from "../replay.ts";
import { createStepClock, type StepClock } from "./clock.ts";
import { type Disk, wornDisk } from "./disk.ts";
import { eventsOf } from "./manners.ts";
import { people, type Outside, type Person } from "./script.ts";
import { createProcess, type Process } from "./world.ts";

const alice: Speaker = { id: "slack:UALICE", mayDrive: true, mayApprove: true };
/** Timers further away are not worth waiting for: the runtime's own housekeeping. */
const HORIZON = 120_000;
/** More turns of a person's attention than any day takes. */
const PATIENCE = 60;

/** A file in memory is synced at no cost; what is left out is the loss of power, not the end of the process. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** No call of a day without stalls takes so long, however busy the machine is. */
const PATIENT = 60_000;

/** More rounds than it takes the host to come to rest. */
const MOVES = 5_000;

/** One workspace for many days, each of which has a channel of its own. */
export interface Town {
  readonly fake: FakeSlack;
  /** The name of a channel in which nothing has been said yet. */
  channel(): string;
}

const CHANNELS = 4_000;

export const createTown = async (): Promise<Town> => {
  const names = Array.from({ length: CHANNELS }, (_, index) => `day${index}`);
  const fake = await createFakeSlack({
    rates: "off",
    events: [],
    channels: names.map((name) => ({ name })),
  });
  return {
    fake,
    channel: () => {
      const name = names.pop();
      if (name === undefined) throw new Error("there are no more days in this town");
      return name;
    },
  };
};

export interface Fate {
  /** The points at which the first process ends, the second, …; the one after the last lives on. */
  readonly ends?: readonly number[];
  /** What the disk of the first process refuses. */
  readonly disk?: Disk;
  /** How long a call that Slack never answers takes to fail, in real milliseconds. */
  readonly timeout?: number;
}

export interface Day {
  /** The threads as people see them at the end, by name. */
  readonly threads: Readonly<Record<string, string>>;
  /** Points that the first process passed. */
  readonly points: readonly string[];
  /** Processes that it took. */
  readonly processes: number;
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

export const live = async ({ fake, channel: next }: Town, fate: Fate = {}): Promise<Day> => {
  const { ends = [], timeout = PATIENT } = fate;
  const worn = wornDisk(fate.disk ?? null);
  const directory = mkdtempSync(join(memory, "parley-crash-"));
  const clock = createStepClock();
  const outside: Outside = { triedAgain: false };
  const name = next();
  const channel = fake.world.channelNamed(name).id;
  const diaries = people.map((person): Diary => ({ person, root: null, said: -1, heard: true }));
  let points: readonly string[] = [];
  let processes = 0;
  let events = 0;
  try {
    for (;;) {
      const endAt = ends[processes] ?? null;
      const process = createProcess({
        directory,
        fake,
        clock,
        outside,
        endAt,
        timeout,
        disk: processes === 0 ? worn : wornDisk(null),
      });
      processes += 1;
      const lived = process
        .start()
        .then(() => Promise.all(diaries.map((diary) => spend(process, diary))))
        .then(() => finish(process));
      await Promise.race([lived, process.points.ended]);
      const over = !process.points.isDead();
      if (processes === 1) points = process.points.passed;
      await process.drop();
      if (over) break;
    }
    events = replayDirectory(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const threads = diaries.map(
    ({ person, root }) => [person.name, fake.threadAsText(channel, root ?? "")] as const,
  );
  return {
    threads: Object.fromEntries(threads),
    points,
    processes,
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
    const { root } = diary;
    const { ts } =
      root === null
        ? fake.as("alice").say(`@parley ${text}`, { channel: name })
        : fake.as("alice").say(text, { channel: name, thread: root });
    diary.root = root ?? ts;
    diary.said += 1;
    diary.heard = false;
    return diary.root;
  }

  /**
   * Slack tells it as a message and, in a channel, as a mention too. Where nobody stored it, it is told again only if
   * it began the thread: the rest is caught up.
   */
  async function hear(process: Process, diary: Diary): Promise<void> {
    await alive(process);
    const root = diary.root ?? "";
    const message = fake.world.thread(channel, root).findLast(({ botId }) => botId === undefined);
    if (message === undefined) throw new Error("nothing was said");
    const { ts, text, user } = message;
    const thread = ts === root ? {} : { thread_ts: root };
    const events = eventsOf(channel, { ts, text, user, ...thread });
    for (let tries = 0; tries < PATIENCE; tries += 1) {
      const stored = events.map((event) => process.hear(event));
      await quiet(process, clock);
      await alive(process);
      if ((await Promise.all(stored)).includes(true)) break;
    }
    diary.heard = true;
  }

  /** Clicks what there is to click until the turn is over. */
  async function attend(process: Process, { person, said }: Diary, root: string): Promise<void> {
    for (let turns = 0; turns < PATIENCE; turns += 1) {
      await quiet(process, clock);
      await alive(process);
      const id = process.ledger.find("slack", channel, root)?.thread.conversation ?? null;
      const stored = id === null ? null : process.store.load(id);
      if (id === null || stored === null) throw new Error("the conversation is lost");
      const { phase } = stored.state;
      if (phase.kind === "running") {
        await process.bot.act(id, { kind: "stop", by: alice.id });
        continue;
      }
      const click = buttonIn(fake, channel, root, person.choice) ?? buttonIn(fake, channel, root, "retry");
      if (click === null) {
        if (phase.kind === "idle") return;
        throw new Error(`${person.name} waits in phase ${phase.kind} without a button to click`);
      }
      await press(process, id, click, phase.kind === "failed" && person.says[said] === "fail");
    }
    throw new Error(`${person.name} lost patience:\n${fake.threadAsText(channel, root)}`);
  }

  async function press(process: Process, id: ConversationId, click: Click, failed: boolean): Promise<void> {
    if (click.action === "retry") {
      if (failed) outside.triedAgain = true;
      await process.bot.act(id, { kind: "retry", speaker: alice });
      return;
    }
    const { value: question, action: choice } = click;
    await process.bot.act(id, { kind: "decide", question, choice, by: alice, comment: null });
  }

  async function finish(process: Process): Promise<void> {
    await quiet(process, clock);
    const behind = process.ledger.behind("slack");
    if (behind.length > 0) throw new Error(`${behind.length} threads are behind at the end of the day`);
  }
};

/** Waits for ever in a process that has ended. */
const alive = async (process: Process): Promise<void> => {
  if (process.points.isDead()) await new Promise(() => {});
};

/** Until nothing moves any more but what a person would have to do. */
const quiet = async (process: Process, clock: StepClock): Promise<void> => {
  for (let rounds = 0; rounds < MOVES; rounds += 1) {
    const before = process.points.passed.length;
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    await alive(process);
    await process.deliverer.quiet();
    await Promise.race([process.points.landed(), process.points.ended]);
    if (process.points.passed.length !== before) continue;
    const listens = process.isListening();
    if (!listens && process.ledger.behind("slack").length === 0) return;
    if (!clock.step(HORIZON) && !listens) return;
  }
  throw new Error("the host never comes to rest");
};

interface Click {
  readonly action: "approve" | "deny" | "retry";
  readonly value: string;
}

/** A button of that kind below the last message of the thread. */
const buttonIn = (fake: FakeSlack, channel: string, root: string, action: Click["action"]): Click | null => {
  const last = fake.world.thread(channel, root).at(-1);
  const found = (last?.blocks ?? [])
    .flatMap((block): readonly unknown[] => (Array.isArray(block["elements"]) ? block["elements"] : []))
    .find((element) => isButton(element, action));
  return isButton(found, action) ? { action, value: found.value } : null;
};

const isButton = (element: unknown, action: string): element is { readonly value: string } =>
  typeof element === "object" &&
  element !== null &&
  "action_id" in element &&
  element.action_id === `parley_${action}` &&
  "value" in element &&
  typeof element.value === "string";
