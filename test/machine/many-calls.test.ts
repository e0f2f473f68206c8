/** A response with more calls than are run: each has one result, in its place, and no later step carries them. */

import { expect, it } from "vitest";
import { MAX_CALLS } from "../../src/machine/transition/answer.ts";
import { prompt, type TranscriptMessage, type StoredContent } from "../../src/thread/prompt.ts";
import type { State } from "../../src/machine/state.ts";
import type { Entry } from "../../src/machine/transcript.ts";
import { transition } from "../../src/machine/transition/transition.ts";
import type { Event } from "../../src/machine/event.ts";
import { view } from "../../src/thread/view.ts";
import type { Call } from "../../src/machine/vocabulary.ts";
import { pairingProblem } from "./pairing.ts";
import { bash, events, freshAgent, inPhase, maintainer, phases } from "./samples.ts";

const callsOf = (count: number): readonly Call[] =>
  Array.from({ length: count }, (_, index) => ({ ...bash, id: `t${index}` }));

const step = (state: State, event: Event) => {
  const result = transition(state, event);
  if (result.kind === "refused") throw new Error(result.why);
  return result;
};

/** Runs a response of `count` calls until the model is asked again, or a person stops it after `stopAfter` of them. */
const round = (from: State, count: number, stopAfter = Infinity) => {
  const calls = callsOf(count);
  let at = step({ ...from, phase: phases.thinking }, { ...events.answered, calls, message: "m-a" });
  const entries: Entry[] = [...at.append];
  const sizes = [JSON.stringify(at.state).length];
  let ran = 0;
  while (at.state.phase.kind === "running") {
    if (ran >= stopAfter) {
      at = step(step(at.state, events.stopped).state, { ...events.ran, by: at.state.phase.effect });
    } else {
      at = step(at.state, { ...events.ran, by: at.state.phase.effect });
      ran += 1;
    }
    entries.push(...at.append);
    sizes.push(JSON.stringify(at.state).length);
  }
  return { ...at, calls, entries, sizes, ran };
};

const told = (calls: readonly Call[], entries: readonly Entry[]): readonly TranscriptMessage[] => {
  const answer: StoredContent = {
    kind: "answer",
    blocks: calls.map(({ id, name }) => ({ kind: "toolUse", id, name, input: {} })),
  };
  return entries.map((entry) => ({ entry, words: entry.kind === "answer" ? answer : null }));
};

const said: Entry = { turn: 1, seq: 1, at: 1, kind: "said", message: "m-s", speaker: maintainer, images: 0 };

it.each([MAX_CALLS, MAX_CALLS + 1, 3_000])(
  "of %d calls at most 100 are run, and the chain stays valid (L4)",
  (count) => {
    const { calls, entries, ran, state, sizes } = round(inPhase(phases.thinking), count);
    expect(ran).toBe(MAX_CALLS);
    expect(state.phase.kind).toBe("thinking");
    const messages = prompt("preface", [{ entry: said, words: null }, ...told(calls, entries)]);
    expect(pairingProblem(messages)).toBeNull();
    const results = messages.at(-1)?.content ?? [];
    expect(results).toHaveLength(count);
    for (const [place, block] of results.entries()) {
      const refused =
        block.kind === "toolResult" && block.text.startsWith("Not run: a response may have 100 calls");
      expect(refused).toBe(place >= MAX_CALLS);
    }
    expect(Math.max(...sizes)).toBeLessThan(20_000);
    expect(view(state, entries).posts.filter(({ body }) => body.kind === "activity")).toHaveLength(MAX_CALLS);
  },
);

it("Stop in the middle leaves one result for each, too", () => {
  const { calls, entries, state } = round(inPhase(phases.thinking), 300, 7);
  expect(state.phase.kind).toBe("idle");
  const next: Entry = { ...said, seq: 99 };
  expect(
    pairingProblem(
      prompt("preface", [
        { entry: said, words: null },
        ...told(calls, entries),
        { entry: next, words: null },
      ]),
    ),
  ).toBeNull();
});

it("a sub-agent's response is bounded alike", () => {
  const agent = { ...freshAgent(), turn: inPhase(phases.thinking).turn };
  expect(round(agent, 3_000).ran).toBe(MAX_CALLS);
});
