/**
 * L16 over random interleavings of messages, edits, deletions, clicks, stops and crashes: each message is exactly one of answered,
 * added, waiting, refused or withdrawn, and no request contains a message twice.
 */

import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { laterMessages } from "../../../src/machine/transition/later-messages.ts";
import type { Speaker } from "../../../src/machine/vocabulary.ts";
import type { WriteFailure } from "../../../src/ports/host.ts";
import type { ModelRequest } from "../../../src/ports/model.ts";
import type { Store } from "../../../src/ports/store.ts";
import { createCut } from "../../../src/runtime/bot/erased-text.ts";
import { replayAll } from "../../replay.ts";
import { ofWhole } from "../../sample.ts";
import { testSeed } from "../../seed.ts";
import { openMemory } from "../../store/in-memory.ts";
import {
  type AskedModel,
  type AskedTool,
  createWorld,
  operator,
  textAnswer,
  toolAnswer,
  toolResult,
} from "../world.ts";

const SURFACE = "slack";
const bob: Speaker = { id: "slack:UBOB", name: "bob", mayDrive: true, mayApprove: false };
const eve: Speaker = { id: "slack:UEVE", name: "eve", mayDrive: false, mayApprove: false };
const PEOPLE = [operator, bob, eve] as const;

type Move =
  | { readonly kind: "say" | "edit"; readonly by: 0 | 1 | 2 }
  | { readonly kind: "add" | "queue" | "stopAndSend" | "remove" | "delete"; readonly which: number }
  | { readonly kind: "answer" | "fail" | "useTool" | "ran" | "stop" | "time" }
  | { readonly kind: "crash"; readonly quietly: boolean };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("say"), by: fc.constantFrom(0, 1, 2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("edit"), by: fc.constantFrom(0, 1, 2) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "add",
        "add",
        "queue",
        "queue",
        "stopAndSend",
        "remove",
        "remove",
        "remove",
        "delete",
      ),
      which: fc.nat(3),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom("answer", "answer", "useTool", "useTool", "ran", "ran", "fail", "stop", "time"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash"), quietly: fc.boolean() }) },
);

const END: WriteFailure = { kind: "failed", code: "closing", message: "the process has ended" };

/** The store as one process has it: nothing is written after its end. */
const mortal = (store: Store) => {
  let isDead = false;
  const guarded =
    <Given extends readonly unknown[], Answer>(write: (...given: Given) => Promise<Answer>) =>
    (...given: Given): Promise<Answer | WriteFailure> =>
      isDead ? Promise.resolve(END) : write(...given);
  return {
    store: {
      ...store,
      commit: guarded(store.commit),
      claim: guarded(store.claim),
      refuse: guarded(store.refuse),
    } satisfies Store,
    end: () => void (isDead = true),
  };
};

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await setImmediate();
};

const livesThrough = async (moves: readonly Move[]): Promise<Readonly<Record<string, number>>> => {
  const { store, purse } = openMemory();
  const requests: ModelRequest[] = [];
  let asked: AskedModel[] = [];
  let tools: AskedTool[] = [];
  /** Texts of added messages that no request had to contain yet. */
  let due = new Set<string>();

  const start = () => {
    const process = mortal(store);
    const world = createWorld({ store: process.store, purse });
    const [models, runs]: [AskedModel[], AskedTool[]] = [[], []];
    [asked, tools] = [models, runs];
    const read = async (): Promise<void> => {
      for (;;) {
        const next = await world.nextModel();
        models.push(next);
        check(next.request);
      }
    };
    const work = async (): Promise<void> => {
      for (;;) runs.push(await world.nextTool());
    };
    void read();
    void work();
    return { world, end: process.end };
  };

  const check = (request: ModelRequest): void => {
    requests.push(request);
    const told = JSON.stringify(request.messages);
    for (const text of due) expect(told).toContain(`<${text}>`);
    due = new Set();
    for (const text of texts) expect(told.split(`<${text}>`).length).toBeLessThanOrEqual(2);
  };

  const texts: string[] = [];
  const claims: {
    readonly key: { surface: string; id: string };
    readonly by: Speaker;
    readonly text: string;
  }[] = [];
  let { world, end } = start();
  const id: ConversationId = await world.begin();

  const failed = { kind: "auth", message: "The key was refused.", retryAfter: null } as const;

  const make = async (chosen: Move): Promise<void> => {
    switch (chosen.kind) {
      case "say": {
        const by = PEOPLE[chosen.by];
        const text = `text ${texts.length}`;
        texts.push(text);
        const key = { surface: SURFACE, id: text };
        claims.push({ key, by, text });
        await world.bot.say({
          ...key,
          conversation: id,
          speaker: by,
          text: `<${text}>`,
          images: [],
          source: text,
        });
        return;
      }
      case "edit": {
        const text = `edit ${texts.length}`;
        texts.push(text);
        const speaker = PEOPLE[chosen.by];
        const done = await world.bot.act(id, {
          kind: "add",
          edited: true,
          speaker,
          text: `<${text}>`,
          images: [],
        });
        if (done.kind === "done") due.add(text);
        return;
      }
      case "add":
      case "queue":
      case "stopAndSend": {
        const meant = claims.at(-1 - chosen.which);
        const claim = meant === undefined ? null : world.bot.refusedClaim(meant.key);
        if (meant === undefined || claim === null) return;
        const { kind } = chosen;
        const done = await world.bot.act(id, { ...claim, kind, speaker: meant.by, claim: meant.key });
        if (kind === "add" && done.kind === "done") due.add(meant.text);
        return;
      }
      case "remove": {
        const state = store.load(id)?.state;
        const later = state === undefined ? [] : laterMessages(state).map(({ message }) => message);
        const left = claims.filter(({ key }) => later.some((message) => message === store.claimed(key)));
        const meant = left[chosen.which % Math.max(1, left.length)];
        if (meant === undefined) return;
        const done = await world.bot.act(id, { kind: "unqueue", message: meant.key, by: meant.by });
        if (done.kind === "done") due.delete(meant.text);
        return;
      }
      case "delete": {
        const meant = claims.at(-1 - chosen.which);
        if (meant === undefined) return;
        due.delete(meant.text);
        const cut = createCut((text) => ({ text, taken: [] }));
        await world.bot.forget(id, {
          by: "slack:deletion",
          meant: { kind: "message", source: meant.text },
          cut,
        });
        return;
      }
      case "answer":
        return asked.shift()?.answer(textAnswer("Done."));
      case "fail":
        return asked.shift()?.answer({ kind: "failed", failure: failed });
      case "useTool":
        return asked.shift()?.answer(toolAnswer({ name: "bash" }, { name: "bash" }));
      case "ran":
        return tools.shift()?.answer(toolResult("ok"));
      case "stop":
        return void (await world.bot.act(id, { kind: "stop", by: operator.id }));
      case "time":
        return world.clock.advance(5_000);
      case "crash":
        if (chosen.quietly) await settled();
        end();
        await settled();
        ({ world, end } = start());
        return world.bot.recover();
    }
  };

  for (const chosen of moves) {
    // A crash may come while the last move is under way; every other move waits for it.
    const made = make(chosen);
    await Promise.race([made, settled()]);
    await settled();
  }
  // In the end everything runs to its end.
  for (let rounds = 0; rounds < 200; rounds += 1) {
    await settled();
    const [next] = asked.splice(0, 1);
    const [tool] = tools.splice(0, 1);
    if (next === undefined && tool === undefined) {
      if (world.clock.pending() === 0 || rounds > 150) break;
      world.clock.advance(5_000);
    }
    next?.answer(textAnswer("Done."));
    tool?.answer(toolResult("ok"));
  }
  const fates: Record<string, number> = {};
  for (const { key } of claims) {
    const found = fateOf(store, id, key);
    expect([key.id, found]).toEqual([key.id, [expect.any(String)]]);
    for (const fate of found) fates[fate] = (fates[fate] ?? 0) + 1;
  }
  replayAll(store);
  return fates;
};

/** All fates of the message, of which there must be one. */
const fateOf = (
  store: Store,
  id: ConversationId,
  key: { surface: string; id: string },
): readonly string[] => {
  const row = store.claims(id).find(({ claim }) => claim.id === key.id);
  const message = store.claimed(key);
  if (row === undefined || message === null) return ["refused"];
  const entries = store
    .history(id, 0)
    .flatMap(({ entry }) => (entry.kind === "said" && entry.message === message ? [entry] : []));
  const { waiting = [], turn } = store.load(id)?.state ?? { waiting: [], turn: { added: [] } };
  const isLeft = [...waiting, ...(turn.added ?? [])].some((one) => one.message === message);
  const isWithdrawn = Array.from(store.trace(id)).some(
    ({ event }) => event.kind === "unqueued" && event.message === message,
  );
  const isErased = Array.from(store.trace(id)).some(
    ({ event }) => event.kind === "erased" && event.messages.includes(message),
  );
  return [
    ...entries.map(({ added }) => (added === true ? "added" : "answered")),
    ...(isLeft ? ["waiting"] : []),
    ...(isWithdrawn || (isErased && entries.length === 0) ? ["withdrawn"] : []),
  ];
};

it("each message is exactly one of answered, added, waiting, refused and withdrawn", async () => {
  const reached: Record<string, number> = {};
  const property = fc.asyncProperty(fc.array(move, { maxLength: 40, size: "max" }), async (moves) => {
    for (const [fate, count] of Object.entries(await livesThrough(moves)))
      reached[fate] = (reached[fate] ?? 0) + count;
  });
  await fc.assert(property, { numRuns: ofWhole(200, 60), seed: testSeed() });
  const seldom = ["answered", "added", "refused", "withdrawn"].filter((fate) => (reached[fate] ?? 0) < 5);
  expect([seldom, reached]).toEqual([[], reached]);
});
