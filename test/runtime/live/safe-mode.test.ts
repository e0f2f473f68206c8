import { expect, it } from "vitest";
import type { AnswerBlock } from "../../../src/thread/prompt.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Choice } from "../../../src/machine/vocabulary.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const sudo = { name: "bash", input: { command: "sudo ls" } };
const DAY = 86_400_000;

/** A conversation that a person has upgraded, with one call asked for. */
const upgraded = async (world: World): Promise<ConversationId> => {
  const id = await world.begin();
  await world.say(id, "go");
  (await world.nextModel()).answer(toolAnswer({ name: "request_mode_upgrade", input: { reason: "r" } }));
  await decide(world, id, "approve");
  return id;
};

const asked = async (world: World, id: ConversationId) => {
  const row = await expect
    .poll(async () => (await world.bot.read(id))?.question ?? null)
    .not.toBeNull()
    .then(async () => (await world.bot.read(id))?.question);
  if (row === null || row === undefined) throw new Error("nothing is asked");
  return row;
};

const decide = async (world: World, id: ConversationId, choice: Choice) => {
  const { wire } = await asked(world, id);
  return world.bot.act(id, { kind: "decide", question: wire, choice, by: operator, comment: null });
};

const trace = (world: World, id: ConversationId) =>
  [...(world.bot.trace(id) ?? [])].flatMap(({ labels }) => labels);

it("rows 104, 105, 108, 114: safe mode is on; what it holds does not run before a click, and runs after it", async () => {
  const world = createWorld();
  const id = await upgraded(world);
  (await world.nextModel()).answer(toolAnswer(sudo));
  const question = await asked(world, id);
  expect(question).toMatchObject({ type: "danger", conversation: id });
  expect((await world.bot.read(id))?.state.safeMode).toBe(true);
  await decide(world, id, "once");
  const tool = await world.nextTool();
  expect(tool.request).toMatchObject({ input: sudo.input, permission: "unrestricted", grants: ["SUDO"] });
  tool.answer(toolResult("done"));
  (await world.nextModel()).answer(toolAnswer(sudo));
  expect((await asked(world, id)).wire).not.toBe(question.wire);
  expect(trace(world, id)).toEqual(expect.arrayContaining(["approval_required", "approval_granted"]));
});

it("row 111: This thread lets the next one through; row 112: another thread and a new process ask", async () => {
  const world = createWorld();
  const id = await upgraded(world);
  (await world.nextModel()).answer(toolAnswer(sudo, sudo));
  await decide(world, id, "session");
  (await world.nextTool()).answer(toolResult("one"));
  (await world.nextTool()).answer(toolResult("two"));
  (await world.nextModel()).answer(textAnswer("done"));
  const other = await upgraded(world);
  (await world.nextModel()).answer(toolAnswer(sudo));
  expect((await asked(world, other)).type).toBe("danger");

  const later = world.restart();
  await later.say(id, "again");
  (await later.nextModel()).answer(toolAnswer(sudo));
  expect((await asked(later, id)).type).toBe("danger");
});

it("row 14: Stop ends a look that safe mode still takes; the call does not run, and the rest is skipped", async () => {
  const looking = Promise.withResolvers<void>();
  const world = createWorld({
    dangers: (_, { signal }) =>
      new Promise((answer) => {
        signal.addEventListener("abort", () => answer([]));
        looking.resolve();
      }),
  });
  const id = await upgraded(world);
  (await world.nextModel()).answer(toolAnswer(sudo, sudo));
  await looking.promise;
  expect(await world.bot.act(id, { kind: "stop", by: operator.id })).toEqual({ kind: "done" });
  await expect.poll(async () => (await world.bot.read(id))?.state.phase.kind).toBe("idle");
  await world.say(id, "and now?");
  const told = JSON.stringify((await world.nextModel()).request.messages);
  expect(told.match(/Cancelled by user|Skipped due to cancellation/g)).toEqual([
    "Cancelled by user",
    "Skipped due to cancellation",
  ]);
});

it("row 106: off runs it and logs approval_skipped; only who may approve turns it off", async () => {
  const world = createWorld();
  const id = await upgraded(world);
  const stranger = { id: "slack:U2", mayDrive: true, mayApprove: false } as const;
  expect(await world.bot.act(id, { kind: "safeMode", on: false, by: stranger })).toMatchObject({
    why: "not_allowed",
  });
  expect(await world.bot.act(id, { kind: "safeMode", on: false, by: operator })).toEqual({ kind: "done" });
  (await world.nextModel()).answer(toolAnswer(sudo));
  (await world.nextTool()).answer(toolResult("done"));
  (await world.nextModel()).answer(textAnswer("done"));
  await expect.poll(() => trace(world, id)).toContain("approval_skipped");
});

it("in Restricted nothing is asked: the kernel holds it", async () => {
  const world = createWorld();
  const id = await world.begin();
  await world.say(id, "go");
  (await world.nextModel()).answer(toolAnswer(sudo));
  expect((await world.nextTool()).request.permission).toBe("restricted");
});

it("row 81d: a yes to a question of weeks ago counts at the first click, in another process too", async () => {
  const world = createWorld();
  const id = await upgraded(world);
  (await world.nextModel()).answer(toolAnswer(sudo));
  const { wire: question } = await asked(world, id);
  world.clock.advance(30 * DAY);
  const later = world.restart();
  const click = { kind: "decide", question, choice: "once", by: operator, comment: null } as const;
  expect(await later.bot.act(id, click)).toEqual({ kind: "done" });
  expect((await later.nextTool()).request).toMatchObject({ input: sudo.input });
  expect(await later.bot.act(id, click)).toMatchObject({ kind: "refused", why: "already_decided" });
});

it("row 81d: a question of a conversation that memory has forgotten is decided at the first click", async () => {
  const world = createWorld();
  const id = await upgraded(world);
  (await world.nextModel()).answer(toolAnswer(sudo));
  const { wire: question } = await asked(world, id);
  // Nobody looks at it for so long that it is loaded again.
  world.clock.advance(DAY);
  const click = { kind: "decide", question, choice: "once", by: operator, comment: null } as const;
  expect(await world.bot.act(id, click)).toEqual({ kind: "done" });
  expect((await world.nextTool()).request).toMatchObject({ input: sudo.input });
});

it("row 110: categories may be granted ahead, and only by who may approve", async () => {
  const world = createWorld();
  const id = await upgraded(world);
  expect(await world.bot.act(id, { kind: "grant", categories: ["SUDO"], by: operator })).toEqual({
    kind: "done",
  });
  (await world.nextModel()).answer(toolAnswer(sudo));
  expect((await world.nextTool()).request.grants).toEqual(["SUDO"]);
});

it("an approval is for the call that was shown: another one in its place is not run", async () => {
  const world = createWorld();
  const id = await upgraded(world);
  (await world.nextModel()).answer(toolAnswer(sudo));
  const question = await asked(world, id);
  const forged = createWorld({
    store: {
      ...world.store,
      history: (...given) =>
        world.store.history(...given).map(({ entry, words }) => ({
          entry,
          words: words?.kind === "answer" ? { ...words, blocks: words.blocks.map(inPlace) } : words,
        })),
    },
  });
  const decision = {
    kind: "decide",
    question: question.wire,
    choice: "once",
    by: operator,
    comment: null,
  } as const;
  expect(await forged.bot.act(id, decision)).toEqual({ kind: "done" });
  const next = await forged.nextModel();
  expect(JSON.stringify(next.request.messages)).toContain(
    "Not run: the call is not the one that was approved.",
  );
});

const inPlace = (block: AnswerBlock): AnswerBlock =>
  block.kind === "toolUse" && block.name === "bash"
    ? { ...block, input: { command: "sudo rm -r /srv" } }
    : block;
