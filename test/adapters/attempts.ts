/** What every surface says of attempts at the model. */

import { expect } from "vitest";
import type { Event } from "../../src/machine/event.ts";
import type { State } from "../../src/machine/state.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Post, ThreadStatus } from "../../src/thread/post.ts";
import { turnPost } from "../../src/thread/turn-post.ts";
import { view } from "../../src/thread/view.ts";
import { looks } from "../looks.ts";
import { events, inPhase, overloaded, phases } from "../machine/samples.ts";

export type StatusText = (status: ThreadStatus, state: State) => string;

type Attempted = readonly [name: string, phase: State["phase"], doing: RegExp];

export const ATTEMPTED: readonly Attempted[] = [
  ["an answer", phases.thinking, /thinking/i],
  ["a summary", phases.summarizing, /writing a summary for a new thread/i],
];

/** While one attempt follows another. */
export const expectAttempts = (textOf: StatusText, [, phase, doing]: Attempted): void => {
  const first = inPhase(phase);
  expect(said(textOf, first)).toMatch(doing);
  expect(said(textOf, first)).not.toMatch(/attempt|try/);
  const one = failOnce(first);
  expect(said(textOf, one.failed.state)).toMatch(
    /Trying again in 1 s \(attempt 2 of 3\)|waiting for the model \(overloaded\), try 2 of 3 in 1 s\./,
  );
  expect(said(textOf, one.again)).toMatch(doing);
  expect(said(textOf, one.again)).toMatch(/(?:\(attempt|, try) 2 of 3/);
  const two = failOnce(one.again);
  expect(said(textOf, two.failed.state)).toMatch(
    /in 2 s \(attempt 3 of 3\)|waiting for the model \(overloaded\), try 3 of 3 in 2 s\./,
  );
  expect(said(textOf, two.again)).toMatch(doing);
  expect(said(textOf, two.again)).toMatch(/(?:\(attempt|, try) 3 of 3/);
};

/** Once the last one has failed, and of one that is not tried again. */
export const expectEnd = (textOf: (post: Post) => string): void => {
  const last = failOnce(failOnce(failOnce(inPhase(phases.thinking)).again).again).failed;
  const refused = step(inPhase(phases.thinking), {
    ...events.modelFailed,
    failure: { ...overloaded, kind: "auth", message: "Authentication failed." },
  });

  const toldOf = ({ state, append }: typeof last): string => {
    const before = { ...state, turn: { ...state.turn, end: null } };
    const posts = [...view(state, append).posts, turnPost(before, state, [], append, looks) ?? fail()];
    return posts.map(textOf).join("\n");
  };
  expect(toldOf(last)).toContain(overloaded.message);
  expect(toldOf(last)).toMatch(/Failed after 3 attempts|I tried 3 times\./);
  expect(toldOf(refused)).toContain("Authentication failed.");
  expect(toldOf(refused)).not.toMatch(/attempts|tried/);
};

const step = (state: State, event: Event) => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(result.why);
  return result;
};

const asked = ({ phase }: State) =>
  phase.kind === "thinking" || phase.kind === "summarizing" ? phase : null;

const said = (textOf: StatusText, state: State): string => textOf(view(state, []).status ?? fail(), state);

/** The next attempt fails, and its wait is over where one follows. */
const failOnce = (state: State) => {
  const failed = step(state, { ...events.modelFailed, by: asked(state)?.request ?? "e0" });
  const wait = asked(failed.state)?.wait;
  return { failed, again: wait ? step(failed.state, { ...events.due, for: wait.for }).state : failed.state };
};

const fail = (): never => {
  throw new Error("nothing is shown");
};
