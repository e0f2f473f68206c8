/**
 * How many events a second the core takes on one core of the machine.
 *
 * A walk through whole turns is recorded first: said, answered with three tools, each run, answered; every fifth
 * turn asks for the upgrade and is decided, every seventh fails once and is tried again, every eleventh is stopped
 * while a tool runs. Then only `transition` is timed, over the recorded events from the same initial state: ids
 * derive from the state, so every pass takes exactly the same way. Fair because each event is one that its state
 * awaits (a refusal would be cheaper), because the state is the whole of one long conversation, and because the
 * processor time counted is the whole process's, its garbage collector's threads included.
 */

import type { Event, EventKind } from "../../src/machine/event.ts";
import { initial, type State } from "../../src/machine/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import { deadline } from "../../src/machine/deadline.ts";
import type { Call, Speaker, Usage } from "../../src/machine/vocabulary.ts";
import type { Bench } from "./bench.ts";
import { atLeast, measured } from "./figure.ts";

export const transitionBench: Bench = {
  name: "transition",
  what: "events a second through the pure core, whole turns, one core",
  run: (scale) => {
    const [turns, passes] = scale === "tiny" ? [20, 5] : [4_000, 40];
    const events = record(turns);
    for (let pass = 0; pass < 5; pass++) replay(events);
    const rates = Array.from({ length: passes }, () => rate(events));
    return Promise.resolve([
      measured(
        "events per second of processor time",
        "/s",
        rates.map(({ processor }) => processor),
        atLeast(200_000),
      ),
      measured(
        "events per second of the clock, beside whatever else runs",
        "/s",
        rates.map(({ clock }) => clock),
      ),
    ]);
  },
};

const operator: Speaker = { id: "console:operator", mayDrive: true, mayApprove: true };
const usage: Usage = { input: 900, output: 80, cacheRead: 12_000, cacheWrite: 300, costMicroUsd: 4_000 };
const fresh = initial({
  id: "c-bench",
  confinement: "enforced",
  mode: "general",
  safeMode: true,
  model: "demo",
  window: 200_000,
});

const rate = (events: readonly Event[]): { readonly processor: number; readonly clock: number } => {
  const used = process.cpuUsage();
  const from = performance.now();
  replay(events);
  const clock = performance.now() - from;
  const { user, system } = process.cpuUsage(used);
  return { processor: (events.length * 1e6) / (user + system), clock: (events.length * 1e3) / clock };
};

const replay = (events: readonly Event[]): void => {
  let state = fresh;
  for (const event of events) {
    const result = transition(state, event);
    if (result.kind === "refused") throw new Error(`${event.kind} was refused: ${result.why}`);
    state = result.state;
  }
};

const record = (turns: number): readonly Event[] => {
  const events: Event[] = [];
  let state = fresh;
  const take = (kind: EventKind): void => {
    const event: Event = { at: 1_000 + events.length, ...kind };
    const result = transition(state, event);
    if (result.kind === "refused") throw new Error(`${event.kind} was refused: ${result.why}`);
    state = result.state;
    events.push(event);
  };
  take({ kind: "woken", boot: "b", confinement: "enforced", window: 200_000, guarded: true });
  for (let turn = 1; turn <= turns; turn++) playTurn(() => state, take, turn);
  return events;
};

const playTurn = (now: () => State, take: (event: EventKind) => void, turn: number): void => {
  const message = `m-${turn}` as const;
  take({ kind: "said", message, speaker: operator, images: 0 });
  if (turn % 7 === 0) {
    const failure = { kind: "overloaded", message: "Overloaded.", retryAfter: null } as const;
    take({ kind: "modelFailed", by: awaited(now()), failure });
    take({ kind: "due", for: deadline(now())?.for ?? "e0" });
  }
  if (turn % 5 === 0) {
    take(answer(now(), [call(turn, 0, "upgrade")]));
    const { phase } = now();
    const question = phase.kind === "awaitingApproval" ? phase.question.id : "q0";
    take({ kind: "decided", question, choice: "approve", by: operator, comment: null });
  }
  take(answer(now(), [call(turn, 1, "tool"), call(turn, 2, "tool"), call(turn, 3, "tool")]));
  if (turn % 11 === 0) take({ kind: "stopped", by: operator.id, then: null });
  while (now().phase.kind === "running" || now().phase.kind === "stopping") {
    take({
      kind: "ran",
      by: awaited(now()),
      message,
      origin: "checkout",
      isError: false,
      background: false,
      reached: [],
    });
  }
  if (now().phase.kind === "thinking") take(answer(now(), []));
  if (turn % 5 === 0) take({ kind: "restricted", by: operator.id });
};

const answer = (state: State, calls: readonly Call[]): EventKind => ({
  kind: "answered",
  by: awaited(state),
  message: "m-a",
  text: 120,
  calls,
  stop: calls.length > 0 ? "tools" : "end",
  usage,
});

const call = (turn: number, n: number, intent: "tool" | "upgrade"): Call => ({
  id: `toolu_${turn}_${n}`,
  name: intent === "upgrade" ? "request_mode_upgrade" : "bash",
  intent,
});

const awaited = ({ phase }: State) => {
  if (phase.kind === "thinking") return phase.request;
  return phase.kind === "running" || phase.kind === "stopping" ? phase.effect : "e0";
};
