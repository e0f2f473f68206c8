/** Answers that can be trusted: what they cite is looked up before they are posted, and what was found is kept. */

import { describe, expect, it } from "vitest";
import { citationsOf } from "../../../src/thread/visible-text.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createWorld, textAnswer, toolAnswer, toolResult, usage, type World } from "../world.ts";

const idle = (world: World, id: ConversationId): Promise<void> =>
  new Promise((resolve) => {
    const stop = world.bot.subscribe(id, (change) => {
      if (change.kind !== "state" || change.overview.state.phase.kind !== "idle") return;
      stop();
      resolve();
    });
  });

const answerOf = async (world: World, id: ConversationId) => {
  const posts = (await world.bot.read(id))?.posts ?? [];
  const [message] = posts.flatMap(({ post: { body } }) => (body.kind === "answer" ? [body.message] : []));
  const [below] = posts.flatMap(({ post: { body } }) => (body.kind === "footer" ? [body.answer] : []));
  if (message === undefined) throw new Error("no answer");
  return { message, below, citations: citationsOf(world.bot.words([message]).get(message)) };
};

describe("what an answer cites", () => {
  it("is looked up before the answer is posted, kept with it, and the same in another process", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "where?");
    const asked = await world.nextModel();
    const done = idle(world, id);
    asked.answer(textAnswer("In `src/app.ts:3-4`, not src/gone.ts:9, at 12:30.\n```\nsrc/quoted.ts:1\n```"));
    await done;
    const first = await answerOf(world, id);
    expect(first.citations).toEqual([
      { path: "src/app.ts", from: 3, to: 4, status: "found", file: "src/app.ts" },
      { path: "src/gone.ts", from: 9, to: 9, status: "missing", file: "src/gone.ts" },
    ]);
    expect(first.below).toBe(first.message);
    expect(await answerOf(world.restart(), id)).toEqual(first);
  });

  it("is nothing the model is told: the next request has the answer as it was given", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "where?");
    const asked = await world.nextModel();
    const done = idle(world, id);
    asked.answer(textAnswer("src/gone.ts:9"));
    await done;
    await world.say(id, "and now?");
    const { request } = await world.nextModel();
    expect(request.messages[1]).toEqual({
      role: "assistant",
      content: [{ kind: "text", text: "src/gone.ts:9" }],
    });
  });

  it("the footer stands below the last answer of the turn, and below none where there was none", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    (await world.nextTool()).answer(toolResult("ok"));
    const asked = await world.nextModel();
    const done = idle(world, id);
    asked.answer({ kind: "answered", blocks: [], stop: "end", usage });
    await done;
    const posts = (await world.bot.read(id))?.posts ?? [];
    expect(posts.flatMap(({ post: { body } }) => (body.kind === "footer" ? [body.answer] : []))).toEqual([
      undefined,
    ]);
  });
});
