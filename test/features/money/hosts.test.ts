/** G1 across hosts: what one has in flight is nobody else's, until it has ended or its host has. */

import { expect, test, vi } from "vitest";
import type { Speaker } from "../../../src/machine/vocabulary.ts";
import { paidBy } from "./paid.ts";
import { type Sharing, usual } from "./usual.ts";
import { createWorld, textAnswer } from "../../runtime/world.ts";
import { openMemory } from "../../store/in-memory.ts";
import { memberRows } from "../../store/member-rows.ts";

const asker: Speaker = { id: "discord:7", name: "Ana", mayDrive: false, mayApprove: false };
/** Of one request, not of two. */
const budgets = { ...usual, stranger: 102_000 };
const paid = (sharing: Sharing) => paidBy({ budgets, sharing });

const begin = async () => {
  const { store, purse, rows } = openMemory();
  const members = memberRows(rows);
  const start = async (host: string) => {
    await members.join(host, `start of ${host}`);
    const sharing = { host, leads: () => members.members()[0] === host };
    return createWorld({ store, purse, wrapModel: paid(sharing) });
  };
  const [one, two] = [await start("one"), await start("two")];
  const first = await one.begin();
  const second = await two.begin();
  await one.say(first, "go", asker);
  const running = await one.nextModel();
  await two.say(second, "go", asker);
  await vi.waitFor(() =>
    expect(store.load(second)?.state.phase).toMatchObject({ failure: { kind: "budget" } }),
  );
  const again = () => two.bot.act(second, { kind: "retry", speaker: asker });
  const leave = (host: string) => members.leave(host, `start of ${host}`);
  return { store, purse, leave, one, two, first, second, running, again };
};

test("two hosts do not share the rest of a budget; what a request did not cost is there for the other one", async () => {
  const { store, purse, two, first, second, running, again } = await begin();
  running.answer(textAnswer("done"));
  await vi.waitFor(() => expect(store.load(first)?.state.phase.kind).toBe("idle"));
  await again();
  (await two.nextModel()).answer(textAnswer("done"));
  await vi.waitFor(() => expect(store.load(second)?.state.phase.kind).toBe("idle"));
  expect(purse.spent(["1970-01-01"], "day")).toBe(1_000);
});

test("what a killed host had in flight is free for the others, and is not spent", async () => {
  const { store, purse, leave, two, second, again } = await begin();
  await leave("one");
  await again();
  (await two.nextModel()).answer(textAnswer("done"));
  await vi.waitFor(() => expect(store.load(second)?.state.phase.kind).toBe("idle"));
  expect(purse.spent(["1970-01-01"], "day")).toBe(500);
});

test("a host that is no member any more asks nothing of the model", async () => {
  const { store, leave, one, running, first } = await begin();
  running.answer(textAnswer("done"));
  await vi.waitFor(() => expect(store.load(first)?.state.phase.kind).toBe("idle"));
  await leave("one");
  await one.say(first, "again", asker);
  await vi.waitFor(() =>
    expect(store.load(first)?.state.phase).toMatchObject({ failure: { kind: "unknown" } }),
  );
});
