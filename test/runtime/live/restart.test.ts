import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/ports/store.ts";
import { pairingProblem } from "../../machine/pairing.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult } from "../world.ts";

describe("a new process on the same database", () => {
  it("BED-007.2 an interrupted request becomes idle with a notice that offers another try", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    await world.nextModel();
    const later = world.restart();
    await later.bot.recover();
    const detail = await later.bot.read(id);
    expect(detail?.state.phase.kind).toBe("idle");
    expect(detail?.posts.at(-1)?.post).toMatchObject({
      actions: ["retry"],
      body: { kind: "turn", notices: [{ kind: "interrupted" }] },
    });
    expect(await later.bot.act(id, { kind: "retry", speaker: operator })).toEqual({ kind: "done" });
    const again = await later.nextModel();
    expect(JSON.stringify(again.request.messages)).toContain("go");
  });

  it("a command in flight is never run again, and the chain stays valid", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }, { name: "bash" }));
    await world.nextTool();
    const later = world.restart();
    await later.bot.recover();
    await later.say(id, "what happened?");
    const messages = (await later.nextModel()).request.messages;
    expect(pairingProblem(messages)).toBeNull();
    expect(JSON.stringify(messages)).toContain("[Tool execution interrupted by server restart]");
  });

  it("D5 woken is logged once per process, also for a conversation that was idle", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.bot.read(id);
    await world.bot.read(id);
    const later = world.restart();
    await later.bot.read(id);
    expect([...(later.bot.trace(id) ?? [])].map((row) => row.event.kind)).toEqual(["woken", "woken"]);
  });

  it("D20 a message that was stored but not answered before the crash is answered, once", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.store.claim({
      surface: "console",
      id: "lost",
      conversation: id,
      at: 1,
      speaker: operator,
      text: "hello?",
      images: [],
    });
    const later = world.restart();
    await later.bot.recover();
    const asked = await later.nextModel();
    expect(JSON.stringify(asked.request.messages)).toContain("hello?");
    const claim = {
      surface: "console",
      id: "lost",
      conversation: id,
      speaker: operator,
      text: "hello?",
      images: [],
    };
    expect(await later.bot.say(claim)).toEqual({ kind: "duplicate" });
  });

  it("D3 a worse kernel freezes a Restricted conversation instead of opening it", async () => {
    const world = createWorld();
    const id = await world.begin();
    const later = world.restart({ confinement: "unavailable" });
    await later.say(id, "go");
    (await later.nextModel()).answer(toolAnswer({ name: "bash" }));
    const next = await later.nextModel();
    expect(JSON.stringify(next.request.messages)).toContain("this host cannot hold it");
    expect((await later.bot.read(id))?.state).toMatchObject({
      permission: "restricted",
      confinement: "unavailable",
    });
  });

  it("after close nothing is taken, and what was in flight is repaired by the next process", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    const tool = await world.nextTool();
    await world.bot.close();
    expect(tool.signal.aborted).toBe(true);
    expect(world.store.posts(id, 0).at(-1)?.post.body).toMatchObject({
      notices: [{ kind: "interrupted" }],
    });
    expect(await world.say(id, "more")).toMatchObject({ kind: "failed", code: "closing" });
    const later = world.restart();
    await later.bot.recover();
    expect((await later.bot.read(id))?.state.phase.kind).toBe("idle");
  });

  it("close in the middle of Stop and send: the turn is stopped, and what was to be sent offers another try", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    await world.nextTool();
    await world.bot.act(id, { kind: "stopAndSend", speaker: operator, text: "rather this", images: [] });
    await world.bot.close();
    const shown = world.store.posts(id, 0).map(({ post }) => post.body);
    expect(shown.at(-1)).toMatchObject({ notices: [{ kind: "interrupted" }] });
    expect(shown).toContainEqual(
      expect.objectContaining({ notice: expect.objectContaining({ kind: "stopped" }) }),
    );
    const later = world.restart();
    await later.bot.recover();
    expect(await later.bot.act(id, { kind: "retry", speaker: operator })).toEqual({ kind: "done" });
    expect(JSON.stringify((await later.nextModel()).request.messages)).toContain("rather this");
  });
});

describe("a disk that refuses", () => {
  it("a message is refused clearly and nothing is acknowledged; the outcome of work is offered again", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    const asked = await world.nextModel();
    const { commit } = world.store;
    let refuse = true;
    world.store.commit = (step) =>
      refuse
        ? Promise.resolve({ kind: "failed", code: "disk_full", message: "No space left on the disk." })
        : commit(step);
    asked.answer(textAnswer("kept"));
    await new Promise(setImmediate);
    expect(await world.bot.act(id, { kind: "stop", by: operator.id })).toMatchObject({
      kind: "failed",
      code: "disk_full",
    });
    refuse = false;
    world.clock.advance(1_000);
    const detail = await world.bot.read(id);
    expect(detail?.state.phase.kind).toBe("idle");
    expect(detail?.posts.map(({ post }) => post.body.kind)).toContain("answer");
  });
});

describe("replay", () => {
  it("L12 the stored trace of a real run reproduces every hash", async () => {
    const { replay } = await import("../../../src/runtime/bot/replay.ts");
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    (await world.nextModel()).answer(toolAnswer({ name: "bash" }));
    (await world.nextTool()).answer(toolResult("ok"));
    (await world.nextModel()).answer(textAnswer("done"));
    await expect.poll(() => replay(world.store, id)).toEqual({ kind: "identical", events: 5 });
  });

  it("a trace that was tampered with is not identical", async () => {
    const { replay } = await import("../../../src/runtime/bot/replay.ts");
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "go");
    await world.nextModel();
    const rows = [...(world.bot.trace(id) ?? [])];
    const forged = rows.map((row) =>
      row.event.kind === "said"
        ? { ...row, event: { ...row.event, images: 3, speaker: { ...row.event.speaker, mayDrive: false } } }
        : row,
    );
    expect(replay({ ...world.store, trace: () => forged }, id)).toMatchObject({ kind: "different", seq: 2 });
  });

  it("D5 takes nothing before it is awake, however often the disk refuses that", async () => {
    const world = createWorld();
    const id = await world.begin();
    let full = true;
    const store: Store = {
      ...world.store,
      commit: (commit) =>
        full
          ? Promise.resolve({ kind: "failed", code: "disk_full", message: "full" })
          : world.store.commit(commit),
    };
    const later = createWorld({ store });
    expect(await later.say(id, "too early")).toMatchObject({ kind: "failed", code: "disk_full" });
    full = false;
    expect(await later.say(id, "now")).toEqual({ kind: "accepted" });
    (await later.nextModel()).answer(textAnswer("Hello."));
    await later.bot.read(id);
    later.clock.advance(60_000);
    const detail = await later.bot.read(id);
    expect([...(later.bot.trace(id) ?? [])].map(({ event }) => event.kind)).toEqual([
      "woken",
      "said",
      "answered",
    ]);
    expect(detail?.posts.map(({ post }) => post.body.kind)).toEqual([
      "opening",
      "user",
      "answer",
      "footer",
      "turn",
    ]);
  });
});
