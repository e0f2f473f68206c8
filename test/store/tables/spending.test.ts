/** Whose money a conversation spends, and what is spent, as the rows have it. */

import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { State } from "../../../src/machine/state.ts";
import { openMemory } from "../../../src/store/sqlite.ts";
import { conversationOf, prefix, stateOf } from "../plain.ts";

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
