/** PARLEY_IDLE_CHECKOUT_DAYS: whose checkout is parked, and what people are told when it stands again. */

import { expect, it, onTestFinished, vi } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { CheckoutRestored } from "../../../src/machine/vocabulary.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { Mirrors, CheckoutParking } from "../../../src/ports/workspaces.ts";
import { startIdleCheckouts } from "../../../src/runtime/bot/idle-checkouts.ts";
import {
  createWorld,
  operator,
  readyWorkspaces,
  textAnswer,
  toolAnswer,
  toolResult,
  type World,
} from "../world.ts";
import { english } from "../../../src/i18n/say.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** All that there are have checkouts; what is asked of them is written down. */
const checkouts = (all: readonly ConversationId[]) => {
  const asked: (readonly [ConversationId, number])[] = [];
  let looks = 0;
  const rests: Pick<CheckoutParking, "candidates" | "park"> = {
    candidates: () => {
      looks += 1;
      return Promise.resolve(all);
    },
    park: (id, since) => {
      asked.push([id, since]);
      return Promise.resolve({ kind: "parked" });
    },
  };
  return { rests, asked, looks: () => looks };
};

const starting = (
  world: World,
  rests: Pick<CheckoutParking, "candidates" | "park">,
  days: number,
  mirrors: Mirrors = { removeUnused: () => Promise.resolve(0) },
) => {
  const drafts = { expire: () => Promise.resolve(0) };
  const idle = startIdleCheckouts({ ...world, rests, drafts, mirrors, log: silent, days, draftDays: 14 });
  onTestFinished(() => idle.close());
  return idle;
};

const reaches = (world: World, id: ConversationId, phase: string): Promise<void> =>
  vi.waitFor(async () => expect((await world.bot.read(id))?.state.phase.kind).toBe(phase), {
    interval: 1,
  });

const talked = async (world: World): Promise<ConversationId> => {
  const id = await world.begin();
  await world.say(id, "Hello");
  (await world.nextModel()).answer(textAnswer("Hi."));
  await reaches(world, id, "idle");
  return id;
};

const looked = async (from: ReturnType<typeof checkouts>, times: number): Promise<void> => {
  await vi.waitFor(() => expect(from.looks()).toBe(times), { interval: 1 });
};

it("parks what has rested for long, and nothing that is younger, works, asks, or is unknown", async () => {
  const world = createWorld();
  const old = await talked(world);
  const asks = await world.begin();
  await world.say(asks, "Write");
  (await world.nextModel()).answer(toolAnswer({ name: "request_mode_upgrade", input: { reason: "r" } }));
  await reaches(world, asks, "awaitingApproval");
  const works = await world.begin();
  await world.say(works, "Go");
  await world.nextModel();
  const removed = await talked(world);
  await world.bot.remove(removed, operator.id);
  const since = world.clock.now();
  world.clock.advance(10 * DAY);
  const younger = await talked(world);
  world.clock.advance(5 * DAY);
  const all = checkouts([old, asks, works, removed, younger]);
  const idle = starting(world, all.rests, 14);
  world.clock.advance(HOUR);
  await looked(all, 1);
  await idle.close();
  expect(all.asked).toEqual([[old, since]]);
});

it("leaves what a command still runs in, until the process that it ran in has ended", async () => {
  const first = createWorld();
  const id = await first.begin();
  const all = checkouts([id]);
  const idle = starting(first, all.rests, 14);
  await first.say(id, "Serve");
  (await first.nextModel()).answer(toolAnswer({ name: "bash", input: { command: "serve &" } }));
  (await first.nextTool()).answer({ ...toolResult("started"), background: true });
  (await first.nextModel()).answer(textAnswer("It runs."));
  await reaches(first, id, "idle");
  first.clock.advance(20 * DAY);
  await looked(all, 1);
  await idle.close();
  expect(all.asked).toEqual([]);
  const second = first.restart();
  second.clock.set(first.clock.now());
  starting(second, all.rests, 14);
  second.clock.advance(HOUR);
  await vi.waitFor(() => expect(all.asked).toHaveLength(1), { interval: 1 });
});

it("looks once an hour; 0 days park nothing, but what was begun is still finished", async () => {
  const world = createWorld();
  const all = checkouts([await talked(world)]);
  world.clock.advance(400 * DAY);
  starting(world, all.rests, 0);
  for (const n of [1, 2, 3]) {
    world.clock.advance(HOUR);
    await looked(all, n);
    await vi.waitFor(() => expect(world.clock.pending()).toBeGreaterThan(0), { interval: 1 });
  }
  expect(all.asked).toEqual([]);
});

const PUT_BACK: readonly (readonly [CheckoutRestored, RegExp])[] = [
  [{ kind: "whole", days: 15 }, /inactive for 15 days\. The thread's checkout was restored with its commits/],
  [
    { kind: "fresh", days: 1, kept: "threads/x/kept-1" },
    /inactive for a day, .*without the changes made here/,
  ],
];

it("whoever wakes one is told in the thread what was put back, before the answer", async () => {
  const { noticeText } = await import("../../../src/thread/wording.ts");
  const marks = {
    say: english,
    code: (text: string) => `\`${text}\``,
    plain: String,
    thread: String,
    link: String,
  };
  for (const [putBack, said] of PUT_BACK) {
    const world = createWorld({
      workspaces: {
        ...readyWorkspaces,
        open: (conversation, hooks) => {
          hooks.onPutBack?.(putBack);
          return readyWorkspaces.open(conversation, hooks);
        },
      },
    });
    const id = await talked(world);
    const posts = (await world.bot.read(id))?.posts.map(({ post }) => post.body) ?? [];
    const notices = posts.flatMap((body) => (body.kind === "notice" ? [body.notice] : []));
    expect(notices).toEqual([{ kind: "putBack", putBack }]);
    expect(notices.map((notice) => noticeText(notice, marks)).join("")).toMatch(said);
    expect(posts.findIndex(({ kind }) => kind === "notice")).toBeLessThan(
      posts.findIndex(({ kind }) => kind === "answer"),
    );
  }
});

it("39.B2 looks for mirrors that nothing uses as often as for checkouts", async () => {
  const world = createWorld();
  const from = checkouts([]);
  let asked = 0;
  const mirrors: Mirrors = {
    removeUnused: () => {
      asked += 1;
      return Promise.resolve(0);
    },
  };
  starting(world, from.rests, 7, mirrors);
  world.clock.advance(2 * 60_000);
  await looked(from, 1);
  world.clock.advance(HOUR);
  await looked(from, 2);
  expect(asked).toBe(2);
});
