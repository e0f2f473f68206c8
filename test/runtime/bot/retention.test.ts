/** PARLEY_RETENTION_DAYS: what nobody has touched for so long is removed whole, and nothing else. */

import { expect, it, onTestFinished, vi } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Log } from "../../../src/ports/host.ts";
import { startRetention } from "../../../src/runtime/bot/retention.ts";
import { createWorld, operator, textAnswer, toolAnswer, type World } from "../world.ts";

const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const keeping = (world: World, days: number) => {
  const retention = startRetention({ ...world, log: silent, days });
  onTestFinished(() => retention.close());
  return retention;
};

const talked = async (world: World): Promise<ConversationId> => {
  const id = await world.begin();
  await world.say(id, "Hello");
  (await world.nextModel()).answer(textAnswer("Hi."));
  await vi.waitFor(async () => expect((await world.bot.read(id))?.state.phase.kind).toBe("idle"), {
    interval: 1,
  });
  return id;
};

const listed = (world: World): readonly ConversationId[] =>
  [...world.bot.list(200, null), ...world.bot.list(200, null, "archived")].map(({ state }) => state.id);

it("removes what is older, archived or not, and keeps what was touched since", async () => {
  const world = createWorld();
  const old = await talked(world);
  const shelved = await talked(world);
  await world.bot.archive(shelved, true, operator.id);
  const touched = await talked(world);
  world.clock.advance(20 * DAY);
  await world.say(touched, "Still there?");
  (await world.nextModel()).answer(textAnswer("Yes."));
  world.clock.advance(15 * DAY);
  keeping(world, 30);
  expect(new Set(listed(world))).toEqual(new Set([old, shelved, touched]));
  world.clock.advance(HOUR);
  await vi.waitFor(() => expect(listed(world)).toEqual([touched]), { interval: 1 });
  await vi.waitFor(() => expect(world.store.hidden()).toEqual([]), { interval: 1 });
});

it("goes through more of them than it looks up at once, also where some stay", async () => {
  const world = createWorld();
  const waiting = await world.begin();
  await world.say(waiting, "Go");
  await world.nextModel();
  for (let n = 0; n < 25; n += 1) await world.begin();
  world.clock.advance(3 * DAY);
  keeping(world, 2);
  world.clock.advance(HOUR);
  await vi.waitFor(() => expect(listed(world)).toEqual([waiting]), { interval: 1 });
});

it("keeps an open question that is younger, and goes with one that is older", async () => {
  const world = createWorld();
  const id = await world.begin();
  await world.say(id, "Write");
  (await world.nextModel()).answer(toolAnswer({ name: "request_mode_upgrade", input: { reason: "r" } }));
  await vi.waitFor(() => expect(world.store.waiting()).toHaveLength(1), { interval: 1 });
  world.clock.advance(2 * DAY - HOUR);
  const asked = await talked(world);
  const retention = keeping(world, 2);
  world.clock.advance(60_000);
  await retention.close();
  expect(new Set(listed(world))).toEqual(new Set([id, asked]));
  world.clock.advance(2 * HOUR);
  keeping(world, 2);
  world.clock.advance(60_000);
  await vi.waitFor(() => expect(listed(world)).toEqual([asked]), { interval: 1 });
  expect(world.store.waiting()).toEqual([]);
});

it("without a number of days nothing is removed", async () => {
  const world = createWorld();
  const id = await talked(world);
  const retention = keeping(world, Infinity);
  world.clock.advance(5_000 * DAY);
  await retention.close();
  expect(listed(world)).toEqual([id]);
});
