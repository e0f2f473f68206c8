import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { EarlierAnswer } from "../../../src/machine/vocabulary.ts";
import type { ReusedAnswer } from "../../../src/ports/reuse.ts";
import {
  createWorld,
  operator,
  readyWorkspaces,
  textAnswer,
  toolAnswer,
  toolResult,
  type World,
} from "../world.ts";

const given: ReusedAnswer = {
  conversation: "c-old",
  message: "m-old",
  at: 0,
  link: "https://chat.example/old",
  words: { kind: "answer", blocks: [{ kind: "text", text: "Three times (`src/retry.js:2`)." }] },
};

const NONE = () => Promise.resolve([]);

it("what was answered before ends the turn without a model or a checkout, and *Ask again from scratch* has both", async () => {
  let opened = 0;
  const world = createWorld({
    reuse: { find: () => Promise.resolve(given), similar: NONE },
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
  expect(opened).toBe(0);
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
  expect(opened).toBe(1);
});

it("a question in a thread that goes on is never looked up", async () => {
  const looked: number[] = [];
  const world = createWorld({
    reuse: {
      find: (_, state) => {
        looked.push(state.turn.no);
        return Promise.resolve(null);
      },
      similar: (_, state) => {
        looked.push(state.turn.no);
        return Promise.resolve([]);
      },
    },
  });
  const id = await world.begin();
  for (const text of ["One?", "Two?"]) {
    await world.say(id, text);
    (await world.nextModel()).answer(textAnswer("Yes."));
    await expect.poll(() => world.store.load(id)?.state.phase.kind).toBe("idle");
  }
  expect(looked).toEqual([1, 1]);
});

it("a stop while it is looked up ends the turn", async () => {
  const { promise, resolve } = Promise.withResolvers<ReusedAnswer>();
  const world = createWorld({ reuse: { find: () => promise, similar: NONE } });
  const id = await world.begin();
  await world.say(id, "How often?");
  await world.bot.act(id, { kind: "stop", by: operator.id });
  resolve(given);
  await expect.poll(() => world.store.load(id)?.state.turn.end?.why).toBe("stopped");
});

const idle = (world: World, id: ConversationId) =>
  expect.poll(() => world.store.load(id)?.state.phase.kind).toBe("idle");

const EARLIER = { conversation: "c-old", at: 0, link: "https://chat.example/old" } as const;

/** What the posts of the first turn and its trace have of earlier answers. */
const offered = (world: World, id: ConversationId) => ({
  posts: world.store
    .posts(id, 0)
    .flatMap(({ post: { body } }) => (body.kind === "turn" || body.kind === "footer" ? [body.earlier] : [])),
  trace: [...world.store.trace(id)].flatMap(({ event }) =>
    event.kind === "answered" ? [event.earlier] : [],
  ),
});

describe("earlier answers to similar questions", () => {
  it("are offered with the answer, are in the trace for every replay, and no model reads them", async () => {
    const world = createWorld({
      reuse: { find: () => Promise.resolve(null), similar: () => Promise.resolve([EARLIER]) },
    });
    const id = await world.begin();
    await world.say(id, "How often is it tried?");
    (await world.nextModel()).answer(textAnswer("Three times."));
    await idle(world, id);
    expect(offered(world, id)).toEqual({ posts: [[EARLIER], [EARLIER]], trace: [[EARLIER]] });

    await world.say(id, "Why?");
    const next = await world.nextModel();
    expect(JSON.stringify(next.request.messages)).not.toMatch(/chat\.example|c-old/);
    next.answer(textAnswer("Because."));
    await idle(world, id);
    expect(offered(world, id).trace).toEqual([[EARLIER], undefined]);
  });

  it("are offered with a later response of the turn if they are found after the first", async () => {
    const { promise, resolve } = Promise.withResolvers<readonly EarlierAnswer[]>();
    const world = createWorld({ reuse: { find: () => Promise.resolve(null), similar: () => promise } });
    const id = await world.begin();
    await world.say(id, "How often is it tried?");
    (await world.nextModel()).answer(toolAnswer({ name: "list_files" }));
    (await world.nextTool()).answer(toolResult("retry.js"));
    const next = await world.nextModel();
    resolve([EARLIER]);
    await promise;
    next.answer(textAnswer("Three times."));
    await idle(world, id);
    expect(offered(world, id)).toEqual({ posts: [[EARLIER], [EARLIER]], trace: [undefined, [EARLIER]] });
  });

  it("are neither waited for nor offered in a later turn", async () => {
    const { promise, resolve } = Promise.withResolvers<readonly EarlierAnswer[]>();
    const world = createWorld({ reuse: { find: () => Promise.resolve(null), similar: () => promise } });
    const id = await world.begin();
    await world.say(id, "How often is it tried?");
    (await world.nextModel()).answer(textAnswer("Three times."));
    await idle(world, id);
    resolve([EARLIER]);
    await promise;
    await world.say(id, "Why?");
    (await world.nextModel()).answer(textAnswer("Because."));
    await idle(world, id);
    expect(offered(world, id)).toEqual({
      posts: [undefined, undefined, undefined, undefined],
      trace: [undefined, undefined],
    });
  });

  it("that cannot be sought leave the answer as it is", async () => {
    const world = createWorld({
      reuse: { find: () => Promise.resolve(null), similar: () => Promise.reject(new Error("closed")) },
    });
    const id = await world.begin();
    await world.say(id, "How often is it tried?");
    (await world.nextModel()).answer(textAnswer("Three times."));
    await idle(world, id);
    expect(offered(world, id).trace).toEqual([undefined]);
  });
});
