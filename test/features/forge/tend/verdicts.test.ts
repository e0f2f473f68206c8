/**
 * Each bound of the click, on its own: one fact differs from a push that is allowed. Rows of an adversary that the facts
 * stand for are named.
 */

import { describe, expect, it } from "vitest";
import {
  holdVerdict,
  type HeldPush,
  type PushFacts,
  pushVerdict,
  type TendedPull,
  type TendedPush,
} from "../../../../src/features/forge/tend/bounds.ts";

const PULL: TendedPull = {
  id: "p1",
  conversation: "c-1",
  surface: "slack",
  place: "C1",
  by: "slack:UALICE",
  byName: "alice",
  account: null,
  name: "acme/shop#1",
  number: 1,
  branch: "parley/c-1",
  began: 0,
  ends: 1_000,
  pushes: 2,
  budget: 100,
  head: "k1",
  expected: null,
  seen: [],
  turn: 1,
  tries: 1,
  phase: "running",
  cause: { checks: true, remarks: [] },
  trouble: null,
  ended: null,
  told: false,
};

const FACTS: PushFacts = {
  now: 1,
  spent: 100,
  made: [],
  head: "k1",
  isOpen: true,
  delicate: [],
  unlisted: 0,
  isDiffCut: false,
  owned: [],
  testFailed: false,
  isSteered: false,
  hadEdits: false,
  mayApprove: true,
};

const push = (no: number, standing: TendedPush["standing"]): TendedPush => ({
  no,
  fingerprint: `f${no}`,
  commit: null,
  standing,
  told: false,
});

describe("a card", () => {
  it("is pushed within the bounds, also with void pushes and harmless paths", () => {
    expect(pushVerdict(PULL, FACTS)).toEqual({ kind: "push" });
    const made = [push(1, "void"), push(2, "void"), push(3, "landed")];
    expect(pushVerdict(PULL, { ...FACTS, made, delicate: [{ why: "executable", path: "x.sh" }] })).toEqual({
      kind: "push",
    });
  });

  it.each([
    ["the pull request is closed", {}, { isOpen: false }, "ended"],
    ["the time is over", {}, { now: 1_000 }, "ended"],
    ["a person stopped it", { ended: "stopped" }, {}, "ended"],
    ["the money is spent", {}, { spent: 101 }, "money"],
    ["the pushes are used up", {}, { made: [push(1, "landed"), push(2, "admitted")] }, "pushes"],
    ["another person pushed", {}, { head: "k2" }, "moved"],
    ["the branch is gone", {}, { head: null }, "moved"],
    ["the branch was reset by force", { head: "k3" }, { head: "k1" }, "moved"],
    [
      "the draft changes a workflow file",
      {},
      { delicate: [{ why: "workflow", path: ".github/workflows/a.yml" }] },
      "workflow",
    ],
    ["the draft changes the owners", {}, { delicate: [{ why: "owners", path: "CODEOWNERS" }] }, "workflow"],
    ["a path has owners at the moved base", {}, { owned: ["src/a.ts"] }, "owners"],
    ["more files than the card shows", {}, { unlisted: 1 }, "size"],
    ["a diff that the card cuts", {}, { isDiffCut: true }, "size"],
    ["its test is red", {}, { testFailed: true }, "test"],
    ["a person added words", {}, { isSteered: true }, "added"],
    ["the draft had other edits", {}, { hadEdits: true }, "edits"],
    ["the person is no approver any more", {}, { mayApprove: false }, "right"],
  ] as const)("asks people if %s", (_, pull, facts, kind) => {
    expect(pushVerdict({ ...PULL, ...pull }, { ...FACTS, ...facts })).toMatchObject({
      kind: "ask",
      why: { kind },
    });
  });
});

describe("at the moment of the push", () => {
  const OWN = push(1, "admitted");
  const MOVE: HeldPush = { branch: "parley/c-1", from: "k1", to: "k2" };

  it.each([
    ["from its own commit", {}, MOVE],
    ["again, after it has arrived", { head: "k2" }, MOVE],
    ["again, while its result is unknown", { expected: "k2", head: "k1" }, { ...MOVE, from: "k0" }],
  ] as const)("is admitted %s", (_, pull, move) => {
    expect(holdVerdict({ ...PULL, ...pull }, [OWN], OWN, move, FACTS)).toEqual({ kind: "push" });
  });

  it.each([
    ["to another branch", {}, OWN, [OWN], { ...MOVE, branch: "main" }, FACTS, "moved"],
    ["onto the commit of another person", {}, OWN, [OWN], { ...MOVE, from: "k9" }, FACTS, "moved"],
    ["after the stop", { ended: "stopped" }, OWN, [OWN], MOVE, FACTS, "ended"],
    ["after the end", {}, OWN, [OWN], MOVE, { ...FACTS, now: 1_000 }, "ended"],
    ["after the money", {}, OWN, [OWN], MOVE, { ...FACTS, spent: 101 }, "money"],
    ["of a void decision", {}, push(1, "void"), [push(1, "void")], MOVE, FACTS, "pushes"],
    ["beyond the number", {}, OWN, [OWN, push(2, "landed"), push(3, "landed")], MOVE, FACTS, "pushes"],
  ] as const)("is held %s", (_, pull, own, made, move, facts, kind) => {
    expect(holdVerdict({ ...PULL, ...pull }, made, own, move, facts)).toEqual({ kind: "ask", why: { kind } });
  });
});
