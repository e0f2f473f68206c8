/** Lists the steps of a turn, one row each, in plain words (TH4). Pure. */

import type { MessageId } from "../../src/machine/id.ts";
import type { Below, RenderScene, StepRow } from "../../src/ports/surface.ts";
import { callTitle, endText, type FindCallWording } from "../../src/thread/call-text.ts";
import type { TurnBody, TurnStep } from "../../src/thread/post.ts";
import { callInput, type StoredContent } from "../../src/thread/prompt.ts";
import type { Say } from "../../src/i18n/say.ts";
import { durationText } from "../../src/thread/durations.ts";
import { agentsEnded } from "../text/agents.ts";

const MOST_ROWS = 10;
/** Milliseconds below which a step's time is not displayed. */
const SHORT = 100;

/** Returns nothing if the turn and its sub-agents have fewer than two steps. */
export const stepsOf = (
  { steps: { count, rows }, duration }: TurnBody,
  { words, looks }: Pick<RenderScene, "words" | "looks">,
  say: Say,
): readonly Below[] => {
  const shown = rows.flatMap((step) => [rowOf(step, words, looks, say), ...agentRows(step, words, say)]);
  const all = count + shown.length - rows.length;
  if (all < 2) return [];
  const title = `${say("{count} steps", { count: all })} · ${durationText(duration, say)}`;
  return [{ kind: "steps", title, rows: shown.slice(0, MOST_ROWS) }];
};

/** Returns one row for each sub-agent with its outcome. */
const agentRows = (
  step: TurnStep,
  words: ReadonlyMap<MessageId, StoredContent>,
  say: Say,
): readonly StepRow[] => {
  const { outcome } = step;
  const agents = (outcome.kind === "mode" ? undefined : outcome.agents) ?? [];
  return agentsEnded(step, agents, words, say).map((line) => ({
    title: line,
    detail: "",
    failed: false,
  }));
};

const rowOf = (
  step: TurnStep,
  words: ReadonlyMap<MessageId, StoredContent>,
  looks: FindCallWording,
  say: Say,
): StepRow => {
  const { call, outcome, took } = step;
  const failed = outcome.kind !== "mode" && outcome.isError;
  const time = took < SHORT ? [] : [durationText(took, say)];
  return {
    title: callTitle(
      { look: looks(call.name), name: call.name, input: callInput(words.get(step.message), call.id) },
      say,
    ),
    detail: [...(failed ? [endText(outcome, say)] : []), ...time].join(" · "),
    failed,
  };
};
