/** One sample of every phase and every event: a new kind does not compile without one. */

import type { Event, EventKind } from "../../src/machine/event.ts";
import { initial, type Phase, type State } from "../../src/machine/state.ts";
import type { Call, Failure, Speaker, Usage } from "../../src/machine/vocabulary.ts";

export const maintainer: Speaker = { id: "console:operator", mayDrive: true, mayApprove: true };
export const stranger: Speaker = { id: "discord:7", mayDrive: false, mayApprove: false };
export const usage: Usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2, costMicroUsd: 40 };
export const bash: Call = { id: "toolu_1", name: "bash", intent: "tool" };
export const patch: Call = { id: "toolu_2", name: "patch", intent: "tool" };
export const upgrade: Call = { id: "toolu_3", name: "request_mode_upgrade", intent: "upgrade" };
export const triage: Call = {
  id: "toolu_4",
  name: "agent_change_mode",
  intent: "mode",
  mode: "triage",
  branch: false,
};
export const spawn: Call = {
  id: "toolu_5",
  name: "spawn_agents",
  intent: "spawn",
  agents: [{}, { model: "claude-haiku-5" }],
};
export const submit: Call = { id: "toolu_6", name: "submit_result", intent: "submit", success: true };
export const question: Call = { id: "toolu_7", name: "ask_person", intent: "ask", choices: 2 };
export const overloaded: Failure = {
  kind: "overloaded",
  message: "The model is overloaded.",
  retryAfter: null,
};

export const fresh = (confinement: "enforced" | "unavailable" = "enforced"): State =>
  initial({ id: "c-1", confinement, mode: "general", safeMode: true, model: "demo", window: 200_000 });

/** A sub-agent of `fresh`. */
export const freshAgent = (confinement: "enforced" | "unavailable" = "enforced"): State =>
  initial({
    id: "c-1-e2-1",
    confinement,
    mode: "general",
    safeMode: true,
    model: "demo",
    window: 200_000,
    parent: "c-1",
  });

const wait = { for: "e4", delay: 1_000 } as const;

export const phases: { readonly [K in Phase["kind"]]: Phase & { kind: K } } = {
  idle: { kind: "idle" },
  thinking: { kind: "thinking", request: "e1", attempt: 1, wait: null, parts: 0 },
  running: { kind: "running", effect: "e2", message: "m-a", call: bash, rest: [patch], notes: [] },
  awaitingApproval: {
    kind: "awaitingApproval",
    question: { id: "q3", kind: "upgrade", askedAt: 30, message: "m-a" },
    call: upgrade,
    rest: [patch],
    notes: [],
  },
  stopping: {
    kind: "stopping",
    effect: "e2",
    message: "m-a",
    wait,
    call: bash,
    rest: [patch],
    notes: [],
    by: "console:operator",
    then: null,
  },
  awaitingAgents: {
    kind: "awaitingAgents",
    effect: "e2",
    message: "m-a",
    call: spawn,
    agents: [
      { id: "c-1-e2-1", model: "demo", end: { how: "submitted", usage } },
      { id: "c-1-e2-2", model: "demo", end: null },
    ],
    rest: [patch],
    notes: [],
    wait: { for: "e4", delay: 1_000 },
    hurried: false,
  },
  summarizing: {
    kind: "summarizing",
    request: "e1",
    attempt: 1,
    wait: null,
    rejected: [bash, patch],
    by: null,
  },
  exhausted: { kind: "exhausted", summary: "m-u", next: null },
  failed: { kind: "failed", failure: overloaded },
  ended: { kind: "ended", how: "answered", result: { message: "m-b", call: null } },
};

/** The six other questions that a person may be asked. */
export const dangerAsked: Phase & { kind: "awaitingApproval" } = {
  kind: "awaitingApproval",
  question: {
    id: "q3",
    kind: "danger",
    askedAt: 30,
    message: "m-a",
    categories: ["SUDO", "NETWORK_RISK"],
    shown: "m-d",
    fingerprint: "f1",
  },
  call: bash,
  rest: [patch],
  notes: [],
};
export const modeAsked: Phase & { kind: "awaitingApproval" } = {
  kind: "awaitingApproval",
  question: { id: "q3", kind: "mode", askedAt: 30, message: "m-a", mode: "triage", branch: false },
  call: triage,
  rest: [patch],
  notes: [],
};

export const writeAsked: Phase & { kind: "awaitingApproval" } = {
  kind: "awaitingApproval",
  question: {
    id: "q3",
    kind: "write",
    askedAt: 30,
    message: "m-a",
    write: "file_issue",
    shown: "m-d",
    fingerprint: "f1",
  },
  call: bash,
  rest: [patch],
  notes: [],
};

export const reviewAsked: Phase & { kind: "awaitingApproval" } = {
  kind: "awaitingApproval",
  question: {
    id: "q3",
    kind: "write",
    askedAt: 30,
    message: "m-a",
    write: "post_review",
    shown: "m-d",
    fingerprint: "f1",
    review: { comments: 3, leftOut: [], mayRequest: true },
  },
  call: bash,
  rest: [patch],
  notes: [],
};

export const resultAsked: Phase & { kind: "awaitingApproval" } = {
  kind: "awaitingApproval",
  question: {
    id: "q3",
    kind: "result",
    askedAt: 30,
    message: "m-a",
    shown: "m-d",
    fingerprint: "f1",
    pull: true,
  },
  call: bash,
  rest: [patch],
  notes: [],
};

export const answerAsked: Phase & { kind: "awaitingApproval" } = {
  kind: "awaitingApproval",
  question: { id: "q3", kind: "answer", askedAt: 30, message: "m-a", place: "C1" },
  call: { id: "host-3", name: "post_answer", intent: "tool" },
  rest: [],
  notes: [],
};

export const personAsked: Phase & { kind: "awaitingApproval" } = {
  kind: "awaitingApproval",
  question: { id: "q3", kind: "person", askedAt: 30, message: "m-a", choices: 2 },
  call: question,
  rest: [patch],
  notes: [],
};

/** A conversation in `phase`, in the middle of its first turn. */
export const inPhase = (phase: Phase): State => ({
  ...fresh(),
  seq: 10,
  turn: { ...fresh().turn, no: 1, speaker: maintainer, begun: 1 },
  phase,
});

/** Each names what `phases` awaits. */
export const events: { readonly [K in EventKind["kind"]]: Event & { kind: K } } = {
  woken: { kind: "woken", at: 100, boot: "b", confinement: "enforced", window: 200_000, guarded: true },
  drained: { kind: "drained", at: 100 },
  said: { kind: "said", at: 100, message: "m-s", speaker: maintainer, images: 0 },
  added: { kind: "added", at: 100, message: "m-s", speaker: maintainer, images: 0 },
  renewed: { kind: "renewed", at: 100, by: "e1" },
  queued: { kind: "queued", at: 100, message: "m-s", speaker: maintainer, images: 0 },
  unqueued: { kind: "unqueued", at: 100, message: "m-s", by: maintainer },
  waitingStarted: { kind: "waitingStarted", at: 100, message: "m-s", speaker: maintainer },
  waitingRefused: { kind: "waitingRefused", at: 100, message: "m-s", why: "archived" },
  retried: { kind: "retried", at: 100, speaker: maintainer },
  answered: {
    kind: "answered",
    at: 100,
    by: "e1",
    message: "m-b",
    text: 5,
    calls: [bash, upgrade],
    stop: "tools",
    usage,
  },
  modelFailed: { kind: "modelFailed", at: 100, by: "e1", failure: overloaded },
  ran: {
    kind: "ran",
    at: 100,
    by: "e2",
    message: "m-r",
    origin: "checkout",
    isError: false,
    background: false,
    reached: [],
  },
  agentReported: {
    kind: "agentReported",
    at: 100,
    by: "e2",
    agent: 1,
    end: { how: "time", usage },
  },
  hurried: { kind: "hurried", at: 100 },
  reached: { kind: "reached", at: 100, reached: [{ host: "example.com", port: 443, allowed: true }] },
  setUp: { kind: "setUp", at: 100, setUp: { kind: "ready", seconds: 41, late: false } },
  putBack: { kind: "putBack", at: 100, putBack: { kind: "whole", days: 15 } },
  decided: { kind: "decided", at: 100, question: "q3", choice: "approve", by: maintainer, comment: null },
  blocked: {
    kind: "blocked",
    at: 100,
    by: "e2",
    categories: ["SUDO", "NETWORK_RISK"],
    shown: "m-d",
    fingerprint: "f1",
  },
  proposed: {
    kind: "proposed",
    at: 100,
    by: "e2",
    write: "file_issue",
    shown: "m-d",
    fingerprint: "f1",
  },
  unseen: { kind: "unseen", at: 100, question: "q3", why: "late", days: 3 },
  modeSet: {
    kind: "modeSet",
    at: 100,
    mode: "triage",
    by: "console:operator",
    organisation: "console",
    prompt: "m-p",
  },
  modelSet: { kind: "modelSet", at: 100, model: "other", window: 100_000, by: maintainer },
  safeModeSet: { kind: "safeModeSet", at: 100, on: false, by: maintainer },
  upgradeAsked: { kind: "upgradeAsked", at: 100, by: maintainer, message: "m-w" },
  askedAgain: { kind: "askedAgain", at: 100, by: maintainer },
  granted: { kind: "granted", at: 100, categories: ["SUDO"], by: maintainer },
  continued: { kind: "continued", at: 100, by: maintainer },
  summarized: { kind: "summarized", at: 100, by: "e1", message: "m-u", text: 9, usage, model: "demo" },
  moved: { kind: "moved", at: 100, seed: "summary", by: maintainer },
  branched: { kind: "branched", at: 100, by: "e9", conversation: "c-2" },
  stopped: { kind: "stopped", at: 100, by: "console:operator", then: null },
  erased: { kind: "erased", at: 100, by: "console:operator", messages: ["m-s"] },
  restricted: { kind: "restricted", at: 100, by: "console:operator" },
  due: { kind: "due", at: 100, for: "e4" },
};
