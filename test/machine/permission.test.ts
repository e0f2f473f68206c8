/** What opens, what tightens, and what leaves a question: laws of the permission over every phase and random walks. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Event } from "../../src/machine/event.ts";
import { labels } from "../../src/thread/labels.ts";
import { refusalText } from "../../src/machine/refusal.ts";
import type { State } from "../../src/machine/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import {
  bash,
  dangerAsked,
  events,
  inPhase,
  modeAsked,
  patch,
  phases,
  resultAsked,
  upgrade,
  writeAsked,
} from "./samples.ts";
import { walks } from "./walk.ts";

const unrestricted = (phase: State["phase"]): State => ({ ...inPhase(phase), permission: "unrestricted" });

/** What the conversation waits for, as it would come. */
const comesBack = ({ phase }: State): readonly Event[] => {
  if (phase.kind === "thinking") return [{ ...events.answered, by: phase.request, calls: [bash, patch] }];
  if (phase.kind === "running") return [{ ...events.ran, by: phase.effect }];
  if (phase.kind !== "awaitingApproval") return [];
  // Who approves an upgrade after it means it: that request stays pending (C6).
  const choices = (["once", "session", "deny", "approve", "stay", "switch"] as const).filter(
    (choice) => choice !== "approve" || phase.question.kind !== "upgrade",
  );
  return choices.map((choice) => ({ ...events.decided, question: phase.question.id, choice }));
};

/** What the trace calls an event that is taken. */
const named = (state: State, event: Event): readonly string[] => {
  const done = transition(state, event);
  if (done.kind === "refused") throw new Error(done.why);
  return labels(state, event, done.state);
};

describe("a question", () => {
  it("INV.1 of an upgrade ends by a person's answer, by Stop, or by a message that changes its request", () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { before, event, result } of steps) {
          const { phase } = before;
          if (phase.kind !== "awaitingApproval" || phase.question.kind !== "upgrade") continue;
          if (result.kind === "refused" || result.state.phase.kind === "awaitingApproval") continue;
          const changes = event.kind === "added" && (!event.speaker.mayDrive || event.quoted !== undefined);
          expect(changes || event.kind === "decided" || event.kind === "stopped").toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("INV.1 is not answered by words: a message meanwhile changes nothing and points to the buttons", () => {
    const refused = transition(inPhase(phases.awaitingApproval), events.said);
    expect(refused).toEqual({ kind: "refused", why: "awaiting_approval" });
    expect(refusalText("awaiting_approval")).toMatch(/waiting for a decision.*buttons/);
  });
});

describe("Unrestricted", () => {
  it("OQ.3 lasts over any number of tools, answers and turns, until a person tightens it", () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { before, event, result } of steps) {
          if (result.kind === "refused" || before.permission === result.state.permission) continue;
          expect([before.permission, event.kind]).toEqual(
            before.permission === "unrestricted" ? ["unrestricted", "restricted"] : ["restricted", "decided"],
          );
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a downgrade", () => {
  it("INV.4 of a quiet conversation is done in one step, and the next request tells the model", () => {
    const done = transition(unrestricted(phases.idle), events.restricted);
    if (done.kind === "refused") throw new Error(done.why);
    expect(done.state).toMatchObject({ permission: "restricted", phase: { kind: "idle" } });
    expect(done.append).toMatchObject([
      { kind: "notice", notice: { kind: "permission", to: "restricted" } },
      { kind: "note", note: "downgraded" },
    ]);
  });

  it("TR.4 leaves every phase as it is, but for a danger question, which needs no answer any more", () => {
    for (const phase of [...Object.values(phases), modeAsked, writeAsked, dangerAsked, resultAsked]) {
      const done = transition(unrestricted(phase), events.restricted);
      if (done.kind === "refused") throw new Error(`${phase.kind}: ${done.why}`);
      expect(done.state.permission).toBe("restricted");
      expect(done.state.phase.kind).toBe(phase === dangerAsked ? "running" : phase.kind);
      const held = "notes" in done.state.phase ? done.state.phase.notes : [];
      const told = done.append.flatMap((entry) => (entry.kind === "note" ? [entry.note] : []));
      expect([...held, ...told]).toEqual(["downgraded"]);
      expect(done.append.filter(({ kind }) => kind === "notice")).toHaveLength(1);
    }
  });
});

describe("what comes back after a downgrade", () => {
  it("PATCH-009.3 starts nothing Unrestricted, wherever the conversation was", () => {
    let started = 0;
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { before } of steps) {
          const down = transition(before, events.restricted);
          if (down.kind === "refused" || before.permission === "restricted") continue;
          const back = comesBack(down.state).map((event) => transition(down.state, event));
          for (const one of [down, ...back]) {
            const runs = one.kind === "refused" ? [] : one.effects.filter(({ kind }) => kind === "run");
            started += runs.length;
            for (const run of runs) expect(run).toMatchObject({ permission: "restricted" });
          }
        }
      }),
      { numRuns: 1_000 },
    );
    expect(started).toBeGreaterThan(100);
  });
});

describe("the trace", () => {
  it("D-018.1 names the request, the approval, the denial and the downgrade as the source does", () => {
    const asked = inPhase(phases.awaitingApproval);
    const wish = { ...events.answered, calls: [upgrade] } as const;
    expect(named(inPhase(phases.thinking), wish)).toEqual(["ModeUpgradeRequested"]);
    expect(named(asked, events.decided)).toEqual(["UserApproveUpgrade"]);
    expect(named(asked, { ...events.decided, choice: "deny" })).toEqual(["UserDenyUpgrade"]);
    expect(named(unrestricted(phases.idle), events.restricted)).toEqual(["UserRequestDowngrade"]);
  });
});

describe("a message meanwhile", () => {
  it("DS-canc while a stop goes on is told that the cancellation is in progress", () => {
    expect(transition(inPhase(phases.stopping), events.said)).toEqual({
      kind: "refused",
      why: "cancellation_in_progress",
    });
    expect(refusalText("cancellation_in_progress")).toMatch(/^Cancellation in progress/);
  });

  it("DS-sub while sub-agents work is told that the agent is busy, and how to stop it", () => {
    expect(transition(inPhase(phases.awaitingAgents), events.said)).toEqual({
      kind: "refused",
      why: "agent_busy",
    });
    expect(refusalText("agent_busy")).toMatch(/agent is busy.*stop/);
  });
});
