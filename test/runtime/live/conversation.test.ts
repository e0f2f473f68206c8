import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Setup } from "../../../src/machine/vocabulary.ts";
import type { ConversationChange } from "../../../src/ports/bot.ts";
import type { Workspaces } from "../../../src/ports/workspaces.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { pairingProblem } from "../../machine/pairing.ts";
import {
  createWorld,
  operator,
  readyWorkspaces,
  textAnswer,
  toolAnswer,
  toolResult,
  type World,
} from "../world.ts";

const phaseOf = async (world: World, id: ConversationId) => (await world.bot.read(id))?.state.phase.kind;

/** The next state of this kind, by subscription: no polling. */
const reaches = (world: World, id: ConversationId, kind: string): Promise<void> =>
  new Promise((resolve) => {
    const stop = world.bot.subscribe(id, (change) => {
      if (change.kind !== "state" || change.overview.state.phase.kind !== kind) return;
      stop();
      resolve();
    });
  });

const bodies = async (world: World, id: ConversationId) =>
  (await world.bot.read(id))?.posts.map(({ post }) => post.body.kind) ?? [];

const lastText = (messages: readonly PromptMessage[]): string => JSON.stringify(messages.at(-1)?.content);

describe("a conversation", () => {
  it("BED-002.1 a message becomes one request that holds it, and its answer a post", async () => {
    const world = createWorld();
    const id = await world.begin();
    expect(await world.say(id, "where is the retry policy?")).toEqual({ kind: "accepted" });
    const asked = await world.nextModel();
    expect(lastText(asked.request.messages)).toContain("where is the retry policy?");
    const idle = reaches(world, id, "idle");
    asked.answer(textAnswer("In on-answer.ts."));
    await idle;
    expect(await bodies(world, id)).toEqual(["opening", "user", "answer", "footer", "turn"]);
  });

  it("BED-004 tools run one by one and all their results go in the next request", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(
      toolAnswer({ name: "bash", input: { command: "a" } }, { name: "bash", input: { command: "b" } }),
    );
    const first = await world.nextTool();
    expect(first.request.input).toEqual({ command: "a" });
    first.answer(toolResult("one"));
    const second = await world.nextTool();
    expect(second.request.input).toEqual({ command: "b" });
    second.answer(toolResult("two"));
    const next = await world.nextModel();
    expect(pairingProblem(next.request.messages)).toBeNull();
    expect(lastText(next.request.messages)).toContain("two");
  });

  it("issue 3: where a command left running has been is in the trace at once, whatever the conversation does", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    const { answer, hooks } = await world.nextTool();
    answer({ ...toolResult("started"), background: true });
    const idle = reaches(world, id, "idle");
    (await world.nextModel()).answer(textAnswer("It runs."));
    await idle;
    const reached = [{ host: "example.com", port: 443, allowed: true }];
    hooks.onReached?.(reached);
    const state = (await world.bot.read(id))?.state;
    expect(state?.phase.kind).toBe("idle");
    expect(state?.untrusted?.hosts).toEqual(["example.com"]);
    const last = [...(world.bot.trace(id) ?? [])].at(-1);
    expect(last?.event).toMatchObject({ kind: "reached", reached });
  });

  it("issue 9: what becomes of the repository's set-up is told to people, whatever the conversation does, and not to the model", async () => {
    const tell = Promise.withResolvers<(setUp: Setup) => void>();
    const workspaces: Workspaces = {
      ...readyWorkspaces,
      open: (conversation, hooks) => {
        if (hooks.onSetUp !== undefined) tell.resolve(hooks.onSetUp);
        return readyWorkspaces.open(conversation, hooks);
      },
    };
    const world = createWorld({ workspaces });
    const id = await world.begin();
    await world.say(id, "go");
    const told = await tell.promise;
    told({ kind: "began" });
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    const tool = await world.nextTool();
    told({ kind: "failed", why: "it ended with status 1." });
    tool.answer(toolResult("done"));
    const asked = await world.nextModel();
    expect(JSON.stringify(asked.request.messages)).not.toContain("status 1");
    const idle = reaches(world, id, "idle");
    asked.answer(textAnswer("It runs."));
    await idle;
    told({ kind: "ready", seconds: 41, late: false });
    const posts = (await world.bot.read(id))?.posts.map(({ post }) => post.body) ?? [];
    const setUps = posts.flatMap((body) =>
      body.kind === "notice" && body.notice.kind === "setUp" ? [body.notice.setUp.kind] : [],
    );
    expect(setUps).toEqual(["began", "failed", "ready"]);
    // After its end nobody is told.
    await world.bot.close();
    told({ kind: "began" });
  });

  it("BED-002.2 a message while busy is refused and never reaches the model", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "one");
    const asked = await world.nextModel();
    expect(await world.say(id, "two")).toEqual({ kind: "refused", why: "agent_busy" });
    asked.answer(toolAnswer({ name: "bash" }));
    (await world.nextTool()).answer(toolResult("ok"));
    expect(JSON.stringify((await world.nextModel()).request.messages)).not.toContain("two");
  });

  it("the same message id is accepted once, and a refused one stays refused", async () => {
    const world = createWorld();
    const id = await world.begin();
    const claim = {
      surface: "console",
      id: "k1",
      conversation: id,
      speaker: operator,
      text: "hi",
      images: [],
    };
    expect(await world.bot.say(claim)).toEqual({ kind: "accepted" });
    expect(await world.bot.say(claim)).toEqual({ kind: "duplicate" });
    const busy = { ...claim, id: "k2" };
    expect(await world.bot.say(busy)).toEqual({ kind: "refused", why: "agent_busy" });
    expect(await world.bot.say(busy)).toEqual({ kind: "refused", why: "agent_busy" });
  });

  it("BED-005.3 a stop that arrives with a completion wins", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    const asked = await world.nextModel();
    asked.answer(textAnswer("too late"));
    const stopped = world.bot.act(id, { kind: "stop", by: operator.id });
    expect(await stopped).toEqual({ kind: "done" });
    expect(await bodies(world, id)).toEqual(["opening", "user", "notice", "turn"]);
  });

  it("BED-005.1 a stop while thinking aborts the request and a new message is taken at once", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "one");
    const asked = await world.nextModel();
    expect(await world.bot.act(id, { kind: "stop", by: operator.id })).toEqual({ kind: "done" });
    expect(asked.signal.aborted).toBe(true);
    expect(await world.say(id, "two")).toEqual({ kind: "accepted" });
    const next = await world.nextModel();
    expect(lastText(next.request.messages)).toContain("one");
    expect(lastText(next.request.messages)).toContain("two");
  });

  it("BED-005.2 a stop while a tool runs kills it and answers every call", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }, { name: "bash" }));
    const tool = await world.nextTool();
    const idle = reaches(world, id, "idle");
    await world.bot.act(id, { kind: "stop", by: operator.id });
    await idle;
    expect(tool.signal.aborted).toBe(true);
    await world.say(id, "next");
    const messages = (await world.nextModel()).request.messages;
    expect(pairingProblem(messages)).toBeNull();
    expect(JSON.stringify(messages)).toContain("Cancelled by user");
    expect(JSON.stringify(messages)).toContain("Skipped due to cancellation");
  });

  it("C3 a tool that does not answer its kill is no longer awaited after the grace", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    const tool = await world.nextTool();
    Object.defineProperty(tool.signal, "dispatchEvent", { value: () => true });
    await world.bot.act(id, { kind: "stop", by: operator.id });
    world.clock.advance(2_000);
    expect(await phaseOf(world, id)).toBe("idle");
  });

  it("DS-retry waits the delay, whatever the wall clock does meanwhile (D11)", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    const asked = await world.nextModel();
    const waiting = reaches(world, id, "thinking");
    asked.answer(BUSY);
    await waiting;
    expect((await world.bot.read(id))?.status).toMatchObject({ kind: "retrying", attempt: 2 });
    world.clock.set(5);
    world.clock.advance(999);
    expect((await world.bot.read(id))?.status?.kind).toBe("retrying");
    world.clock.advance(1);
    const idle = reaches(world, id, "idle");
    (await world.nextModel()).answer(textAnswer("done"));
    await idle;
  });

  it("rows 17 and 18: the log says which attempt it was, which one follows, and after how many it failed", async () => {
    const warned: [string, unknown][] = [];
    const note = (message: string, fields: unknown) => void warned.push([message, fields]);
    const world = createWorld({ log: { info: () => undefined, warn: note, error: () => undefined } });
    const id = await world.begin();
    await world.say(id, "go");
    for (const delay of [1_000, 2_000]) {
      (await world.nextModel()).answer(BUSY);
      await expect.poll(async () => (await world.bot.read(id))?.status?.wait?.delay).toBe(delay);
      world.clock.advance(delay);
    }
    const failed = reaches(world, id, "failed");
    (await world.nextModel()).answer(BUSY);
    await failed;
    const of = { conversation: id, kind: "overloaded" };
    expect(warned).toEqual([
      ["model: attempt failed, retry scheduled", { ...of, attempt: "1 of 3", delay: 1_000 }],
      ["model: attempt failed, retry scheduled", { ...of, attempt: "2 of 3", delay: 2_000 }],
      ["model: last attempt failed", { ...of, attempt: "3 of 3" }],
    ]);
  });

  it("streams text to listeners cumulatively and hands over to the post", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    const heard: ConversationChange[] = [];
    world.bot.subscribe(id, (change) => heard.push(change));
    const asked = await world.nextModel();
    asked.text("Hel");
    asked.text("lo");
    const idle = reaches(world, id, "idle");
    asked.answer(textAnswer("Hello"));
    await idle;
    const live = heard.flatMap((change) => (change.kind === "live" ? [change.text] : []));
    expect(live).toEqual(["Hel", "Hello", ""]);
    const posted = heard.findIndex((change) => change.kind === "posts");
    expect(heard.findLastIndex((change) => change.kind === "live")).toBeGreaterThan(posted);
  });

  it("the host's bound on model calls serves whoever waits longest", async () => {
    const world = createWorld({ modelSlots: 1 });
    const [a, b] = [await world.begin(), await world.begin()];
    await world.say(a, "first");
    await world.say(b, "second");
    const first = await world.nextModel();
    expect(first.request.conversation).toBe(a);
    first.answer(textAnswer("done"));
    expect((await world.nextModel()).request.conversation).toBe(b);
  });
});

const BUSY = {
  kind: "failed",
  failure: { kind: "overloaded", message: "Busy.", retryAfter: null },
} as const;

const askUpgrade = async (world: World) => {
  const id = await world.begin();
  await world.say(id, "change it");
  const waiting = reaches(world, id, "awaitingApproval");
  (await world.nextModel()).answer(
    toolAnswer(
      { name: "request_mode_upgrade", input: { reason: "to patch" } },
      { name: "bash", input: { command: "touch x" } },
    ),
  );
  await waiting;
  const question = (await world.bot.read(id))?.question?.wire ?? "";
  return { id, question };
};

describe("the upgrade question", () => {
  it("BED-015 pauses, and an approval runs the rest of the round Unrestricted", async () => {
    const world = createWorld();
    const { id, question } = await askUpgrade(world);
    const decided = world.bot.act(id, {
      kind: "decide",
      question,
      choice: "approve",
      by: operator,
      comment: null,
    });
    expect(await decided).toEqual({ kind: "done" });
    const tool = await world.nextTool();
    expect(tool.request.permission).toBe("unrestricted");
    tool.answer(toolResult("ok"));
    const messages = (await world.nextModel()).request.messages;
    expect(JSON.stringify(messages)).toContain("Approved: the conversation is now in Unrestricted mode.");
    expect(pairingProblem(messages)).toBeNull();
  });

  it("two clicks at once: one decides, the other learns who did", async () => {
    const world = createWorld();
    const { id, question } = await askUpgrade(world);
    const click = (choice: "approve" | "deny") =>
      world.bot.act(id, { kind: "decide", question, choice, by: operator, comment: null });
    const [one, two] = await Promise.all([click("deny"), click("approve")]);
    expect(one).toEqual({ kind: "done" });
    expect(two).toMatchObject({ kind: "refused", why: "already_decided", by: "console:operator" });
    expect((await world.bot.read(id))?.state.permission).toBe("restricted");
  });

  it("survives a restart: the old button still works, in the new process, once", async () => {
    const world = createWorld();
    const { id, question } = await askUpgrade(world);
    const later = world.restart();
    await later.bot.recover();
    const click = () =>
      later.bot.act(id, { kind: "decide", question, choice: "approve", by: operator, comment: null });
    expect(await click()).toEqual({ kind: "done" });
    expect((await later.nextTool()).request.permission).toBe("unrestricted");
    expect(await click()).toMatchObject({ kind: "refused", why: "already_decided" });
  });

  it("a comment with a denial reaches the model as part of the result", async () => {
    const world = createWorld();
    const { id, question } = await askUpgrade(world);
    await world.bot.act(id, {
      kind: "decide",
      question,
      choice: "deny",
      by: operator,
      comment: "only the docs",
    });
    (await world.nextTool()).answer(toolResult("denied by the kernel"));
    expect(JSON.stringify((await world.nextModel()).request.messages)).toContain("only the docs");
  });

  it("unknown, foreign and withdrawn questions are expired and change nothing", async () => {
    const world = createWorld();
    const { id, question } = await askUpgrade(world);
    const other = await world.begin();
    const decide = (conversation: ConversationId, wire: string) =>
      world.bot.act(conversation, {
        kind: "decide",
        question: wire,
        choice: "approve",
        by: operator,
        comment: null,
      });
    expect(await decide(id, "no-such-question")).toMatchObject({ kind: "refused", why: "stale" });
    expect(await decide(other, question)).toMatchObject({ kind: "refused", why: "stale" });
    await world.bot.act(id, { kind: "stop", by: operator.id });
    expect(await decide(id, question)).toMatchObject({ kind: "refused", why: "stale" });
    expect((await world.bot.read(id))?.state.permission).toBe("restricted");
  });

  it("L6 a downgrade while a call waits for its slot makes it run Restricted (D12)", async () => {
    const world = createWorld({ toolSlots: 1 });
    const blocker = await world.begin();
    await world.say(blocker, "hold the slot");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    const held = await world.nextTool();
    const { id, question } = await askUpgrade(world);
    await world.bot.act(id, { kind: "decide", question, choice: "approve", by: operator, comment: null });
    expect(await world.bot.act(id, { kind: "restrict", by: operator.id })).toEqual({ kind: "done" });
    held.answer(toolResult("done"));
    expect((await world.nextTool()).request.permission).toBe("restricted");
  });
});
