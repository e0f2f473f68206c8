import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Store, TraceRow } from "../../../src/ports/store.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const wish = { name: "agent_change_mode", input: { mode: "triage", branch: true, reason: "a bug" } };

const proposed = async (world: World): Promise<{ id: ConversationId; question: string }> => {
  const id = await world.begin();
  await world.say(id, "why does it fail?");
  (await world.nextModel()).answer(toolAnswer(wish));
  await expect.poll(async () => (await world.bot.read(id))?.question?.type).toBe("mode");
  return { id, question: (await world.bot.read(id))?.question?.wire ?? "" };
};

const branched = async (world: World, id: ConversationId) => {
  await expect.poll(async () => (await world.bot.read(id))?.state.branches).toEqual([]);
  const posts = (await world.bot.read(id))?.posts ?? [];
  const notice = posts.flatMap(({ post: { body } }) =>
    body.kind === "notice" && body.notice.kind === "branched" ? [body.notice] : [],
  );
  expect(notice).toHaveLength(1);
  return notice[0]?.to ?? null;
};

it("row 100: the new thread is in that mode, Restricted, linked, and works on the last message", async () => {
  const world = createWorld();
  const { id, question } = await proposed(world);
  await world.bot.act(id, { kind: "decide", question, choice: "branch", by: operator, comment: null });
  const asked = await world.nextModel();
  const request = JSON.stringify(asked.request.messages);
  expect(request).toContain("why does it fail?");
  expect(request).toContain("Find the cause; change nothing.");
  asked.answer(textAnswer("because"));
  const to = await branched(world, id);
  expect(to).toBe(asked.request.conversation);
  const made = to === null ? null : await world.bot.read(to);
  expect(made).toMatchObject({
    state: { mode: "triage", permission: "restricted", grants: [] },
    conversation: { origin: { conversation: id, why: "branch" } },
  });
  expect((await world.bot.read(id))?.state).toMatchObject({ mode: "triage", phase: { kind: "idle" } });
});

it("L12 a thread made after more than ten hosts were reached replays to the same state", async () => {
  const world = createWorld();
  const id = await world.begin();
  await world.say(id, "why does it fail?");
  (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
  const { answer, hooks } = await world.nextTool();
  hooks.onReached?.(
    Array.from({ length: 12 }, (_, no) => ({ host: `h${no}.example.com`, port: 443, allowed: true })),
  );
  answer(toolResult("done"));
  (await world.nextModel()).answer(toolAnswer(wish));
  await expect.poll(async () => (await world.bot.read(id))?.question?.type).toBe("mode");
  const read = await world.bot.read(id);
  expect(read?.state.untrusted).toMatchObject({ others: 2 });
  const question = read?.question?.wire ?? "";
  await world.bot.act(id, { kind: "decide", question, choice: "branch", by: operator, comment: null });
  (await world.nextModel()).answer(textAnswer("because"));
  const to = await branched(world, id);
  expect(to === null ? null : (await world.bot.read(to))?.state.untrusted).not.toHaveProperty("others");
});

it("D6: a process that dies before the thread is made makes it in the next, once", async () => {
  const again = createWorld();
  const second = await proposed(again);
  const dying = createWorld({ store: { ...again.store, create: () => new Promise(() => {}) } });
  await dying.bot.act(second.id, {
    kind: "decide",
    question: second.question,
    choice: "branch",
    by: operator,
    comment: null,
  });
  await expect.poll(async () => (await dying.bot.read(second.id))?.state.branches.length).toBe(1);
  const later = again.restart();
  await later.bot.recover();
  const to = await branched(later, second.id);
  expect(to).not.toBeNull();
  expect(later.bot.list(10, null).filter(({ conversation }) => conversation.origin !== null)).toHaveLength(1);
});

it("a disk that refuses is asked again; a store that contradicts ends in a notice that says so", async () => {
  for (const [refusal, expected] of [
    [NO_DISK, expect.stringMatching(/^c-/)],
    [CONFLICT, null],
  ] as const) {
    const world = createWorld();
    const { id, question } = await proposed(world);
    let refused = 0;
    const create: Store["create"] = (...given) =>
      refused++ === 0 ? Promise.resolve(refusal) : world.store.create(...given);
    const dying = createWorld({ store: { ...world.store, create } });
    await dying.bot.act(id, { kind: "decide", question, choice: "branch", by: operator, comment: null });
    await expect.poll(() => refused).toBe(1);
    await expect
      .poll(async () => {
        dying.clock.advance(1_000);
        return (await dying.bot.read(id))?.state.branches;
      })
      .toEqual([]);
    expect(await branched(dying, id)).toEqual(expected);
  }
});

const CONFLICT = { kind: "failed", code: "conflict", message: "another conversation lives there" } as const;
const NO_DISK = { kind: "failed", code: "disk_full", message: "full" } as const;

it("row 94: a switch is one event that says who, why, from what and to what; the tools stay as they were (row 83)", async () => {
  const world = createWorld();
  const { id, question } = await proposed(world);
  await world.bot.act(id, { kind: "decide", question, choice: "switch", by: operator, comment: null });
  const next = await world.nextModel();
  expect(JSON.stringify(next.request.messages)).toContain("a bug");
  const rows = [...(world.bot.trace(id) ?? [])].filter(({ labels }) => labels.includes("SetSessionMode"));
  expect(rows).toMatchObject([
    {
      actor: operator.id,
      event: { kind: "modeSet", mode: "triage", by: operator.id, organisation: "console" },
    },
  ]);
  expect(reasonIn(world, rows[0])).toBe("a bug");
  const posts = (await world.bot.read(id))?.posts ?? [];
  expect(posts.map(({ post }) => post.body)).toContainEqual({
    kind: "notice",
    folded: true,
    notice: { kind: "mode", from: "general", to: "triage", by: operator.id },
  });
  expect(next.request.prefix).toEqual(world.store.prefix(next.request.prefix.hash));
  next.answer(textAnswer("done"));
});

/** The words that a line of the trace names as the reason. */
const reasonIn = (world: World, row: TraceRow | undefined): string => {
  const reason = row?.event.kind === "modeSet" ? row.event.reason : undefined;
  const words = reason === undefined ? undefined : world.bot.words([reason]).get(reason);
  return words?.kind === "comment" ? words.text : "";
};

it("row 96: where the mode cannot be stored the model is told so without details, it stays, and the log has the reason", async () => {
  const errors: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (...given: unknown[]) => void errors.push(given),
  };
  const failed = { kind: "failed", code: "disk_full", message: "no space left on /var/lib/parley" } as const;
  const world = createWorld({ log, sessions: { setSessionMode: () => Promise.resolve(failed) } });
  const { id, question } = await proposed(world);
  await world.bot.act(id, { kind: "decide", question, choice: "branch", by: operator, comment: null });
  const told = JSON.stringify((await world.nextModel()).request.messages);
  expect(told).toContain("ModeChangeTool failed to change the session mode.");
  expect(told).not.toContain("space left");
  expect(JSON.stringify(errors)).toContain("no space left");
  expect((await world.bot.read(id))?.state).toMatchObject({ mode: "general", branches: [] });
});

it("row 94: every way to change the mode goes through the one port, and says why", async () => {
  const world = createWorld();
  const id = await world.begin();
  await world.bot.act(id, {
    kind: "mode",
    mode: "triage",
    reason: "Asked for with a command.",
    by: operator.id,
  });
  const [row] = [...(world.bot.trace(id) ?? [])].filter(({ event }) => event.kind === "modeSet");
  expect(row).toMatchObject({
    labels: ["SetSessionMode"],
    event: { organisation: "console", by: operator.id },
  });
  expect(reasonIn(world, row)).toBe("Asked for with a command.");
});

it("a switch that the end of the process broke off is made by the next one, once", async () => {
  const first = createWorld({ sessions: { setSessionMode: () => new Promise(() => {}) } });
  const { id, question } = await proposed(first);
  await first.bot.act(id, { kind: "decide", question, choice: "switch", by: operator, comment: null });
  const later = createWorld({ store: first.store });
  await later.bot.recover();
  expect(JSON.stringify((await later.nextModel()).request.messages)).toContain('\\"success\\":true');
  expect((await later.bot.read(id))?.state.mode).toBe("triage");
  expect([...(later.bot.trace(id) ?? [])].filter(({ event }) => event.kind === "modeSet")).toHaveLength(1);
});

it("people switch too, and a mode that is not in the catalogue is refused", async () => {
  const world = createWorld();
  const id = await world.begin();
  expect(await world.bot.act(id, { kind: "mode", mode: "nope", reason: "r", by: operator.id })).toMatchObject(
    {
      why: "unknown_mode",
    },
  );
  expect(await world.bot.act(id, { kind: "mode", mode: "triage", reason: "r", by: operator.id })).toEqual({
    kind: "done",
  });
  await world.say(id, "go");
  expect(JSON.stringify((await world.nextModel()).request.messages)).toContain("Find the cause");
});
