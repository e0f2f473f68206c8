/** What a turn owes to people, to the model and to the next process. */

import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ConversationChange } from "../../../src/ports/bot.ts";
import type { Model, ModelOutcome, ModelRequest } from "../../../src/ports/model.ts";
import { pairingProblem } from "../../machine/pairing.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const phaseOf = async (world: World, id: ConversationId) => (await world.bot.read(id))?.state.phase.kind;

const bodies = async (world: World, id: ConversationId) =>
  (await world.bot.read(id))?.posts.map(({ post }) => post.body) ?? [];

const told = (asked: { readonly request: { readonly messages: unknown } }): string =>
  JSON.stringify(asked.request.messages);

const idle = (world: World, id: ConversationId) => expect.poll(() => phaseOf(world, id)).toBe("idle");

const upgradeAsked = async (world: World): Promise<{ id: ConversationId; question: string }> => {
  const id = await world.begin();
  await world.say(id, "change it");
  (await world.nextModel()).answer(
    toolAnswer({ name: "request_mode_upgrade", input: { reason: "to patch" } }),
  );
  await expect.poll(() => phaseOf(world, id)).toBe("awaitingApproval");
  return { id, question: world.store.pendingQuestion(id)?.wire ?? "" };
};

const approve = (world: World, id: ConversationId, question: string) =>
  world.bot.act(id, { kind: "decide", question, choice: "approve", by: operator, comment: null });

describe("a turn", () => {
  it("BED-003.1 leaves its answer for the next process, which takes the next message with it", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "where is it?");
    (await world.nextModel()).answer(textAnswer("It is in retry.ts."));
    await idle(world, id);
    const later = world.restart();
    await later.bot.recover();
    expect((await bodies(later, id)).map(({ kind }) => kind)).toEqual([
      "opening",
      "user",
      "answer",
      "footer",
      "turn",
    ]);
    expect(await later.say(id, "and the tests?")).toEqual({ kind: "accepted" });
    const asked = await later.nextModel();
    for (const words of ["where is it?", "It is in retry.ts.", "and the tests?"])
      expect(told(asked)).toContain(words);
  });

  it("BED-004.3 tells the model of a tool that failed, and runs the later ones all the same", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }, { name: "bash" }));
    (await world.nextTool()).answer({ ...toolResult("[command failed: exit code 3]\n"), isError: true });
    (await world.nextTool()).answer(toolResult("fine"));
    const { messages } = (await world.nextModel()).request;
    expect(pairingProblem(messages)).toBeNull();
    expect(messages.at(-1)?.content).toMatchObject([
      { kind: "toolResult", text: "[command failed: exit code 3]\n", isError: true },
      { kind: "toolResult", text: "fine", isError: false },
    ]);
  });

  it("BED-005.1 that is stopped while it thinks leaves nothing of what was streamed or comes late", async () => {
    const late = Promise.withResolvers<ModelOutcome>();
    const requests: ModelRequest[] = [];
    const deaf: Model = {
      window: () => 200_000,
      respond: (request, { onText }) => {
        requests.push(request);
        onText("half an ans");
        return requests.length === 1 ? late.promise : new Promise(() => undefined);
      },
    };
    const world = createWorld({ model: deaf });
    const id = await world.begin();
    await world.say(id, "one");
    await expect.poll(() => requests).toHaveLength(1);
    await world.bot.act(id, { kind: "stop", by: operator.id });
    late.resolve(textAnswer("half an answer, and the rest"));
    for (let tick = 0; tick < 50; tick += 1) await new Promise(setImmediate);
    await world.say(id, "two");
    await expect.poll(() => requests).toHaveLength(2);
    expect(JSON.stringify(requests[1]?.messages)).not.toContain("half an");
    expect(JSON.stringify([...world.store.allWords(id).values()])).not.toContain("half an");
  });

  it("BED-005.3 that is stopped while its answer waits to be taken ends stopped, without it", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    const asked = await world.nextModel();
    const { commit } = world.store;
    const disk = Promise.withResolvers<null>();
    world.store.commit = async (step) => {
      await disk.promise;
      return commit(step);
    };
    const switched = world.bot.act(id, { kind: "mode", mode: "triage", reason: "r", by: operator.id });
    asked.answer(textAnswer("too late"));
    for (let tick = 0; tick < 50; tick += 1) await new Promise(setImmediate);
    const stopped = world.bot.act(id, { kind: "stop", by: operator.id });
    disk.resolve(null);
    expect(await Promise.all([switched, stopped])).toEqual([{ kind: "done" }, { kind: "done" }]);
    expect((await bodies(world, id)).map(({ kind }) => kind)).not.toContain("answer");
  });

  it("BED-006.4 that failed goes on with the next message and all that was said", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "the first question");
    const failure = { kind: "auth", message: "Authentication failed.", retryAfter: null } as const;
    (await world.nextModel()).answer({ kind: "failed", failure });
    await expect.poll(() => phaseOf(world, id)).toBe("failed");
    expect(await world.say(id, "once more")).toEqual({ kind: "accepted" });
    const asked = await world.nextModel();
    expect(told(asked)).toContain("the first question");
    expect(told(asked)).toContain("once more");
  });

  it("BED-007.1 is stored before the model is asked: no disk, no request", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.bot.read(id);
    const { commit } = world.store;
    const disk = Promise.withResolvers<null>();
    world.store.commit = async (step) => {
      await disk.promise;
      return commit(step);
    };
    const said = world.say(id, "go");
    const request = world.nextModel();
    const asked = request.then(() => "asked");
    for (let tick = 0; tick < 50; tick += 1) await new Promise(setImmediate);
    expect(await Promise.race([asked, Promise.resolve("not asked")])).toBe("not asked");
    disk.resolve(null);
    await said;
    await request;
    expect(world.store.load(id)?.state.phase).toMatchObject({ kind: "thinking", attempt: 1 });
  });

  it("BED-011.1 is heard by everybody who listens, state by state", async () => {
    const world = createWorld();
    const id = await world.begin();
    const heard: [ConversationChange[], ConversationChange[]] = [[], []];
    world.bot.subscribe(id, (change) => heard[0].push(change));
    world.bot.subscribe(id, (change) => heard[1].push(change));
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    (await world.nextTool()).answer(toolResult("ok"));
    (await world.nextModel()).answer(textAnswer("done"));
    await idle(world, id);
    const states = heard.map((changes) =>
      changes.flatMap((change) => (change.kind === "state" ? [change.overview.state.phase.kind] : [])),
    );
    expect(states[0]).toEqual(expect.arrayContaining(["thinking", "running", "idle"]));
    expect(states[1]).toEqual(states[0]);
  });

  it("BED-011.2 shows what a tool came to while the next one runs", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }, { name: "bash" }));
    (await world.nextTool()).answer(toolResult("the first result"));
    await world.nextTool();
    const outcomes = (await bodies(world, id)).flatMap((body) =>
      body.kind === "activity" ? [body.outcome] : [],
    );
    expect(outcomes).toMatchObject([{ kind: "ran", isError: false }, null]);
    expect(await phaseOf(world, id)).toBe("running");
  });

  it("TUL-007 3.1b offers the same tools with every request, whatever permission and mode are", async () => {
    const world = createWorld();
    const { id, question } = await upgradeAsked(world);
    const prefix = world.store.load(id)?.conversation.prefix;
    await approve(world, id, question);
    const first = await world.nextModel();
    first.answer(textAnswer("done"));
    await idle(world, id);
    await world.bot.act(id, { kind: "mode", mode: "triage", reason: "r", by: operator.id });
    await world.say(id, "and now?");
    const second = await world.nextModel();
    for (const asked of [first, second]) expect(asked.request.prefix.hash).toBe(prefix);
    expect(second.request.prefix.tools).toEqual(world.store.prefix(prefix ?? "")?.tools);
  });
});

describe("a change of the permission", () => {
  it("BED-015.5 waits for a person for days, without a timer or a request", async () => {
    const world = createWorld();
    const { id } = await upgradeAsked(world);
    const before = [...(world.bot.trace(id) ?? [])].length;
    world.clock.advance(3 * 86_400_000);
    expect(await phaseOf(world, id)).toBe("awaitingApproval");
    expect(world.store.pendingQuestion(id)).not.toBeNull();
    expect([...(world.bot.trace(id) ?? [])]).toHaveLength(before);
  });

  it("BED-016.2 is there in the next process, the one way and the other", async () => {
    const world = createWorld();
    const { id, question } = await upgradeAsked(world);
    await approve(world, id, question);
    (await world.nextModel()).answer(textAnswer("done"));
    await idle(world, id);
    const second = world.restart();
    expect((await second.bot.read(id))?.state.permission).toBe("unrestricted");
    expect(await second.bot.act(id, { kind: "restrict", by: operator.id })).toEqual({ kind: "done" });
    const third = second.restart();
    expect((await third.bot.read(id))?.state.permission).toBe("restricted");
  });

  it("D-018.2 is stored before anybody hears of it, and comes with its notice and its note", async () => {
    const world = createWorld();
    const { id, question } = await upgradeAsked(world);
    const stored: unknown[] = [];
    world.bot.subscribe(id, (change) => {
      if (change.kind === "state" && change.overview.state.permission === "unrestricted")
        stored.push(world.store.load(id)?.state.permission);
    });
    await approve(world, id, question);
    const asked = await world.nextModel();
    expect(stored[0]).toBe("unrestricted");
    expect(told(asked)).toContain("now in Unrestricted mode: a person approved it");
    const notices = (await bodies(world, id)).flatMap((body) =>
      body.kind === "notice" ? [body.notice] : [],
    );
    expect(notices).toEqual([{ kind: "permission", to: "unrestricted", by: operator.id }]);
  });

  it("TR.1 a question is stored and shown with its reason, and nothing goes on meanwhile", async () => {
    const world = createWorld();
    const { id, question } = await upgradeAsked(world);
    expect(world.store.load(id)?.state.phase).toMatchObject({
      kind: "awaitingApproval",
      call: { name: "request_mode_upgrade" },
    });
    const cards = (await world.bot.read(id))?.posts.filter(({ post }) => post.body.kind === "question");
    expect(cards).toMatchObject([{ post: { actions: ["approve", "deny"] } }]);
    const goesOn = world.nextModel().then(() => "goes on");
    const waits = new Promise<string>((resolve) => setImmediate(() => resolve("waits")));
    expect(await Promise.race([goesOn, waits])).toBe("waits");
    expect(question).not.toBe("");
  });
});

describe("sub-agents", () => {
  it("BED-024.2 that failed may be replaced: the parent starts another", async () => {
    const world = createWorld();
    const id = await world.begin();
    const spawn = toolAnswer({ name: "spawn_agents", input: { tasks: [{ task: "look" }] } });
    await world.say(id, "go");
    (await world.nextModel()).answer(spawn);
    const first = await world.nextModel();
    first.answer({ ...toolAnswer({ name: "bash" }), ...full });
    const parent = await world.nextModel();
    expect(told(parent)).toContain("context exhausted before result submission");
    parent.answer(spawn);
    const second = await world.nextModel();
    expect(second.request.conversation).toMatch(new RegExp(`^${id}-e\\d+-1$`));
    expect(second.request.conversation).not.toBe(first.request.conversation);
    second.answer(toolAnswer({ name: "submit_result", input: { result: "found it" } }));
    expect(told(await world.nextModel())).toContain("found it");
  });

  it("DS-loop leave no loop behind, and two threads work side by side", async () => {
    const world = createWorld();
    const [one, two] = [await world.begin(), await world.begin()];
    await world.say(one, "go");
    await world.say(two, "go");
    const asked = [await world.nextModel(), await world.nextModel()];
    expect(new Set(asked.map(({ request }) => request.conversation))).toEqual(new Set([one, two]));
    asked[0]?.answer(toolAnswer({ name: "spawn_agents", input: { tasks: [{ task: "look" }] } }));
    const agent = await world.nextModel();
    agent.answer(toolAnswer({ name: "submit_result", input: { result: "x" } }));
    (await world.nextModel()).answer(textAnswer("done"));
    asked[1]?.answer(textAnswer("done"));
    await idle(world, one);
    await idle(world, two);
    expect(world.store.load(agent.request.conversation)?.state.phase.kind).toBe("ended");
    expect(await world.say(agent.request.conversation, "hello?")).toMatchObject({ kind: "refused" });
  });
});

/** What fills the window of these worlds. */
const full = {
  usage: { input: 190_000, output: 0, cacheRead: 0, cacheWrite: 0, costMicroUsd: 1 },
};
