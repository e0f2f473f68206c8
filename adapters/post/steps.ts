/** What a turn did, a row a step, in plain words (TH4). Pure. */

import type { Below, StepRow } from "../../src/ports/surface.ts";
import type { TurnBody, TurnStep } from "../../src/thread/post.ts";
import { callInput, type Words } from "../../src/thread/prompt.ts";
import { agentsEnded } from "../text/text.ts";
import { durationText } from "../../src/thread/wording.ts";
import type { MessageId } from "../../src/machine/id.ts";

/** UTF-16 code units of a title. */
const MAX_TITLE = 60;
const MOST_ROWS = 10;
/** Milliseconds below which a step took no time worth telling. */
const SHORT = 100;

/** Nothing where a turn has fewer than two. */
export const stepsOf = (
  { steps: { count, rows }, duration }: TurnBody,
  words: ReadonlyMap<MessageId, Words>,
): readonly Below[] => {
  if (count < 2) return [];
  const title = `${count} steps · ${durationText(duration)}`;
  const shown = rows.flatMap((step) => [rowOf(step, words), ...agentRows(step, words)]);
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
    title: stepTitle(call.name, callInput(words.get(step.message), call.id)),
    detail: [...(failed ? ["failed"] : []), ...time].join(" · "),
    failed,
  };
};

/** What was done, in the past tense; `input`: the model's, whatever it is. */
export const stepTitle = (name: string, input: unknown): string => {
  const { past, fields } = TITLES.get(name) ?? { past: `Used ${name}`, fields: [] };
  const object = fields.map((field) => textIn(input, field)).find((text) => text !== "") ?? "";
  return shortened(object === "" ? past : `${past} ${object}`);
};

interface Title {
  readonly past: string;
  /** Of the input, whose first that is there is named. */
  readonly fields: readonly string[];
}

const TITLES: ReadonlyMap<string, Title> = new Map(
  Object.entries({
    bash: { past: "Ran", fields: ["command"] },
    keyword_search: { past: "Searched for", fields: ["keywords", "query"] },
    patch: { past: "Changed", fields: ["path"] },
    read_image: { past: "Looked at", fields: ["path"] },
    attach_file: { past: "Shared", fields: ["path"] },
    think: { past: "Thought", fields: [] },
    agent_list_modes: { past: "Listed the work modes", fields: [] },
    spawn_agents: { past: "Asked helpers", fields: [] },
    request_mode_upgrade: { past: "Asked for write access", fields: [] },
    file_issue: { past: "Proposed an issue:", fields: ["title"] },
    comment_on_issue: { past: "Proposed a comment", fields: [] },
    label_issue: { past: "Proposed labels", fields: [] },
    open_pull_request: { past: "Proposed a pull request:", fields: ["title"] },
    read_issue: { past: "Read issue", fields: ["number"] },
    read_pull_request: { past: "Read pull request", fields: ["number"] },
    read_checks: { past: "Read the checks of", fields: ["number", "ref"] },
    search_issues: { past: "Searched issues for", fields: ["query"] },
  }),
);

const textIn = (input: unknown, field: string): string => {
  const value =
    typeof input === "object" && input !== null ? new Map(Object.entries(input)).get(field) : undefined;
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

const shortened = (text: string): string => {
  const [line = ""] = text.trim().split(/[\r\n\u2028\u2029]/, 1);
  return line.length <= MAX_TITLE && line === text.trim()
    ? line
    : `${line.slice(0, MAX_TITLE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
};
