/** What is found across conversations: those to wake at start, and those that a person sees. */

import { describe, expect, it } from "vitest";
import type { State } from "../../src/machine/state.ts";
import { openWithConnection } from "./kit.ts";
import { begin, commitOf, conversationOf, operator, prefix, stateOf, take } from "./plain.ts";

describe("lists", () => {
  it("name the conversations that were in the middle of something", () => {
    const { store } = openWithConnection(":memory:");
    const call = { id: "t", name: "bash", intent: "tool" } as const;
    const round = { call, rest: [], notes: [] };
    const phases: readonly State["phase"][] = [
      { kind: "idle" },
      { kind: "thinking", request: "e1", attempt: 1, wait: null, parts: 0 },
      { kind: "running", effect: "e1", message: "m-1", ...round },
      {
        kind: "awaitingApproval",
        question: { id: "q1", kind: "upgrade", askedAt: 1, message: "m-1" },
        ...round,
      },
      {
        kind: "stopping",
        effect: "e1",
        message: "m-1",
        wait: { for: "e2", delay: 1 },
        ...round,
        by: operator.id,
        then: null,
      },
      { kind: "failed", failure: { kind: "auth", message: "No.", retryAfter: null } },
    ];
    for (const phase of phases) {
      const before = begin(store, `c-${phase.kind}`);
      take(store, commitOf(before, { after: { ...before, seq: 1, phase } }));
    }
    expect(store.unsettled().toSorted()).toEqual(["c-running", "c-stopping", "c-thinking"]);
  });

  it("show the latest activity first, page by page, sub-agents left out (BED-009)", () => {
    const { store } = openWithConnection(":memory:");
    for (const n of [1, 2, 3, 4]) {
      const id = `c-${n}` as const;
      store.create(conversationOf(id, { createdAt: n, updatedAt: n }), stateOf(id), prefix);
    }
    const agent = { ...stateOf("c-5"), kind: "subagent", parent: "c-1" } as const;
    store.create(conversationOf("c-5", { createdAt: 5, updatedAt: 5 }), agent, prefix);
    const ids = (limit: number, before: "c-3" | "c-4" | "c-2" | "c-9" | null) =>
      store.list(limit, before).map(({ conversation }) => conversation.id);
    expect(ids(10, null)).toEqual(["c-4", "c-3", "c-2", "c-1"]);
    expect([...ids(2, null), ...ids(2, "c-3")]).toEqual(ids(10, null));
    expect(ids(0, null)).toEqual([]);
    expect(ids(2, "c-9")).toEqual([]);
    take(store, commitOf(stateOf("c-2"), { event: { kind: "due", at: 9, for: "e1" } }));
    expect(ids(2, null)).toEqual(["c-2", "c-4"]);
    expect(store.load("c-2")?.conversation.updatedAt).toBe(9);
  });

  it("do not move for a restart, nor for a clock that went back", () => {
    const { store } = openWithConnection(":memory:");
    const event = {
      kind: "woken",
      at: 99,
      boot: "b",
      confinement: "enforced",
      window: 1,
      guarded: true,
    } as const;
    const first = take(store, commitOf(begin(store), { event }));
    take(store, commitOf(first, { event: { kind: "due", at: 0, for: "e1" } }));
    expect(store.load("c-1")?.conversation.updatedAt).toBe(1);
  });
});
