/** Whose money a conversation spends, and what is spent, as the rows have it. */

import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { State } from "../../../src/machine/state.ts";
import { conversationOf, prefix, stateOf } from "../plain.ts";
import { openMemory } from "../in-memory.ts";
import { memberRows } from "../member-rows.ts";

const begin = async (
  { store }: ReturnType<typeof openMemory>,
  id: ConversationId,
  thread?: { readonly place: string; readonly server?: string },
  changes: Partial<State> = {},
) =>
  store.create(
    { ...conversationOf(id), surface: "discord" },
    { ...stateOf(id), ...changes },
    prefix,
    thread && { ...thread, root: id },
  );

it("a thread is charged to its channel and server; one of the same channel whose server was not told, to that too", async () => {
  const opened = openMemory();
  await begin(opened, "c-1", { place: "C", server: "G" });
  await begin(opened, "c-2", { place: "C" });
  await begin(opened, "c-3", { place: "D" });
  expect(opened.purse.account("c-1")).toMatchObject({ surface: "discord", place: "C", server: "G" });
  expect(opened.purse.account("c-2")).toMatchObject({ place: "C", server: "G" });
  expect(opened.purse.account("c-3")).toMatchObject({ place: "D", server: null });
  expect(opened.purse.account("c-4")).toBeNull();
});

it("a sub-agent is charged to the person, the channel and the server of the conversation at the top", async () => {
  const opened = openMemory();
  const asker = { id: "discord:7", name: "Ana", mayDrive: false, mayApprove: false } as const;
  const turn = { ...stateOf("c-1").turn, speaker: asker };
  await begin(opened, "c-1", { place: "C", server: "G" }, { turn });
  await begin(opened, "c-2", undefined, { kind: "subagent", parent: "c-1" });
  await begin(opened, "c-3", undefined, { kind: "subagent", parent: "c-2" });
  expect(opened.purse.account("c-3")).toMatchObject({
    speaker: asker,
    place: "C",
    server: "G",
    isSubagent: true,
  });
});

it("what is spent adds up by day and scope, and is carried whole", async () => {
  const { purse } = openMemory();
  await purse.spend("2026-11-21", ["day", "server:slack"], 3);
  await purse.spend("2026-11-22", ["day"], 4);
  await purse.spend("2026-11-22", ["day"], 5);
  expect(purse.spent(["2026-11-22"], "day")).toBe(9);
  expect(purse.spent(["2026-11-21", "2026-11-22"], "day")).toBe(12);
  await purse.carry(["2026-11-21", "2026-11-22"], "2026-11-22");
  await purse.carry(["2026-11-21", "2026-11-22"], "2026-11-22");
  expect(purse.all(["2026-11-22"])).toEqual([
    { scope: "day", amount: 12 },
    { scope: "server:slack", amount: 3 },
  ]);
  expect(purse.newest()).toBe("2026-11-22");
});

it("a budget that is set replaces the one before", async () => {
  const { purse } = openMemory();
  expect(purse.budget("day")).toBeNull();
  await purse.setBudget({ scope: "day", most: 5, by: "console:operator", at: 1 });
  await purse.setBudget({ scope: "day", most: null, by: "console:operator", at: 2 });
  expect(purse.budget("day")).toEqual({ scope: "day", most: null, by: "console:operator", at: 2 });
  expect(purse.budgets()).toHaveLength(1);
});

const members = async ({ rows }: ReturnType<typeof openMemory>, ...names: readonly string[]) => {
  for (const name of names) await memberRows(rows).join(name, `first of ${name}`);
};
const payers = [
  { scope: "person:slack:U1", usual: 10 },
  { scope: "day", usual: 12 },
] as const;
const wanted = { day: "2026-11-22", payers, least: 4, most: 8 } as const;

it("of a budget hosts set aside together no more than it has, and what has ended is there for all again", async () => {
  const opened = openMemory();
  const { purse } = opened;
  await members(opened, "one", "two");
  const first = await purse.reserve({ ...wanted, host: "one" });
  expect(first).toMatchObject({ kind: "granted", amount: 8 });
  expect(await purse.reserve({ ...wanted, host: "two" })).toEqual({
    kind: "short",
    scope: "person:slack:U1",
  });
  const other = [{ scope: "person:slack:U2", usual: 10 }, payers[1]] as const;
  expect(await purse.reserve({ ...wanted, host: "two", payers: other })).toMatchObject({ amount: 4 });
  const held = first.kind === "granted" ? first.held : null;
  await purse.settle("one", held, wanted.day, ["person:slack:U1", "day"], 1);
  expect(purse.spent([wanted.day], "day")).toBe(1);
  expect(await purse.reserve({ ...wanted, host: "two" })).toMatchObject({ kind: "granted", amount: 7 });
});

it("what a host has set aside is free when it leaves, and when it comes back; what it has spent is spent", async () => {
  const opened = openMemory();
  const { purse } = opened;
  const fleet = memberRows(opened.rows);
  await members(opened, "one", "two");
  await purse.settle("one", null, wanted.day, ["day"], 2);
  await purse.reserve({ ...wanted, host: "one" });
  expect((await purse.reserve({ ...wanted, host: "two" })).kind).toBe("short");
  await fleet.leave("one", "first of one");
  expect(await purse.reserve({ ...wanted, host: "one" })).toMatchObject({ kind: "failed" });
  expect(await purse.reserve({ ...wanted, host: "two" })).toMatchObject({ amount: 8 });
  await fleet.join("two", "second of two");
  expect(await purse.reserve({ ...wanted, host: "two" })).toMatchObject({ amount: 8 });
  expect(purse.spent([wanted.day], "day")).toBe(2);
});

it("where nobody has a budget nothing is set aside; one that somebody set counts for the next", async () => {
  const opened = openMemory();
  const { purse } = opened;
  await members(opened, "one");
  const free = { ...wanted, host: "one", payers: [{ scope: "day", usual: null }] } as const;
  expect(await purse.reserve(free)).toEqual({ kind: "granted", amount: 8, held: null });
  await purse.setBudget({ scope: "day", most: 5, by: "console:operator", at: 1 });
  expect(await purse.reserve(free)).toMatchObject({ amount: 5, held: expect.any(Number) });
  expect(await purse.reserve(free)).toEqual({ kind: "short", scope: "day" });
});

it("hosts spend on the day that was said for all of them, whatever theirs is", async () => {
  const opened = openMemory();
  const { purse } = opened;
  await members(opened, "one");
  await purse.settle("one", null, "2026-11-21", ["day"], 9);
  expect(purse.today()).toBeNull();
  await purse.carry([], "2026-11-22");
  expect(purse.today()).toBe("2026-11-22");
  expect(await purse.reserve({ ...wanted, day: "2026-11-21", host: "one" })).toMatchObject({ amount: 8 });
  await purse.settle("one", null, "2026-11-23", ["day"], 3);
  expect(purse.spent(["2026-11-22"], "day")).toBe(3);
  expect(purse.newest()).toBe("2026-11-22");
});
