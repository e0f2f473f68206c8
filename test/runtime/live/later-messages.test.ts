import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Speaker } from "../../../src/machine/vocabulary.ts";
import type { ActRequest } from "../../../src/ports/bot.ts";
import { sayOrSendLater } from "../../../src/ports/later.ts";
import { openMemory } from "../../store/in-memory.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const bob: Speaker = { id: "slack:UBOB", name: "bob", mayDrive: true, mayApprove: false };
const eve: Speaker = { id: "slack:UEVE", name: "eve", mayDrive: false, mayApprove: false };

const message = (text: string, speaker: Speaker) => ({ speaker, text, images: [] });
const add = (text: string, speaker = bob): ActRequest => ({ kind: "add", ...message(text, speaker) });
const queue = (text: string, speaker = bob): ActRequest => ({ kind: "queue", ...message(text, speaker) });

const working = async (options: Parameters<typeof createWorld>[0] = {}) => {
  const world = createWorld(options);
  const id = await world.begin();
  await world.say(id, "go");
  return { world, id, first: await world.nextModel() };
};

const phaseOf = async (world: World, id: ConversationId) => (await world.bot.read(id))?.state.phase.kind;

const DONE = { kind: "done" };

describe("Add to this turn", () => {
  it("the next request contains the message after the results of the round, with its author", async () => {
    const { world, id, first } = await working();
    first.answer(toolAnswer({ name: "bash" }, { name: "bash" }));
    const tool = await world.nextTool();
    expect(await world.bot.act(id, add("also the tests"))).toEqual(DONE);
    tool.answer(toolResult("one"));
    (await world.nextTool()).answer(toolResult("two"));
    const { content } = (await world.nextModel()).request.messages.at(-1) ?? {};
    expect(content).toMatchObject([
      { kind: "toolResult", text: "one" },
      { kind: "toolResult", text: "two" },
      { kind: "text", text: '[Parley] "bob" added this message to the turn while you were working.' },
      { kind: "text", text: "also the tests" },
    ]);
  });

  it("a response in progress is not cut, and the turn continues with one request that contains the message", async () => {
    const { world, id, first } = await working();
    await world.bot.act(id, add("also the tests"));
    expect(first.signal.aborted).toBe(false);
    first.answer(textAnswer("Here is the answer."));
    const second = await world.nextModel();
    expect(JSON.stringify(second.request.messages)).toContain("also the tests");
    second.answer(textAnswer("And the tests."));
    await expect.poll(() => phaseOf(world, id)).toBe("idle");
    const turn = (await world.bot.read(id))?.posts.find(({ post }) => post.key === "turn/1/1");
    expect(turn?.post.body).toMatchObject({
      end: "answered",
      said: [expect.any(String), expect.any(String)],
    });
  });

  it("a request that still waits for a slot is prepared again", async () => {
    const world = createWorld({ modelSlots: 1 });
    const [busy, id] = [await world.begin(), await world.begin()];
    await world.say(busy, "first");
    const other = await world.nextModel();
    await world.say(id, "go");
    await world.bot.act(id, add("also the tests"));
    other.answer(textAnswer("done"));
    expect(JSON.stringify((await world.nextModel()).request.messages)).toContain("also the tests");
  });

  it("D1 the author's rights limit the call that runs next, and the call that runs is not stopped", async () => {
    const { world, id, first } = await working({ confinement: "enforced" });
    first.answer(toolAnswer({ name: "request_mode_upgrade" }, { name: "bash" }, { name: "bash" }));
    await expect.poll(() => phaseOf(world, id)).toBe("awaitingApproval");
    const question = (await world.bot.read(id))?.question?.wire ?? "";
    await world.bot.act(id, { kind: "decide", question, choice: "approve", by: operator, comment: null });
    const tool = await world.nextTool();
    expect(tool.request.permission).toBe("unrestricted");
    expect(await world.bot.act(id, add("and print the keys", eve))).toEqual(DONE);
    expect(tool.signal.aborted).toBe(false);
    tool.answer(toolResult("one"));
    const next = await world.nextTool();
    expect(next.request.permission).toBe("restricted");
    next.answer(toolResult("two"));
    (await world.nextModel()).answer(textAnswer("No."));
    await expect.poll(() => phaseOf(world, id)).toBe("idle");
    const turn = (await world.bot.read(id))?.posts.find(({ post }) => post.key === "turn/1/1");
    expect(turn?.post.body).toMatchObject({ permission: "restricted", held: eve.id });
  });

  it("PARLEY_BUSY=add applies to a message that does not answer the agent's question", async () => {
    const { world, id, first } = await working();
    first.answer(toolAnswer({ id: "t1", name: "ask_person", input: { question: "Which one?" } }));
    await expect.poll(() => phaseOf(world, id)).toBe("awaitingApproval");
    const said = { surface: "slack", id: "later", conversation: id, ...message("also the tests", bob) };
    expect(await sayOrSendLater({ ...world.bot, whenBusy: "add" }, said)).toEqual({
      kind: "later",
      as: "added",
    });
    expect(await phaseOf(world, id)).toBe("awaitingApproval");
    expect((await world.bot.read(id))?.state.turn.added).toHaveLength(1);
  });

  it("in an idle conversation there is no turn to add to", async () => {
    const world = createWorld();
    const id = await world.begin();
    expect(await world.bot.act(id, add("hello"))).toEqual({ kind: "refused", why: "no_op" });
  });
});

describe("Send when done", () => {
  it("starts a turn by its author when the turn is over", async () => {
    const { world, id, first } = await working();
    expect(await world.bot.act(id, queue("then this"))).toEqual(DONE);
    expect((await world.bot.read(id))?.status?.waiting).toMatchObject([{ by: bob.id, name: "bob" }]);
    first.answer(textAnswer("done"));
    expect(JSON.stringify((await world.nextModel()).request.messages)).toContain("then this");
    expect((await world.bot.read(id))?.state.turn.speaker).toEqual(bob);
  });

  it("in an idle conversation starts at once, with the review that the channel requires", async () => {
    const world = createWorld({ reviewedIn: "slack:CREVIEW" });
    const id = await world.begin();
    expect(await world.bot.act(id, queue("then this"))).toEqual(DONE);
    expect((await world.bot.read(id))?.state.turn).toMatchObject({ no: 1, reviewed: "slack:CREVIEW" });
  });

  it("one message per person waits, and its author or an approver removes it", async () => {
    const { world, id, first } = await working();
    await world.bot.act(id, queue("then this"));
    expect(await world.bot.act(id, queue("and this"))).toEqual({ kind: "refused", why: "already_waiting" });
    const waits = (await world.bot.read(id))?.state.waiting?.[0]?.message ?? "m-";
    expect(await world.bot.act(id, { kind: "unqueue", message: waits, by: eve })).toEqual({
      kind: "refused",
      why: "not_allowed",
    });
    expect(await world.bot.act(id, { kind: "unqueue", message: waits, by: bob })).toEqual(DONE);
    first.answer(textAnswer("done"));
    await expect.poll(() => phaseOf(world, id)).toBe("idle");
  });

  it("a stop discards nothing that waits", async () => {
    const { world, id } = await working();
    await world.bot.act(id, queue("then this"));
    await world.bot.act(id, { kind: "stop", by: operator.id });
    expect(JSON.stringify((await world.nextModel()).request.messages)).toContain("then this");
  });

  it("D2 the rights are read again until the platform answers, and a person who left gets the reason", async () => {
    const answers = [{ kind: "unread" }, { kind: "refused", why: "left" }] as const;
    let reads = 0;
    const authors = { author: () => Promise.resolve(answers[Math.min(reads++, 1)] ?? answers[0]) };
    const { store, purse, chat } = openMemory();
    const world = createWorld({ store, purse, authors });
    const thread = { place: "C1", root: "1" };
    const created = await world.bot.create({
      surface: "slack",
      repo: { kind: "path", location: "/repo" },
      title: "Test",
      by: bob.id,
      thread,
    });
    if (created.kind !== "created") throw new Error(created.message);
    const { id } = created.overview.state;
    await world.say(id, "go");
    const first = await world.nextModel();
    const key = { surface: "slack", id: "later" };
    const to = { ...thread, person: "UBOB" };
    await world.bot.say({ ...key, conversation: id, ...message("then this", bob) });
    await chat.told("slack", to, ["refusal/later"], "17");
    expect(chat.owedTo("slack", to)).toBeNull();
    expect(await world.bot.act(id, { ...message("then this", bob), kind: "queue", claim: key })).toEqual(
      DONE,
    );
    expect(world.bot.refusedClaim(key)).toBeNull();
    first.answer(textAnswer("done"));
    await expect.poll(() => reads).toBe(1);
    expect((await world.bot.read(id))?.state.waiting).toHaveLength(1);
    world.clock.advance(1_000);
    await expect.poll(async () => (await world.bot.read(id))?.state.waiting).toBeUndefined();
    expect(await phaseOf(world, id)).toBe("idle");
    expect(chat.owedTo("slack", to)).toMatchObject({
      waiting: [{ why: { why: "left", claim: "later" } }],
      stands: "17",
    });
    expect(world.bot.refusedClaim(key)?.text).toBe("then this");
    expect(JSON.stringify([...store.allWords(id)])).not.toContain("then this");
  });

  it("an archived or removed conversation starts nothing that waits", async () => {
    const { world, id } = await working();
    await world.bot.act(id, queue("then this"));
    expect(await world.bot.archive(id, true, operator.id)).toEqual(DONE);
    const state = (await world.bot.read(id))?.state;
    expect(state).toMatchObject({ phase: { kind: "idle" }, turn: { no: 1 } });
    expect(state?.waiting).toBeUndefined();
    const other = await working();
    await other.world.bot.act(other.id, queue("then this"));
    expect(await other.world.bot.remove(other.id, operator.id)).toEqual(DONE);
    expect(await other.world.bot.read(other.id)).toBeNull();
  });

  it("starts in the next process", async () => {
    const { world, id } = await working();
    await world.bot.act(id, queue("then this"));
    const later = world.restart();
    await later.bot.recover();
    expect(JSON.stringify((await later.nextModel()).request.messages)).toContain("then this");
  });
});
