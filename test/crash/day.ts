/**
 * The day as people live it: they read their thread in Slack, say the next thing, click what they see, and do it
 * again where the host went away in between. The same whatever happens to the host.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ConversationId } from "../../src/core/id.ts";
import type { Speaker } from "../../src/core/words.ts";
import type { FakeSlack } from "../fakes/slack/fake.ts";
import { createStepClock, type StepClock } from "./clock.ts";
import { people, type Outside, type Person } from "./script.ts";
import { createProcess, type Process } from "./world.ts";

const CHANNEL = "CGENERAL";
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

export interface Day {
  /** The threads as people see them at the end, by name. */
  readonly threads: Readonly<Record<string, string>>;
  /** Points that the first process passed. */
  readonly points: readonly string[];
  /** Processes that it took. */
  readonly processes: number;
}

/** Lives the day; the first process ends at point `endAt`. */
export const live = async (fake: FakeSlack, endAt: number | null, timeout = PATIENT): Promise<Day> => {
  const directory = mkdtempSync(join(memory, "parley-crash-"));
  const clock = createStepClock();
  const outside: Outside = { triedAgain: false };
  const roots = people.map((person) => ({ person, root: putRoot(fake, person.name) }));
  const points: string[] = [];
  let processes = 0;
  try {
    for (let end: number | null = endAt; ; end = null) {
      const process = await createProcess({ directory, fake, clock, outside, endAt: end, timeout });
      processes += 1;
      const lived = Promise.all(roots.map(({ person, root }) => spend(process, person, root)));
      const whole = lived.then(() => finish(process));
      await Promise.race([whole, process.points.ended]);
      const over = !process.points.isDead();
      if (processes === 1) points.push(...process.points.passed);
      await process.drop();
      if (over) break;
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const threads = roots.map(({ person, root }) => [person.name, fake.threadAsText(CHANNEL, root)] as const);
  return { threads: Object.fromEntries(threads), points, processes };

  async function spend(process: Process, person: Person, root: string): Promise<void> {
    const id = await conversationOf(process, root);
    for (const [index, text] of person.says.entries()) {
      await say(process, id, `${root}/${index}`, text);
      await attend(process, id, person, root);
    }
  }

  /** Clicks what there is to click until the turn is over. */
  async function attend(process: Process, id: ConversationId, person: Person, root: string): Promise<void> {
    for (let turns = 0; turns < PATIENCE; turns += 1) {
      await quiet(process, clock);
      const stored = process.store.load(id);
      if (stored === null) throw new Error("the conversation is lost");
      const { phase } = stored.state;
      if (phase.kind === "running") {
        await process.bot.act(id, { kind: "stop", by: alice.id });
        continue;
      }
      const click = buttonIn(fake, root, person.choice) ?? buttonIn(fake, root, "retry");
      if (click === null) {
        if (phase.kind === "idle") return;
        throw new Error(`${person.name} waits in phase ${phase.kind} without a button to click`);
      }
      if (click.action === "retry") {
        if (phase.kind === "failed") outside.triedAgain = true;
        await process.bot.act(id, { kind: "retry", speaker: alice });
      } else {
        const { value: question, action: choice } = click;
        await process.bot.act(id, { kind: "decide", question, choice, by: alice, comment: null });
      }
    }
    throw new Error(`${person.name} lost patience:\n${fake.threadAsText(CHANNEL, root)}`);
  }

  async function finish(process: Process): Promise<void> {
    await quiet(process, clock);
    const behind = process.ledger.behind("slack");
    if (behind.length > 0) throw new Error(`${behind.length} threads are behind at the end of the day`);
  }
};

const say = async (
  process: Process,
  conversation: ConversationId,
  claim: string,
  text: string,
): Promise<void> => {
  const said = await process.bot.say({
    surface: "slack",
    id: claim,
    conversation,
    speaker: alice,
    text,
    images: [],
  });
  if (said.kind !== "accepted" && said.kind !== "duplicate") await gone(process, said.kind);
};

/** Waits for the end of a process that refuses; anything else that refuses is an error. */
const gone = async (process: Process, why: string): Promise<void> => {
  if (!process.points.isDead()) throw new Error(`a message was not taken: ${why}`);
  await new Promise(() => {});
};

/** Until nothing moves any more but what a person would have to do. */
const quiet = async (process: Process, clock: StepClock): Promise<void> => {
  for (let rounds = 0; rounds < MOVES; rounds += 1) {
    const before = process.points.passed.length;
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    await process.deliverer.quiet();
    if (process.points.passed.length !== before) continue;
    if (process.ledger.behind("slack").length === 0 || !clock.step(HORIZON)) return;
  }
  throw new Error("the host never comes to rest");
};

const conversationOf = async (process: Process, root: string): Promise<ConversationId> => {
  const known = process.ledger.find("slack", CHANNEL, root);
  if (known !== null) return known.thread.conversation;
  const created = await process.bot.create({
    surface: "slack",
    repo: { kind: "path", location: "/repo" },
    title: "Day",
    by: alice.id,
  });
  if (created.kind !== "created") {
    await gone(process, created.kind);
    return conversationOf(process, root);
  }
  const { id } = created.overview.state;
  const bound = await process.ledger.bind({ conversation: id, surface: "slack", place: CHANNEL, root });
  if (bound.kind === "failed") await gone(process, bound.message);
  return id;
};

const putRoot = (fake: FakeSlack, text: string): string => {
  const ts = fake.world.nextTs();
  fake.world.put({ channel: CHANNEL, ts, user: "UALICE", text, reactions: [], files: [] });
  return ts;
};

interface Click {
  readonly action: "approve" | "deny" | "retry";
  readonly value: string;
}

/** A button of that kind below the last message of the thread. */
const buttonIn = (fake: FakeSlack, root: string, action: Click["action"]): Click | null => {
  const last = fake.world.thread(CHANNEL, root).at(-1);
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
