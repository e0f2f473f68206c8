/** A conversation that is full goes on in a new one: the request on the way, the new thread, crashes (rows 53-63, 127-131). */

import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import { createCut } from "../../../src/runtime/bot/erased-text.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, usage, type World } from "../world.ts";

const full = (outcome: ModelOutcome): ModelOutcome =>
  outcome.kind === "answered" ? { ...outcome, usage: { ...usage, input: 180_000, output: 0 } } : outcome;

const phase = async (world: World, id: ConversationId) => (await world.bot.read(id))?.state.phase;

/** Of what a person wrote all goes; of others' words nothing is a quotation. */
const cut = createCut((text) => ({ text, taken: [] }));

const failure = { kind: "overloaded", message: "It is overloaded.", retryAfter: null } as const;

/** Asked, read something, and then full: the request for the summary is on its way. */
const filled = async (world: World) => {
  const id = await world.begin();
  await world.say(id, "why does it fail?");
  (await world.nextModel()).answer(toolAnswer({ name: "bash", input: { command: "cat notes" } }));
  (await world.nextTool()).answer(toolResult("the notes say: it is the cache"));
  (await world.nextModel()).answer(
    full(toolAnswer({ name: "bash", input: { command: "make" } }, { name: "patch", id: "t9" })),
  );
  return { id, asked: await world.nextModel() };
};

const exhausted = async (world: World) => {
  const { id, asked } = await filled(world);
  asked.answer(textAnswer("It is the cache. Next: clear it."));
  await expect.poll(async () => (await phase(world, id))?.kind).toBe("exhausted");
  return id;
};

const next = async (world: World, id: ConversationId): Promise<ConversationId> => {
  await expect.poll(async () => (await world.bot.read(id))?.state.branches).toEqual([]);
  const at = await phase(world, id);
  if (at?.kind !== "exhausted" || at.next === null) throw new Error("it goes on nowhere");
  return at.next;
};

describe("the request for a summary", () => {
  it("rows 55, 130: no tools and no blocks of tools, the story in prose, the calls that were not run by name", async () => {
    const world = createWorld();
    const { asked } = await filled(world);
    const { prefix, messages } = asked.request;
    expect(prefix.tools).toEqual([]);
    expect(messages.flatMap(({ content }) => content.map(({ kind }) => kind))).toEqual(["text"]);
    const told = JSON.stringify(messages);
    for (const what of [
      "why does it fail?",
      "cat notes",
      "it is the cache",
      "not executed",
      "- bash",
      "- patch",
    ])
      expect(told).toContain(what);
    asked.answer(textAnswer("done"));
  });

  it("row 53: nothing of the response runs, and every call has a result", async () => {
    const world = createWorld();
    const id = await exhausted(world);
    const posts = (await world.bot.read(id))?.posts ?? [];
    const calls = posts.flatMap(({ post: { body } }) => (body.kind === "activity" ? [body.outcome] : []));
    expect(calls).toMatchObject([{ kind: "ran" }, { kind: "host", isError: true }, { kind: "host" }]);
  });

  it("row 56: is posted with its buttons, survives a restart, and a message is refused", async () => {
    const world = createWorld();
    const id = await exhausted(world);
    const again = world.restart();
    await again.bot.recover();
    expect(await phase(again, id)).toMatchObject({ kind: "exhausted" });
    const post = (await again.bot.read(id))?.posts.find(
      ({ post: { body } }) => body.kind === "summary",
    )?.post;
    expect(post).toMatchObject({
      actions: ["with_summary", "new_empty"],
      body: { ended: "summarized", percent: 90, rejected: ["bash", "patch"], next: null },
    });
    expect(await again.say(id, "hello?")).toEqual({ kind: "refused", why: "context_exhausted" });
  });

  it("rows 57, 127: three failures end it without one; only an empty thread is offered then", async () => {
    const world = createWorld();
    const { id, asked } = await filled(world);
    asked.answer({ kind: "failed", failure });
    for (const delay of [1_000, 2_000]) {
      await expect.poll(() => phase(world, id)).toMatchObject({ wait: { delay } });
      world.clock.advance(delay);
      (await world.nextModel()).answer({ kind: "failed", failure });
    }
    await expect.poll(async () => (await phase(world, id))?.kind).toBe("exhausted");
    const post = (await world.bot.read(id))?.posts.find(
      ({ post: { body } }) => body.kind === "summary",
    )?.post;
    expect(post).toMatchObject({ actions: ["new_empty"], body: { ended: "failed", message: null } });
  });

  it("row 127: Stop cancels it", async () => {
    const world = createWorld();
    const { id, asked } = await filled(world);
    await world.bot.act(id, { kind: "stop", by: operator.id });
    expect(asked.signal.aborted).toBe(true);
    const post = (await world.bot.read(id))?.posts.find(
      ({ post: { body } }) => body.kind === "summary",
    )?.post;
    expect(post).toMatchObject({ body: { ended: "cancelled" } });
  });
});

describe("C4: a process that dies while the summary is written", () => {
  it("leaves the conversation idle with another try, which asks for the summary again", async () => {
    const world = createWorld();
    const { id } = await filled(world);
    const again = world.restart();
    await again.bot.recover();
    expect(await phase(again, id)).toEqual({ kind: "idle" });
    await again.bot.act(id, { kind: "retry", speaker: operator });
    const asked = await again.nextModel();
    expect(asked.request.prefix.tools).toEqual([]);
    asked.answer(textAnswer("It is the cache."));
    await expect.poll(async () => (await phase(again, id))?.kind).toBe("exhausted");
  });

  it("or drains in good order: the same", async () => {
    const world = createWorld();
    const { id } = await filled(world);
    await world.bot.close();
    const again = world.restart();
    await again.bot.recover();
    await again.bot.act(id, { kind: "retry", speaker: operator });
    expect((await again.nextModel()).request.prefix.tools).toEqual([]);
  });
});

describe("a request that would be too large", () => {
  it("D15: is not sent; the summary is asked for instead, and that fits", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, `look at this: ${"x".repeat(900_000)}`);
    const { prefix, messages } = (await world.nextModel()).request;
    expect(prefix.tools).toEqual([]);
    expect(JSON.stringify(messages).length).toBeLessThan(400_000);
  });

  it("its twin that fits is sent", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, `look at this: ${"x".repeat(700_000)}`);
    expect((await world.nextModel()).request.prefix.tools).not.toEqual([]);
  });
});

describe("the new conversation", () => {
  it("row 59: begins with the summary as others' words, Restricted, without grants, linked both ways", async () => {
    const world = createWorld();
    const id = await exhausted(world);
    expect(await world.bot.act(id, { kind: "move", seed: "summary", by: operator })).toEqual({
      kind: "done",
    });
    const asked = await world.nextModel();
    const told = asked.request.messages.at(-1)?.content.at(-1);
    expect(told).toMatchObject({ kind: "text" });
    expect(JSON.stringify(told)).toContain("> It is the cache. Next: clear it.");
    expect(asked.request.prefix.tools).not.toEqual([]);
    asked.answer(textAnswer("cleared"));
    const to = await next(world, id);
    expect(await world.bot.read(to)).toMatchObject({
      conversation: { origin: { conversation: id, why: "continuation" } },
      state: { permission: "restricted", grants: [], untrusted: { summaries: 1 } },
    });
  });

  it("row 59: begins empty and waits for people", async () => {
    const world = createWorld();
    const id = await exhausted(world);
    await world.bot.act(id, { kind: "move", seed: "empty", by: operator });
    const to = await next(world, id);
    expect(await world.bot.read(to)).toMatchObject({ state: { phase: { kind: "idle" }, turn: { no: 0 } } });
    await world.say(to, "go on");
    expect(JSON.stringify((await world.nextModel()).request.messages)).toContain("go on");
  });

  it("row 59: a second click leads to the same one", async () => {
    const world = createWorld();
    const id = await exhausted(world);
    const clicks = await Promise.all(
      (["summary", "empty", "summary"] as const).map((seed) =>
        world.bot.act(id, { kind: "move", seed, by: operator }),
      ),
    );
    expect(clicks).toMatchObject([
      { kind: "done" },
      { kind: "refused", why: "already_continued" },
      { kind: "refused", why: "already_continued" },
    ]);
    (await world.nextModel()).answer(textAnswer("on it"));
    await next(world, id);
    expect(world.bot.list(10, null)).toHaveLength(2);
  });

  it("D6: a process that dies before it is there makes it in the next, once", async () => {
    const world = createWorld();
    const id = await exhausted(world);
    const dying = createWorld({ store: { ...world.store, create: () => new Promise(() => {}) } });
    await dying.bot.act(id, { kind: "move", seed: "empty", by: operator });
    const later = world.restart();
    await later.bot.recover();
    const to = await next(later, id);
    expect(
      later.bot
        .list(10, null)
        .map(({ conversation }) => conversation.id)
        .toSorted(),
    ).toEqual([id, to].toSorted());
  });

  it("row 63: by hand it is the same way", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "hello");
    (await world.nextModel()).answer(textAnswer("hello"));
    await expect.poll(async () => (await phase(world, id))?.kind).toBe("idle");
    await world.bot.act(id, { kind: "continue", by: operator });
    const asked = await world.nextModel();
    expect(JSON.stringify(asked.request.messages)).not.toContain("not executed");
    asked.answer(textAnswer("A greeting."));
    await expect.poll(async () => (await phase(world, id))?.kind).toBe("exhausted");
  });

  it("words that are taken back leave the summary and the new conversation too", async () => {
    const world = createWorld();
    const id = await world.begin();
    const text = "the staging password is kept in the blue folder upstairs";
    await world.bot.say({
      surface: "console",
      id: "s1",
      conversation: id,
      speaker: operator,
      text,
      images: [],
      source: "m1",
    });
    (await world.nextModel()).answer(full(textAnswer("I see.")));
    (await world.nextModel()).answer(textAnswer(`They said that ${text}.`));
    await expect.poll(async () => (await phase(world, id))?.kind).toBe("exhausted");
    await world.bot.act(id, { kind: "move", seed: "summary", by: operator });
    const asked = await world.nextModel();
    expect(JSON.stringify(asked.request.messages)).toContain(text);
    asked.answer(textAnswer("understood"));
    const to = await next(world, id);
    await expect.poll(async () => (await phase(world, to))?.kind).toBe("idle");
    expect(
      await world.bot.forget(id, { by: operator.id, meant: { kind: "message", source: "m1" }, cut }),
    ).toEqual({ kind: "done" });
    for (const one of [id, to])
      expect(JSON.stringify([...world.store.allWords(one).values()])).not.toContain("blue folder upstairs");
  });
});
