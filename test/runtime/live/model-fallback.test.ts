/** Where a model fails, the host names another; what was asked of which stands in the trace. */

import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ModelNames, ModelOutcome } from "../../../src/ports/model.ts";
import { createWorld, operator, textAnswer, usage, type World } from "../world.ts";

const models: ModelNames = { all: ["test", "spare"], knows: () => true };

const down: ModelOutcome = {
  kind: "failed",
  failure: { kind: "auth", message: "The key was refused.", retryAfter: null },
};

const modelsOf = (world: World, id: ConversationId): readonly string[] =>
  [...world.store.trace(id)].flatMap(({ event }) =>
    (event.kind === "answered" || event.kind === "modelFailed" || event.kind === "summarized") &&
    event.model !== undefined
      ? [`${event.kind} ${event.model}`]
      : [],
  );

const settled = async (world: World, id: ConversationId) => {
  await expect.poll(async () => (await world.bot.read(id))?.state.turn.end).not.toBeNull();
  return world.bot.read(id);
};

it("the fallback is asked by itself, and the trace names both", async () => {
  const world = createWorld({ models: { ...models, fallback: "spare" } });
  const id = await world.begin();
  await world.say(id, "hello");
  const first = await world.nextModel();
  expect(first.request.model).toBe("test");
  first.answer(down);
  const second = await world.nextModel();
  expect(second.request.model).toBe("spare");
  expect(second.request.messages).toEqual(first.request.messages);
  second.answer(textAnswer("Hello."));
  const after = await settled(world, id);
  expect(after?.state).toMatchObject({ model: "test", turn: { end: { why: "answered" } } });
  expect(modelsOf(world, id)).toEqual(["modelFailed test", "answered spare"]);
  expect(after?.posts.map(({ post }) => post.body)).toContainEqual(
    expect.objectContaining({
      kind: "turn",
      model: "spare",
      notices: [expect.objectContaining({ kind: "fellBack" })],
    }),
  );
});

it("without one a person may try with another model, once and for that turn", async () => {
  const world = createWorld({ models });
  const id = await world.begin();
  await world.say(id, "hello");
  (await world.nextModel()).answer(down);
  const failed = await settled(world, id);
  expect(failed?.posts.flatMap(({ post }) => (post.body.kind === "turn" ? post.actions : []))).toEqual([
    "retry",
    "retry_other",
  ]);
  await world.bot.act(id, { kind: "retry", speaker: operator, other: true });
  const again = await world.nextModel();
  expect(again.request.model).toBe("spare");
  again.answer(textAnswer("Hello."));
  await settled(world, id);
  await world.say(id, "again");
  const next = await world.nextModel();
  expect(next.request.model).toBe("test");
  next.answer(textAnswer("Yes."));
});

it("a summary is written by the model for summaries, the answers by the thread's own", async () => {
  const world = createWorld({ models: { ...models, summaries: "spare" } });
  const id = await world.begin();
  await world.say(id, "hello");
  const answer = textAnswer("Hello.");
  (await world.nextModel()).answer({ ...answer, usage: { ...usage, input: 190_000 } });
  const summary = await world.nextModel();
  expect(summary.request.model).toBe("spare");
  summary.answer(textAnswer("They said hello."));
  await expect.poll(async () => (await world.bot.read(id))?.state.phase.kind).toBe("exhausted");
  expect(modelsOf(world, id)).toEqual(["answered test", "summarized spare"]);
});
