/** Conversations as things that people keep: renamed, put away, brought back by whoever writes, removed whole. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ConversationChange } from "../../../src/ports/bot.ts";
import { openStore } from "../../store/open-store.ts";
import { temporary } from "../../store/kit.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const BY = operator.id;
const PICTURE = "a".repeat(64);
const SHARED = "b".repeat(64);

const settled = (world: World, id: ConversationId) =>
  vi.waitFor(async () => expect((await world.bot.read(id))?.state.phase.kind).toBe("idle"), {
    interval: 1,
  });

const listed = (world: World, which?: "archived"): readonly ConversationId[] =>
  world.bot.list(50, null, which).map(({ state }) => state.id);

/** A conversation that has said something, and used a tool. */
const talked = async (world: World, text: string, ...hashes: readonly string[]): Promise<ConversationId> => {
  const id = await world.begin();
  const images = hashes.map((hash) => ({ hash, mediaType: "image/png" as const }));
  await world.bot.say({
    surface: "console",
    id: `${id}/first`,
    conversation: id,
    speaker: operator,
    text,
    images,
  });
  (await world.nextModel()).answer(toolAnswer({ name: "bash", input: { command: `echo ${text}` } }));
  (await world.nextTool()).answer(toolResult(text));
  (await world.nextModel()).answer(textAnswer(`You said ${text}.`));
  await settled(world, id);
  return id;
};

describe("renaming", () => {
  it("holds over a restart, is told to whoever listens, and is one line of bounded length", async () => {
    const world = createWorld();
    const id = await world.begin();
    const heard: string[] = [];
    world.bot.subscribe(id, (change) => {
      if (change.kind === "state") heard.push(change.overview.conversation.title);
    });
    expect(await world.bot.rename(id, ` The\n retry   bug ${"x".repeat(100)}`, BY)).toEqual({ kind: "done" });
    expect(heard.at(-1)).toBe(`The retry bug ${"x".repeat(65)}…`);
    expect(world.restart().bot.list(1, null)[0]?.conversation).toMatchObject({
      title: `The retry bug ${"x".repeat(65)}…`,
      titledBy: BY,
    });
    expect(await world.bot.rename("c-none", "x", BY)).toEqual({ kind: "unknown" });
  });

  it("is taken back with everything else that the person said", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.bot.rename(id, "Rosebud", "slack:U1");
    const forgotten = await world.bot.forgetPerson({
      by: BY,
      person: "slack:U1",
      names: [],
    });
    expect(forgotten).toMatchObject({ kind: "done", conversations: 1 });
    expect(JSON.stringify(world.bot.list(1, null))).not.toContain("Rosebud");
  });
});

describe("archiving", () => {
  it("stops what runs, leaves the list, and whoever writes brings it back", async () => {
    const world = createWorld();
    const id = await world.begin();
    const other = await world.begin();
    await world.say(id, "Go");
    const asked = await world.nextModel();
    expect(await world.bot.archive(id, true, BY)).toEqual({ kind: "done" });
    expect(asked.signal.aborted).toBe(true);
    expect(listed(world)).toEqual([other]);
    expect(listed(world, "archived")).toEqual([id]);
    const later = world.restart();
    expect((await later.bot.read(id))?.conversation.archived).toBe(true);
    expect(listed(later)).toEqual([other]);

    expect(await later.say(id, "Once more")).toEqual({ kind: "accepted" });
    expect(new Set(listed(later))).toEqual(new Set([id, other]));
    expect(listed(later, "archived")).toEqual([]);
    expect((await later.bot.read(id))?.conversation).not.toHaveProperty("archived");
    (await later.nextModel()).answer(textAnswer("Here."));
    await settled(later, id);
  });

  it("withdraws the question that waits, and can be taken back by hand", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "Write it");
    (await world.nextModel()).answer(toolAnswer({ name: "request_mode_upgrade", input: { reason: "r" } }));
    await vi.waitFor(() => expect(world.store.waiting()).toHaveLength(1), { interval: 1 });
    await world.bot.archive(id, true, BY);
    expect(world.store.waiting()).toEqual([]);
    expect((await world.bot.read(id))?.state.phase.kind).toBe("idle");
    expect(await world.bot.archive(id, false, BY)).toEqual({ kind: "done" });
    expect(listed(world)).toEqual([id]);
  });

  it("does not hide what somebody said from being forgotten", async () => {
    const world = createWorld();
    const id = await talked(world, "rosebud");
    await world.bot.archive(id, true, BY);
    await world.bot.forgetPerson({
      by: BY,
      person: BY,
      names: [],
    });
    expect(world.store.claims(id).map(({ claim }) => claim.text)).toEqual([""]);
  });
});

describe("removing", () => {
  it("stops what runs, leaves nothing in any table, and tells whoever listens", async () => {
    const world = createWorld();
    const kept = await talked(world, "violet", SHARED);
    const id = await talked(world, "rosebud", PICTURE, SHARED);
    const heard: ConversationChange["kind"][] = [];
    world.bot.subscribe(id, ({ kind }) => heard.push(kind));
    await world.say(id, "Go");
    const asked = await world.nextModel();
    expect(await world.bot.remove(id, BY)).toEqual({ kind: "done" });
    expect(asked.signal.aborted).toBe(true);
    expect(heard.at(-1)).toBe("gone");
    expect(world.removed).toEqual([PICTURE]);

    expect(listed(world)).toEqual([kept]);
    expect(await world.bot.read(id)).toBeNull();
    expect(world.bot.trace(id)).toBeNull();
    expect(await world.say(id, "Hello?")).toEqual({ kind: "unknown" });
    expect(await world.bot.remove(id, BY)).toEqual({ kind: "unknown" });
    expect(world.store.posts(id, 0)).toEqual([]);
    expect(world.store.claims(id)).toEqual([]);
    expect(world.store.allWords(id).size).toBe(0);
    expect(world.store.hidden()).toEqual([]);
    expect(JSON.stringify([...world.store.allWords(kept)])).toContain("violet");
  });

  it("takes sub-agents along, and is not for them alone", async () => {
    const world = createWorld();
    const id = await world.begin();
    await world.say(id, "Look twice");
    const tasks = [{ task: "one" }, { task: "two" }];
    (await world.nextModel()).answer(toolAnswer({ name: "spawn_agents", input: { tasks } }));
    await world.nextModel();
    await world.nextModel();
    const [agent] = world.store.agents(id);
    if (agent === undefined) throw new Error("no sub-agent");
    expect(await world.bot.remove(agent, BY)).toMatchObject({ kind: "refused", why: "sub_agent" });
    expect(await world.bot.remove(id, BY)).toEqual({ kind: "done" });
    expect(await world.bot.read(agent)).toBeNull();
    expect(world.store.initial(agent)).toBeNull();
  });

  it("that a crash cut short is out of sight, and is finished by the next process", async () => {
    const world = createWorld();
    const id = await talked(world, "rosebud", PICTURE);
    await world.store.hide(id);
    await world.store.removeSome();
    const later = world.restart();
    expect(await later.bot.read(id)).toBeNull();
    expect(listed(later)).toEqual([]);
    expect(world.store.hidden()).toEqual([id]);
    await later.bot.recover();
    await vi.waitFor(() => expect(later.removed).toEqual([PICTURE]), { interval: 1 });
    expect(world.store.hidden()).toEqual([]);
  });

  it("that a file outlives, because its store was away, takes it along the next time", async () => {
    let isAway = true;
    const world = createWorld({ isAway: () => isAway });
    const [id, other] = [await talked(world, "rosebud", PICTURE), await talked(world, "violet")];
    expect(await world.bot.remove(id, BY)).toEqual({ kind: "done" });
    expect(world.removed).toEqual([]);
    isAway = false;
    expect(await world.bot.remove(other, BY)).toEqual({ kind: "done" });
    expect(world.removed).toEqual([PICTURE]);
  });

  it("that the disk refuses changes nothing, and can be asked again", async () => {
    const world = createWorld();
    const id = await talked(world, "rosebud");
    const full = { kind: "failed", code: "disk_full", message: "full" } as const;
    vi.spyOn(world.store, "hide").mockResolvedValueOnce(full);
    expect(await world.bot.remove(id, BY)).toEqual(full);
    expect(await world.say(id, "Still here?")).toEqual({ kind: "accepted" });
    (await world.nextModel()).answer(textAnswer("Yes."));
    await settled(world, id);
    expect(await world.bot.remove(id, BY)).toEqual({ kind: "done" });
  });

  it("leaves no byte in the file or its log, and pictures that nobody else names", async () => {
    const directory = temporary();
    const opened = openStore(directory);
    if (opened.kind === "failed") throw new Error(opened.message);
    const world = createWorld({ store: opened.store });
    const id = await talked(world, "rosebud-4711", PICTURE);
    await talked(world, "violet-1234");
    await world.bot.remove(id, BY);
    const bytes = readdirSync(directory)
      .filter((name) => name.startsWith("parley.sqlite"))
      .map((name) => readFileSync(join(directory, name)));
    expect(bytes.some((one) => one.includes("violet-1234"))).toBe(true);
    expect(bytes.some((one) => one.includes("rosebud-4711"))).toBe(false);
    expect(bytes.some((one) => one.includes(id))).toBe(false);
    await opened.store.close();
  });
});
