/**
 * Cache reads are at least 95 % of the previous request's total over a conversation of 50 turns, changes of
 * mode and of permission and rounds of more than 20 blocks included. Asserted on the wire: the fake counts prefixes as the provider does.
 */

import { expect, test } from "vitest";
import { say } from "../fakes/anthropic/turn.ts";
import { createWorld, operator, toolResult } from "../runtime/world.ts";
import { harness } from "./harness.ts";

const TURNS = 50;
/** More blocks in one round than the provider looks back. */
const MANY = 25;

test("50 turns with changes of mode and of permission and long rounds read what was sent before from the cache", async () => {
  const { fake, model } = await harness();
  const world = createWorld({ model, modelName: "claude-sonnet-5-5" });
  const id = await world.begin();
  const idle = () => expect.poll(async () => (await world.bot.read(id))?.state.phase.kind, POLL).toBe("idle");
  const approve = async () => {
    const asked = async () => (await world.bot.read(id))?.question?.wire ?? null;
    await expect.poll(asked, POLL).not.toBeNull();
    const decision = { kind: "decide", choice: "approve", by: operator, comment: null } as const;
    expect(await world.bot.act(id, { ...decision, question: (await asked()) ?? "" })).toEqual({
      kind: "done",
    });
  };
  const permissions: string[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const calls = turn % 20 === 10 ? MANY : 1;
    const asks = turn % 10 === 2;
    const uses = Array.from({ length: calls }, () => LIST);
    fake.script({ content: asks ? [UPGRADE, ...uses] : uses }, say(`Answer ${turn}.`));
    if (turn % 10 === 7)
      expect(await world.bot.act(id, { kind: "restrict", by: operator.id })).toEqual({ kind: "done" });
    if (turn % 10 === 5) {
      const mode = turn % 20 === 5 ? "triage" : "general";
      expect(await world.bot.act(id, { kind: "mode", mode, reason: "r", by: operator.id })).toEqual({
        kind: "done",
      });
    }
    await world.say(id, turn === 0 ? LONG : `Question ${turn}. ${"word ".repeat(40)}`);
    if (asks) await approve();
    for (let ran = 0; ran < calls; ran += 1) {
      const tool = await world.nextTool();
      if (ran === 0) permissions.push(tool.request.permission);
      tool.answer(toolResult("a line\n".repeat(30)));
    }
    await idle();
  }
  // It was changed in both directions, five times each.
  expect(permissions.filter((one, turn) => turn > 0 && one !== permissions[turn - 1])).toHaveLength(10);
  const totals = [...world.store.trace(id)].flatMap(({ event }) =>
    event.kind === "answered"
      ? [
          {
            read: event.usage.cacheRead,
            total: event.usage.input + event.usage.cacheRead + event.usage.cacheWrite,
          },
        ]
      : [],
  );
  expect(totals).toHaveLength(2 * TURNS);
  const shares = totals.slice(1).map(({ read }, index) => read / (totals[index]?.total ?? 0));
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.95);
  expect(fake.violations).toEqual([]);
});

const LIST = { kind: "tool", name: "bash", input: { command: "ls" } } as const;
const UPGRADE = { kind: "tool", name: "request_mode_upgrade", input: { reason: "to write" } } as const;
const POLL = { interval: 2 };
/** Long enough that the provider keeps it. */
const LONG = "A long question about a large program. ".repeat(1_500);
