import { expect, it } from "vitest";
import type { Given } from "../../../src/ports/answers/reuse.ts";
import { createWorld, operator, readyWorkspaces, textAnswer, usage } from "../world.ts";
import { usual } from "../money/usual.ts";

const given: Given = {
  conversation: "c-old",
  message: "m-old",
  at: 0,
  link: "https://chat.example/old",
  words: { kind: "answer", blocks: [{ kind: "text", text: "Three times (`src/retry.js:2`)." }] },
};

const DAY = ["1970-01-01"];

it("what was answered before ends the turn without a model, a checkout or money, and *Ask anew* has all three", async () => {
  let opened = 0;
  const world = createWorld({
    budgets: usual,
    reuse: { find: () => Promise.resolve(given) },
    workspaces: {
      ...readyWorkspaces,
      open: () => {
        opened += 1;
        return Promise.resolve({ kind: "ready", base: { commit: "abc123", ref: "main", cwd: "/work" } });
      },
    },
  });
  const id = await world.begin();
  await world.say(id, "How often is it tried?");
  await expect.poll(() => world.store.load(id)?.state.turn.end?.why).toBe("answered");
  const turnPost = (no: number) =>
    world.store.posts(id, 0).find(({ post: { key } }) => key === `turn/${no}/1`)?.post;
  expect(turnPost(1)).toMatchObject({
    actions: ["retry"],
    body: { notices: [{ kind: "reused", from: "c-old" }] },
  });
  expect([opened, world.purse.spent(DAY, "day")]).toEqual([0, 0]);
  const traced = [...world.store.trace(id)].flatMap(({ event }) =>
    event.kind === "answered" ? [event.reused] : [],
  );
  const { words: _, ...decided } = given;
  expect(traced).toEqual([decided]);
  expect(world.store.load(id)?.state.untrusted).toMatchObject({ messages: 1 });

  await world.bot.act(id, { kind: "retry", speaker: operator });
  const asked = await world.nextModel();
  expect(JSON.stringify(asked.request.messages.at(-1))).toContain("wants an answer of its own");
  asked.answer(textAnswer("Five times."));
  await expect.poll(() => turnPost(2)?.body).toMatchObject({ end: "answered", notices: [] });
  expect(turnPost(1)?.actions).toEqual([]);
  expect([opened, world.purse.spent(DAY, "day")]).toEqual([1, usage.costMicroUsd]);
});

it("a question in a thread that goes on is never looked up", async () => {
  const looked: number[] = [];
  const world = createWorld({
    reuse: {
      find: (_, state) => {
        looked.push(state.turn.no);
        return Promise.resolve(null);
      },
    },
  });
  const id = await world.begin();
  for (const text of ["One?", "Two?"]) {
    await world.say(id, text);
    (await world.nextModel()).answer(textAnswer("Yes."));
    await expect.poll(() => world.store.load(id)?.state.phase.kind).toBe("idle");
  }
  expect(looked).toEqual([1]);
});

it("a stop while it is looked up ends the turn", async () => {
  const { promise, resolve } = Promise.withResolvers<Given>();
  const world = createWorld({ reuse: { find: () => promise } });
  const id = await world.begin();
  await world.say(id, "How often?");
  await world.bot.act(id, { kind: "stop", by: operator.id });
  resolve(given);
  await expect.poll(() => world.store.load(id)?.state.turn.end?.why).toBe("stopped");
});
