/** What a turn did, a row a step, in plain words (TH4). Pure. */

import type { MessageId } from "../../src/machine/id.ts";
import type { Below, StepRow } from "../../src/ports/surface.ts";
import { callTitle, endText, shortened } from "../../src/thread/call-text.ts";
import type { TurnBody, TurnStep } from "../../src/thread/post.ts";
import { callInput, type Words } from "../../src/thread/prompt.ts";
import { durationText } from "../../src/thread/wording.ts";
import { agentsEnded } from "../text/text.ts";

const MOST_ROWS = 10;
/** Milliseconds below which a step took no time worth telling. */
const SHORT = 100;

/** Nothing where a turn has fewer than two, what its helpers did among them. */
export const stepsOf = (
  { steps: { count, rows }, duration }: TurnBody,
  words: ReadonlyMap<MessageId, Words>,
): readonly Below[] => {
  const shown = rows.flatMap((step) => [rowOf(step, words), ...agentRows(step, words)]);
  const all = count + shown.length - rows.length;
  if (all < 2) return [];
  const title = `${all} steps · ${durationText(duration)}`;
  return [{ kind: "steps", title, rows: shown.slice(0, MOST_ROWS) }];
};

/** One for each sub-agent, with what it came to. */
const agentRows = (step: TurnStep, words: ReadonlyMap<MessageId, Words>): readonly StepRow[] => {
  const { outcome } = step;
  const agents = (outcome.kind === "mode" ? undefined : outcome.agents) ?? [];
  return agentsEnded(step, agents, words).map((line) => ({
    title: shortened(line),
    detail: "",
    failed: false,
  }));
};

const rowOf = (step: TurnStep, words: ReadonlyMap<MessageId, Words>): StepRow => {
  const { call, outcome, took } = step;
  const failed = outcome.kind !== "mode" && outcome.isError;
  const time = took < SHORT ? [] : [durationText(took)];
  return {
    title: callTitle(call.name, callInput(words.get(step.message), call.id)),
    detail: [...(failed ? [endText(outcome)] : []), ...time].join(" · "),
    failed,
  };
};
