import { describe, expect, it } from "vitest";
import { initial } from "../../../src/machine/state.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createLiveConversations } from "../../../src/runtime/live/live-conversations.ts";
import { looks } from "../../looks.ts";
import { createManualClock } from "../world.ts";
import { openMemory } from "../../store/in-memory.ts";

const SWEEPS = 11 * 60_000;

const setUp = () => {
  const { store } = openMemory();
  const clock = createManualClock();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const lives = createLiveConversations({
    store,
    clock,
    log,
    boot: "b",
    confinement: "enforced",
    model: { window: () => 200_000 },
    randomId: () => "id",
    tools: { look: looks },
    perform: () => undefined,
  });
  const stored = async (name: string): Promise<ConversationId> => {
    const id: ConversationId = `c-${name}`;
    const prefix = { hash: "h", system: "s", tools: [] };
    const state = initial({
      id,
      confinement: "enforced",
      mode: "general",
      safeMode: true,
      model: "m",
      window: 200_000,
    });
    const conversation = {
      id,
      surface: "console",
      title: name,
      repo: { kind: "path", location: "/r" },
      createdBy: "console:operator",
      createdAt: 1,
      updatedAt: 1,
      prefix: "h",
      base: null,
      origin: null,
    } as const;
    expect(await store.create(conversation, state, prefix)).toEqual({ kind: "created" });
    return id;
  };
  return { store, clock, lives, stored };
};

describe("live conversations", () => {
  it("B4 there is one loop per conversation, and none for what is not stored", async () => {
    const { lives, stored } = setUp();
    const id = await stored("a");
    expect(lives.open(id)).toBe(lives.open(id));
    expect(lives.open("c-unknown")).toBeNull();
  });

  it("an idle one is forgotten; one that somebody listens to stays", async () => {
    const { lives, stored, clock } = setUp();
    const [quiet, watched] = [await stored("quiet"), await stored("watched")];
    await lives.open(quiet)?.drained();
    lives.open(watched)?.subscribe(() => undefined);
    clock.advance(SWEEPS);
    expect(lives.peek(quiet)).toBeUndefined();
    expect(lives.peek(watched)).toBeDefined();
  });

  it("B5 one that was forgotten and is loaded again is not woken twice in a process", async () => {
    const { lives, stored, clock, store } = setUp();
    const id = await stored("a");
    await lives.open(id)?.drained();
    clock.advance(SWEEPS);
    await lives.open(id)?.drained();
    expect([...store.trace(id)].map((row) => row.event.kind)).toEqual(["woken"]);
  });

  it("after close nothing ticks", async () => {
    const { lives, stored, clock } = setUp();
    lives.open(await stored("a"));
    lives.close();
    expect(clock.pending()).toBe(0);
  });
});
