/** 40.B: a host that hands over takes nothing new and lets the turns that go on end. */

import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const SHUT = { kind: "failed", code: "closing" };

/** A turn that waits for the model. */
const working = async (): Promise<{ readonly world: World; readonly id: ConversationId }> => {
  const world = createWorld();
  const id = await world.begin();
  expect(await world.say(id, "list")).toMatchObject({ kind: "accepted" });
  return { world, id };
};

/** Whether it has settled, once everything that can happen by itself has happened. */
const isSettled = async (promise: Promise<void>): Promise<boolean> => {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  return settled;
};

it("40.B a turn goes on to its end, with its tools, and nothing new is taken meanwhile", async () => {
  const { world, id } = await working();
  const idle = await world.begin();
  const model = await world.nextModel();
  const rested = world.bot.rest();
  expect(await world.say(idle, "hello")).toMatchObject(SHUT);
  expect(
    await world.bot.create({
      surface: "console",
      repo: { kind: "path", location: "/repo" },
      title: "",
      by: operator.id,
    }),
  ).toMatchObject(SHUT);
  model.answer(toolAnswer({ name: "bash", input: { command: "ls" } }));
  (await world.nextTool()).answer(toolResult("a.txt"));
  const last = await world.nextModel();
  expect(await isSettled(rested)).toBe(false);
  last.answer(textAnswer("One file."));
  await rested;
  const { state } = (await world.bot.read(id)) ?? { state: null };
  expect(state?.turn.end?.why).toBe("answered");
});

it("40.B a person may stop the turn that is waited for", async () => {
  const { world, id } = await working();
  await world.nextModel();
  const rested = world.bot.rest();
  expect(await world.bot.act(id, { kind: "stop", by: operator.id })).toMatchObject({ kind: "done" });
  await rested;
});

it("40.B a host without a turn, or with a question that waits for a person, rests at once", async () => {
  const { world } = await working();
  (await world.nextModel()).answer(
    toolAnswer({ name: "request_mode_upgrade", input: { reason: "to write" } }),
  );
  await world.bot.rest();
  await createWorld().bot.rest();
});
