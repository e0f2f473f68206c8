/** The ledger of platform deliveries: what survives a process, and which threads a start has to look at. */

import fc from "fast-check";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type DeliveryRow,
  type Ledger,
  STATUS_POST,
  type Thread,
  TWIN_MARK,
} from "../../../src/ports/surface.ts";
import { openStore } from "../open-store.ts";
import { openGrouped, openWithConnection, temporary } from "../kit.ts";
import { begin, beginIn, commitOf, notice, take } from "../plain.ts";

const thread = (conversation: Thread["conversation"], root = conversation): Thread => ({
  conversation,
  surface: "slack",
  place: "C1",
  root,
});

const row = (key: string, change: Partial<DeliveryRow> = {}): DeliveryRow => ({
  key,
  post: key.split("#")[0] ?? key,
  wire: `w-${key}`,
  id: null,
  hash: null,
  state: "sending",
  ...change,
});

const done = { kind: "done" };

const bound = () => {
  const { store, ledger } = openWithConnection();
  const state = begin(store, "c-1");
  expect(ledger.bind(thread("c-1"))).toEqual(done);
  return { store, ledger, state };
};

const behind = (ledger: Pick<Ledger, "behind">): readonly string[] =>
  ledger.behind("slack").map((one) => one.root);

describe("the ledger of deliveries", () => {
  it("gives back any row by its post, in the order of first writing, the newest version of each", () => {
    const { ledger } = bound();
    const rows = fc.array(
      fc.record({
        key: fc.constantFrom("a#0", "a#1", "b#0", "status#x"),
        id: fc.option(fc.string()),
        hash: fc.option(fc.string()),
        state: fc.constantFrom("planned", "sending", "sent", "unknown", "gone"),
      }),
    );
    fc.assert(
      fc.property(rows, (changes) => {
        for (const key of ["a#0", "a#1", "b#0", "status#x"]) ledger.drop("c-1", key);
        for (const change of changes) expect(ledger.put("c-1", row(change.key, change))).toEqual(done);
        const order = [...new Set(changes.map(({ key }) => key))].filter((key) => key !== "b#0");
        const newest = order.map((key) => changes.findLast((change) => change.key === key));
        expect(ledger.rows("c-1", ["a", "status"])).toEqual(
          newest.map((change) => row(change?.key ?? "", change)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it("40.B counts a thread that only waits for a twin as one that lacks nothing, and a start looks at it", () => {
    const { direct, figures, ledger } = openGrouped();
    begin(direct.store, "c-1");
    direct.ledger.bind(thread("c-1"));
    const count = (): number => figures().behind["slack"] ?? 0;
    direct.ledger.settle("c-1", 1_000);
    expect([count(), behind(ledger)]).toEqual([0, []]);
    const mark = { post: STATUS_POST, state: "planned" } as const;
    direct.ledger.put("c-1", row(`a#0${TWIN_MARK}w-1`, mark));
    expect([count(), behind(ledger)]).toEqual([0, ["c-1"]]);
    direct.ledger.put("c-1", row("status#x", { post: STATUS_POST, state: "sent", id: "1" }));
    expect([count(), behind(ledger)]).toEqual([1, ["c-1"]]);
  });

  it("survives the process", async () => {
    const directory = join(temporary(), "data");
    const first = openStore(directory);
    if (first.kind === "failed") throw new Error(first.message);
    await beginIn(first.store, "c-1");
    await first.ledger.bind(thread("c-1"));
    await first.ledger.put("c-1", row("a#0"));
    await first.store.close();
    const second = openStore(directory);
    if (second.kind === "failed") throw new Error(second.message);
    expect(second.ledger.rows("c-1", ["a"])).toEqual([row("a#0")]);
    expect(second.ledger.find("slack", "C1", "c-1")).toEqual({ ...thread("c-1"), delivered: 0 });
    await second.store.close();
  });

  it("ties a thread to one conversation and a conversation to one thread", () => {
    const { store, ledger } = bound();
    begin(store, "c-2");
    expect(ledger.bind(thread("c-1", "c-other"))).toMatchObject({ kind: "failed", code: "conflict" });
    expect(ledger.bind(thread("c-2", "c-1"))).toMatchObject({ kind: "failed", code: "conflict" });
    expect(ledger.thread("c-2")).toBeNull();
    expect(ledger.bind(thread("c-2"))).toEqual(done);
  });

  it("refuses rows of a conversation without a thread", () => {
    const { store, ledger } = bound();
    begin(store, "c-2");
    expect(ledger.put("c-2", row("a#0"))).toMatchObject({ kind: "failed" });
  });

  it("names the newest known message before one in doubt", () => {
    const { ledger } = bound();
    ledger.put("c-1", row("a#0", { id: "1", state: "sent" }));
    ledger.put("c-1", row("b#0", { id: "2", state: "sent" }));
    ledger.put("c-1", row("c#0"));
    ledger.put("c-1", row("d#0", { id: "4", state: "sent" }));
    expect(ledger.before("c-1", "c#0")).toBe("2");
    expect(ledger.before("c-1", "a#0")).toBeNull();
  });
});

describe("a thread is behind", () => {
  it("from a changed post until that revision is delivered", () => {
    const { store, ledger, state } = bound();
    ledger.settle("c-1", 0);
    expect(behind(ledger)).toEqual([]);
    const next = take(store, commitOf(state, { posts: [notice("n/1", 1)] }));
    expect(behind(ledger)).toEqual(["c-1"]);
    take(store, commitOf(next, { posts: [notice("n/2", 2)] }));
    ledger.settle("c-1", 1);
    expect(behind(ledger)).toEqual(["c-1"]);
    ledger.settle("c-1", 2);
    expect(behind(ledger)).toEqual([]);
    expect(ledger.thread("c-1")?.delivered).toBe(2);
  });

  it("from a row in flight on, and while progress stands in it", () => {
    const { ledger } = bound();
    ledger.settle("c-1", 0);
    ledger.put("c-1", row("status#1", { id: "7", state: "sent" }));
    expect(behind(ledger)).toEqual(["c-1"]);
    ledger.settle("c-1", 0);
    expect(behind(ledger)).toEqual(["c-1"]);
    ledger.drop("c-1", "status#1");
    ledger.settle("c-1", 0);
    expect(behind(ledger)).toEqual([]);
  });

  it("not by a step that changes no post", () => {
    const { store, ledger, state } = bound();
    ledger.settle("c-1", 0);
    take(store, commitOf(state));
    expect(behind(ledger)).toEqual([]);
  });
});
