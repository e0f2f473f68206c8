import { describe, expect, it } from "vitest";
import { labels } from "../../src/thread/labels.ts";
import { prompt } from "../../src/thread/prompt.ts";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { unsureOf, withWrote } from "../../src/machine/unconfirmed-writes.ts";
import { view } from "../../src/thread/view.ts";
import type { WriteOutcome } from "../../src/machine/vocabulary.ts";
import {
  bash,
  dangerAsked,
  events,
  fresh,
  inPhase,
  maintainer,
  modeAsked,
  patch,
  phases,
  resultAsked,
  stranger,
  writeAsked,
} from "./samples.ts";

const step = (state: State, event: Event): Step => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(`refused: ${result.why}`);
  return result;
};

const unrestricted = (state: State): State => ({ ...state, permission: "unrestricted" });
const running = unrestricted(inPhase(phases.running));
const held = unrestricted(inPhase(dangerAsked));
const decide = (choice: (typeof events.decided)["choice"], by = maintainer): Event & { kind: "decided" } => ({
  ...events.decided,
  choice,
  by,
});

const askedBy = ({ phase }: State) => (phase.kind === "awaitingApproval" ? phase.question.id : "q0");

describe("safe mode (Phase 5)", () => {
  it("row 105, 109: a dangerous call is held, and the trace says approval_required", () => {
    const { state, effects, append } = step(running, events.blocked);
    expect(state.phase).toMatchObject({
      kind: "awaitingApproval",
      question: { kind: "danger", categories: ["SUDO", "NETWORK_RISK"], fingerprint: "f1" },
    });
    expect([effects, append]).toEqual([[], []]);
    expect(labels(running, events.blocked, state)).toEqual(["approval_required"]);
  });

  it("row 110, 111: This thread grants exactly the listed categories and later calls are stamped with them", () => {
    const { state, effects, append } = step(held, decide("session"));
    expect(state.grants).toEqual(["SUDO", "NETWORK_RISK"]);
    expect(effects).toMatchObject([{ kind: "run", call: bash, grants: state.grants, fingerprint: "f1" }]);
    expect(append.map(({ kind }) => kind)).toEqual(["granted"]);
    const [first] = effects;
    if (first?.kind !== "run") throw new Error("nothing runs");
    const next = step(state, { ...events.ran, by: first.id });
    expect(next.effects).toMatchObject([{ kind: "run", call: patch, grants: ["SUDO", "NETWORK_RISK"] }]);
    expect(labels(held, decide("session"), state)).toEqual(["approval_granted"]);
  });

  it("D30: Once runs this call with the grant and leaves none behind", () => {
    const { state, effects } = step(held, decide("once"));
    expect(state.grants).toEqual([]);
    expect(effects).toMatchObject([{ kind: "run", grants: ["SUDO", "NETWORK_RISK"], fingerprint: "f1" }]);
  });

  it("Deny answers the call, and the same category is not asked again in the turn", () => {
    const denied = step(held, decide("deny"));
    expect(denied.append[0]).toMatchObject({ kind: "result", outcome: { kind: "host", isError: true } });
    const { phase } = denied.state;
    if (phase.kind !== "running") throw new Error("the next call does not run");
    const again = step(denied.state, { ...events.blocked, by: phase.effect, categories: ["SUDO"] });
    expect(again.state.phase.kind).toBe("thinking");
    expect(again.append[0]).toMatchObject({ outcome: { text: expect.stringMatching(/^Denied by user/) } });
  });

  it("row 112: waking forgets grants; a pending question stays", () => {
    const woken = step({ ...held, grants: ["SUDO"] }, events.woken);
    expect(woken.state.grants).toEqual([]);
    expect(woken.state.phase).toEqual(held.phase);
  });

  it("row 117: an empty list grants nothing; who may not approve grants nothing", () => {
    expect(transition(running, { ...events.granted, categories: [] })).toEqual({
      kind: "refused",
      why: "no_op",
    });
    expect(transition(running, { ...events.granted, by: stranger })).toEqual({
      kind: "refused",
      why: "not_allowed",
    });
    expect(step(running, events.granted).state.grants).toEqual(["SUDO"]);
  });

  it("D13: a downgrade withdraws the question and the call runs under Restricted, in the same step", () => {
    const { state, effects } = step(held, events.restricted);
    expect(state.phase.kind).toBe("running");
    expect(effects).toMatchObject([{ kind: "run", call: bash, permission: "restricted" }]);
  });

  it("a stranger's click and a foreign answer change nothing", () => {
    expect(transition(held, decide("once", stranger))).toEqual({ kind: "refused", why: "not_allowed" });
    expect(transition(held, decide("approve"))).toEqual({ kind: "refused", why: "wrong_choice" });
  });

  it("after three denials in a day nothing is asked, and people are told once; an approval ends it", () => {
    const tired = { ...running, denials: [1, 2, 3] };
    const { state, append } = step(tired, { ...events.blocked, at: 1_000 });
    expect(append.map(({ kind }) => kind)).toEqual(["notice", "result"]);
    expect(append[0]).toMatchObject({ notice: { kind: "paused", until: 86_400_001 } });
    expect(state.phase.kind).toBe("running");
    const later = step(tired, { ...events.blocked, at: 86_400_002 });
    expect(later.state.phase.kind).toBe("awaitingApproval");
    expect(step({ ...held, denials: [1, 2] }, decide("once")).state.denials).toEqual([]);
  });

  it("the card offers Once, This thread, Deny, and stays as a record beside what the call came to", () => {
    const answer = { ...events.answered, by: "e1", message: "m-a", calls: [bash, patch] } as const;
    const asked = step(unrestricted(inPhase(phases.thinking)), answer);
    const [run] = asked.effects;
    if (run?.kind !== "run") throw new Error("nothing runs");
    const blocked = step(asked.state, { ...events.blocked, by: run.id });
    const card = view(blocked.state, asked.append).posts.find(({ body }) => body.kind === "question");
    expect(card).toMatchObject({ actions: ["once", "session", "deny"], final: false });
    const { phase } = blocked.state;
    if (phase.kind !== "awaitingApproval") throw new Error("nothing is asked");
    const granted = step(blocked.state, { ...events.decided, question: phase.question.id, choice: "once" });
    const posts = view(granted.state, [...asked.append, ...granted.append]).posts;
    expect(posts.map(({ body }) => body.kind)).toEqual(["answer", "question", "activity", "activity"]);
  });
});

describe("work modes (TUL-007)", () => {
  const words = {
    kind: "answer",
    blocks: [{ kind: "toolUse", id: "toolu_4", name: "agent_change_mode", input: { reason: "a bug" } }],
  } as const;
  const told = (state: State, append: Step["append"]) =>
    JSON.stringify(
      prompt("preface", [
        {
          entry: {
            ...entryBase,
            kind: "answer",
            message: "m-a",
            text: 0,
            calls: [modeAsked.call],
            stop: "tools",
          },
          words,
        },
        ...append.map((entry) => ({ entry, words: null })),
      ]),
    ) + state.mode;
  const entryBase = { turn: 1, seq: 1, at: 1 };

  it("row 97, 101: a change is held and put before people with Stay, Switch, Switch in a new thread", () => {
    const { state } = step(inPhase(phases.thinking), { ...events.answered, calls: [modeAsked.call] });
    expect(state.phase).toMatchObject({ question: { kind: "mode", mode: "triage" } });
    expect(state.mode).toBe("general");
  });

  it("row 98: Stay changes nothing and says so", () => {
    const { state, append } = step(inPhase(modeAsked), decide("stay"));
    expect(state.mode).toBe("general");
    expect(told(state, append)).toContain(
      JSON.stringify(JSON.stringify({ success: false, mode: "general", branch: false, reason: "a bug" })),
    );
  });

  it("row 99: Switch lets the tool run for whoever confirmed; the mode changes when it asks for that, once", () => {
    const released = step(inPhase(modeAsked), decide("switch"));
    const confirmed = { by: "console:operator", branch: false };
    expect(released.effects).toMatchObject([{ kind: "run", id: "e11", call: modeAsked.call, confirmed }]);
    expect(released.state.mode).toBe("general");
    const set = step(released.state, events.modeSet);
    expect([set.state.mode, set.state.permission]).toEqual(["triage", "restricted"]);
    expect(set.append).toMatchObject([{ notice: { kind: "mode", from: "general", to: "triage" } }]);
    const ended = step(set.state, { ...events.ran, by: "e11" });
    expect(ended.effects).toMatchObject([{ kind: "run", call: patch }]);
    expect(step(released.state, events.woken).effects).toMatchObject([{ kind: "run", id: "e11", confirmed }]);
    expect(transition(released.state, events.drained)).toEqual({ kind: "refused", why: "no_op" });
  });

  it("row 100, D16: Switch in a new thread ends the turn with the tool's result and asks for the thread", () => {
    const set = step(step(inPhase(modeAsked), decide("branch")).state, events.modeSet);
    const { state, append, effects } = step(set.state, { ...events.ran, by: "e11" });
    expect(state).toMatchObject({
      mode: "triage",
      phase: { kind: "idle" },
      turn: { end: { why: "answered" } },
    });
    expect(effects).toEqual([{ kind: "branch", id: "e13", mode: "triage", by: "console:operator" }]);
    expect(append.map(({ kind }) => kind)).toEqual(["result", "result", "note"]);
    const answered = step(state, { ...events.branched, by: "e13" });
    expect(answered.append).toMatchObject([{ notice: { kind: "branched", to: "c-2", mode: "triage" } }]);
    expect(transition(answered.state, { ...events.branched, by: "e13" })).toEqual({
      kind: "refused",
      why: "stale",
    });
  });

  it("row 96: where the mode could not be set the turn goes on, and no thread is asked for", () => {
    const released = step(inPhase(modeAsked), decide("branch"));
    const failed = step(released.state, { ...events.ran, by: "e11", isError: true });
    expect(failed.effects).toMatchObject([{ kind: "run", call: patch }]);
    expect(failed.state).toMatchObject({ mode: "general", branches: [] });
  });

  it("the same mode needs no question", () => {
    const same = { ...modeAsked.call, mode: "general" } as typeof modeAsked.call;
    const { state, append } = step(inPhase(phases.thinking), { ...events.answered, calls: [same] });
    expect(state.phase.kind).toBe("thinking");
    expect(append[1]).toMatchObject({ outcome: { kind: "mode", success: true } });
  });

  it("a person's own switch reaches the model after the round's results", () => {
    const { state } = step(inPhase(phases.running), events.modeSet);
    expect(state.phase).toMatchObject({ notes: [{ kind: "mode", mode: "triage", message: "m-p" }] });
    expect(step(fresh(), events.modeSet).append.map(({ kind }) => kind)).toEqual(["notice", "note"]);
  });

  it("who may neither drive nor began the turn cannot switch", () => {
    expect(transition(inPhase(modeAsked), decide("switch", stranger))).toEqual({
      kind: "refused",
      why: "not_allowed",
    });
    const theirs = { ...inPhase(modeAsked), turn: { ...inPhase(modeAsked).turn, speaker: stranger } };
    expect(step(theirs, decide("switch", stranger)).effects).toMatchObject([
      { confirmed: { by: stranger.id, branch: false } },
    ]);
  });
});

describe("a finished draft (D42)", () => {
  const asked = inPhase(resultAsked);
  const handedIn = { ...events.proposed, write: "apply_draft", pull: true } as const;

  it("is a question in every permission and in a stranger's turn, and the trace says so", () => {
    const theirs = { ...inPhase(phases.running), turn: { ...running.turn, speaker: stranger } };
    for (const state of [inPhase(phases.running), running, theirs]) {
      const next = step(state, handedIn);
      expect(next.state.phase).toMatchObject({ question: { kind: "result", fingerprint: "f1", pull: true } });
      expect(next.effects).toEqual([]);
      expect(labels(state, handedIn, next.state)).toEqual(["result_proposed"]);
    }
    expect(step(running, { ...events.proposed, write: "apply_draft" }).state.phase).toMatchObject({
      question: { pull: false },
    });
  });

  it.each([
    ["apply", "apply_draft", "result_approved"],
    ["pull_request", "open_pull_request", "result_approved"],
    ["discard", "discard_draft", "result_denied"],
  ] as const)("%s lets the host do exactly that, once, and gives nobody a right", (choice, write, label) => {
    const { state, effects } = step(asked, decide(choice));
    const approved = { write, by: { id: maintainer.id }, at: 100, fingerprint: "f1" };
    expect(effects).toMatchObject([{ kind: "run", call: bash, approved, permission: "restricted" }]);
    expect(state.permission).toBe("restricted");
    expect(labels(asked, decide(choice), state)).toEqual([label]);
    expect(transition(asked, decide(choice, stranger))).toEqual({ kind: "refused", why: "not_allowed" });
    const woke = step(state, events.woken);
    expect(woke.effects).toMatchObject([{ kind: "run", approved, again: true }]);
  });

  it("40.B is asked about again if nothing was written, which is told; nothing else that was approved is", () => {
    const voided = "The branch has moved on.";
    for (const [choice, again] of [
      ["apply", true],
      ["pull_request", true],
      ["discard", false],
    ] as const) {
      const { state, effects } = step(asked, decide(choice));
      const [run] = effects;
      if (run?.kind !== "run") throw new Error("nothing runs");
      const event = { ...handedIn, by: run.id, voided };
      expect(transition(state, { ...handedIn, by: run.id })).toEqual({ kind: "refused", why: "stale" });
      expect(transition(running, { ...handedIn, voided })).toEqual({ kind: "refused", why: "stale" });
      if (!again) {
        expect(transition(state, event)).toEqual({ kind: "refused", why: "stale" });
        continue;
      }
      const next = step(state, event);
      expect(next.append).toMatchObject([
        { notice: { kind: "wrote", wrote: { kind: "void", why: voided } } },
      ]);
      expect(askedBy(next.state)).not.toBe(askedBy(asked));
      expect(transition(next.state, decide(choice))).toEqual({ kind: "refused", why: "already_decided" });
      const { effects: done } = step(next.state, { ...decide(choice), question: askedBy(next.state) });
      expect(done).toMatchObject([{ kind: "run", approved: { fingerprint: "f1" } }]);
      const stopping = step(state, events.stopped).state;
      expect(step(stopping, event).append).toContainEqual(
        expect.objectContaining({
          notice: expect.objectContaining({ wrote: { kind: "void", why: voided } }),
        }),
      );
    }
  });

  it("is not asked again in the turn once it was discarded", () => {
    const { state, effects } = step(asked, decide("discard"));
    const [first] = effects;
    if (first?.kind !== "run") throw new Error("nothing runs");
    const wrote = { kind: "done", name: "abc" } as const;
    const next = step(state, { ...events.ran, by: first.id, wrote });
    const { phase } = next.state;
    if (phase.kind !== "running") throw new Error("the next call does not run");
    expect(step(next.state, { ...handedIn, by: phase.effect }).state.phase.kind).toBe("thinking");
  });

  it("cannot become a pull request where none was offered", () => {
    const { question, ...phase } = resultAsked;
    if (question.kind !== "result") throw new Error(question.kind);
    const bare = inPhase({ ...phase, question: { ...question, pull: false } });
    expect(transition(bare, decide("pull_request"))).toEqual({ kind: "refused", why: "wrong_choice" });
    expect(step(bare, decide("apply")).effects).toHaveLength(1);
  });

  it("of several commits is applied as far as a person said, and no further than there are", () => {
    const shown = step(inPhase(phases.running), { ...handedIn, commits: 3 });
    const some = { ...decide("apply"), question: askedBy(shown.state), commits: 2 };
    const { effects, append } = step(shown.state, some);
    expect(effects).toMatchObject([{ kind: "run", approved: { write: "apply_draft", commits: 2 } }]);
    expect(append[0]).toMatchObject({ kind: "granted", decision: { commits: 2 }, ask: { commits: 3 } });
    for (const commits of [0, 1.5, 4, Number.NaN])
      expect(transition(shown.state, { ...some, commits })).toEqual({ kind: "refused", why: "wrong_choice" });
    const pull = { ...some, choice: "pull_request" } as const;
    expect(transition(shown.state, pull)).toEqual({ kind: "refused", why: "wrong_choice" });
    expect(transition(asked, { ...decide("apply"), commits: 1 })).toEqual({
      kind: "refused",
      why: "wrong_choice",
    });
  });

  it("sent back for changes, what the person says is the next turn, by whoever may drive or had asked", () => {
    const wanted = { ...decide("changes"), comment: "m-c" } as const;
    const { state, append, effects } = step(asked, wanted);
    expect(effects).toMatchObject([{ kind: "think" }]);
    expect(state.turn).toMatchObject({ no: 2, speaker: maintainer, denied: [] });
    expect(append.map((one) => [one.kind, one.turn])).toEqual([
      ["result", 1],
      ["result", 1],
      ["said", 2],
    ]);
    expect(append.at(-1)).toMatchObject({ message: "m-c", speaker: maintainer });
    expect(labels(asked, wanted, state)).toEqual(["changes_requested"]);
    const drives = { ...stranger, mayDrive: true };
    expect(transition(asked, { ...wanted, by: drives }).kind).toBe("step");
    expect(transition(asked, { ...wanted, by: stranger })).toEqual({ kind: "refused", why: "not_allowed" });
    expect(transition(asked, decide("changes"))).toEqual({ kind: "refused", why: "no_words" });
    const theirs = { ...asked, turn: { ...asked.turn, speaker: stranger } };
    expect(transition(theirs, { ...wanted, by: stranger }).kind).toBe("step");
  });

  it.each(["approve", "deny", "once", "stay"] as const)("takes no %s", (choice) => {
    expect(transition(asked, decide(choice))).toEqual({ kind: "refused", why: "wrong_choice" });
  });
});

describe("writes to the forge (9, item 3)", () => {
  const asked = inPhase(writeAsked);

  it("are a question in every permission, and the trace says so", () => {
    for (const state of [inPhase(phases.running), running]) {
      const next = step(state, events.proposed);
      expect(next.state.phase).toMatchObject({
        kind: "awaitingApproval",
        question: { kind: "write", write: "file_issue", shown: "m-d", fingerprint: "f1" },
      });
      expect(next.effects).toEqual([]);
      expect(labels(state, events.proposed, next.state)).toEqual(["write_proposed"]);
    }
  });

  it("a stranger's turn may ask, and a stranger may not decide", () => {
    const theirs = inPhase(phases.running);
    const turn = { ...theirs.turn, speaker: stranger };
    expect(step({ ...theirs, turn }, events.proposed).state.phase.kind).toBe("awaitingApproval");
    expect(transition(asked, decide("approve", stranger))).toEqual({ kind: "refused", why: "not_allowed" });
    expect(transition(asked, decide("once"))).toEqual({ kind: "refused", why: "wrong_choice" });
  });

  it("Approve lets exactly what was shown be done, under the name of whoever approved", () => {
    const { state, effects } = step(asked, decide("approve"));
    const approved = { write: "file_issue", by: { id: maintainer.id }, at: 100, fingerprint: "f1" };
    expect(effects).toMatchObject([{ kind: "run", call: bash, approved }]);
    expect(state.permission).toBe("restricted");
    expect(labels(asked, decide("approve"), state)).toEqual(["write_approved"]);
    const done = { kind: "done", name: "acme/shop#1", url: "https://forge.invalid/1" } as const;
    const [first] = effects;
    if (first?.kind !== "run") throw new Error("nothing runs");
    const { append } = step(state, { ...events.ran, by: first.id, wrote: done });
    expect(append.map((entry) => (entry.kind === "notice" ? entry.notice : entry.kind))).toEqual([
      "result",
      { kind: "wrote", write: "file_issue", by: maintainer.id, wrote: done },
    ]);
  });

  it("of which nobody knows is remembered once, until the same is done", () => {
    const { state, effects } = step(asked, decide("approve"));
    const [first] = effects;
    if (first?.kind !== "run") throw new Error("nothing runs");
    const { approved } = first;
    if (approved === undefined) throw new Error("nobody approved");
    const ran = (wrote: WriteOutcome): State => step(state, { ...events.ran, by: first.id, wrote }).state;
    const lost = ran({ kind: "unknown", why: "lost" });
    expect(lost.unsure).toEqual([{ effect: first.id, approved }]);
    expect(ran({ kind: "failed", why: "no" }).unsure).toBeUndefined();
    const same = { effect: "e99", approved: { ...approved, at: 200 } } as const;
    const other = { effect: "e98", approved: { ...approved, fingerprint: "f2" } } as const;
    expect(unsureOf(lost, same.approved)).toEqual({ effect: first.id, approved });
    expect(unsureOf(lost, other.approved)).toBeNull();
    const more = withWrote(withWrote(lost, same, { kind: "unknown" }), other, { kind: "unknown" });
    expect(more.unsure?.map(({ effect }) => effect)).toEqual([first.id, "e98"]);
    const done = { kind: "done", name: "acme/shop#1", url: "https://forge.invalid/1" } as const;
    expect(withWrote(more, same, done).unsure).toEqual([other]);
    expect(withWrote(withWrote(more, same, done), other, done)).not.toHaveProperty("unsure");
    const stopped = step(state, { ...events.stopped }).state;
    if (stopped.phase.kind !== "stopping") throw new Error("it does not stop");
    expect(step(stopped, { ...events.ran, by: first.id }).state.unsure).toEqual([
      { effect: first.id, approved },
    ]);
  });

  it("of a scope that are denied are not asked again in the turn as they were shown, and otherwise are", () => {
    const scoped = { ...events.proposed, write: "mcp_call", scope: "linear/create" } as const;
    const put = step({ ...inPhase(phases.running), seq: 2 }, scoped).state;
    const denied = { ...step(put, decide("deny")).state, phase: phases.running };
    expect(step(denied, scoped).state.phase.kind).not.toBe("awaitingApproval");
    expect(step(denied, { ...scoped, fingerprint: "f2" }).state.phase.kind).toBe("awaitingApproval");
    const unscoped = step({ ...inPhase(phases.running), seq: 2 }, events.proposed).state;
    const none = { ...step(unscoped, decide("deny")).state, phase: phases.running };
    expect(step(none, { ...events.proposed, fingerprint: "f2" }).state.phase.kind).not.toBe(
      "awaitingApproval",
    );
  });

  it("of a scope are let through once, or for the thread in turns of who may drive", () => {
    const scoped = { ...events.proposed, write: "mcp_call", scope: "linear/create" } as const;
    const put = step({ ...inPhase(phases.running), seq: 2 }, scoped).state;
    expect(transition(put, decide("approve"))).toEqual({ kind: "refused", why: "wrong_choice" });
    expect(transition(asked, decide("session"))).toEqual({ kind: "refused", why: "wrong_choice" });
    expect(transition(put, decide("session", stranger))).toEqual({ kind: "refused", why: "not_allowed" });
    const again = (from: State, other: Event): string =>
      step({ ...from, phase: phases.running }, other).state.phase.kind;
    const once = step(put, decide("once"));
    expect(once.effects).toMatchObject([{ kind: "run", approved: { write: "mcp_call", fingerprint: "f1" } }]);
    expect(again(once.state, scoped)).toBe("awaitingApproval");
    const { state, effects } = step(put, decide("session"));
    expect(effects).toMatchObject([{ kind: "run", approved: { by: { id: maintainer.id } } }]);
    const next = step({ ...state, phase: phases.running }, { ...scoped, fingerprint: "f2", at: 200 });
    const approved = { write: "mcp_call", by: { id: maintainer.id }, at: 200, fingerprint: "f2" };
    expect(next.effects).toMatchObject([{ kind: "run", approved }]);
    expect(again(state, { ...scoped, scope: "linear/delete" })).toBe("awaitingApproval");
    expect(again(state, { ...scoped, write: "apply_draft" })).toBe("awaitingApproval");
    expect(again({ ...state, turn: { ...state.turn, speaker: stranger } }, scoped)).toBe("awaitingApproval");
    const woke = step(state, events.woken).state;
    expect(woke).not.toHaveProperty("standing");
  });

  it("Deny answers the call, and the same kind of write is not asked again in the turn", () => {
    const denied = step(asked, decide("deny"));
    expect(labels(asked, decide("deny"), denied.state)).toEqual(["write_denied"]);
    const { phase } = denied.state;
    if (phase.kind !== "running") throw new Error("the next call does not run");
    const again = step(denied.state, { ...events.proposed, by: phase.effect });
    expect(again.state.phase.kind).toBe("thinking");
    const other = step(denied.state, { ...events.proposed, by: phase.effect, write: "comment_on_issue" });
    expect(other.state.phase.kind).toBe("awaitingApproval");
  });
});
