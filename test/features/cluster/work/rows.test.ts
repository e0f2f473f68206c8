/** What is whose: the first that asks has it, until it gives it away or leaves. */

import { expect, it } from "vitest";
import { createFleetRows } from "../../../../src/features/cluster/work/rows.ts";
import { openMemory } from "../../../store/in-memory.ts";

const open = async () => {
  const rows = createFleetRows(openMemory().rows);
  await rows.join("one", "first of one");
  await rows.join("two", "first of two");
  return rows;
};

it("what is free goes to whoever asks first, and all are told whose it is", async () => {
  const rows = await open();
  expect(rows.members()).toEqual(["one", "two"]);
  expect(await rows.own(["c-1"], "one")).toEqual({ kind: "owned", by: ["one"] });
  expect(await rows.own(["c-1", "c-2"], "two")).toEqual({ kind: "owned", by: ["one", "two"] });
  expect([rows.ownerOf("c-1"), rows.ownerOf("c-3")]).toEqual(["one", null]);
});

it("what a host has is free once it has left, and is its again where it comes back before another takes it", async () => {
  const rows = await open();
  await rows.own(["c-1", "c-2"], "one");
  await rows.leave("one", "another start");
  expect(rows.ownerOf("c-1")).toBe("one");
  await rows.leave("one", "first of one");
  expect([rows.members(), rows.ownerOf("c-1")]).toEqual([["two"], null]);
  expect(await rows.own(["c-1"], "one")).toMatchObject({ kind: "failed", code: "conflict" });
  expect(await rows.own(["c-1"], "two")).toEqual({ kind: "owned", by: ["two"] });
  await rows.join("one", "second of one");
  expect([rows.members(), rows.instanceOf("one")]).toEqual([["two", "one"], "second of one"]);
  expect([rows.ownerOf("c-1"), rows.ownerOf("c-2")]).toEqual(["two", "one"]);
});

it("only what a host has can be given, and only to one that is there", async () => {
  const rows = await open();
  await rows.own(["c-1"], "one");
  expect(await rows.give("c-1", "two", "one")).toMatchObject({ kind: "failed", code: "conflict" });
  expect(await rows.give("c-1", "one", "three")).toMatchObject({ kind: "failed", code: "conflict" });
  expect(rows.ownerOf("c-1")).toBe("one");
  expect(await rows.give("c-1", "one", "two")).toEqual({ kind: "done" });
  expect(rows.ownerOf("c-1")).toBe("two");
});
