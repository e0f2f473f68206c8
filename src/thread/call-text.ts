/** One call of a tool in words that people read. Pure. */

import { INTERRUPTED } from "../machine/round.ts";
import type { Outcome } from "../machine/transcript.ts";
import { spelledProse } from "../text/invisible.ts";
import { fieldIn } from "../text/json.ts";
import { english, type Label, type Say, type Sentence } from "../words/say.ts";
import { DECIDED } from "./wording.ts";

/** UTF-16 code units of a title. */
const MAX_TITLE = 60;

/** What was done, in the past tense; `input`: the model's, whatever it is. */
export const callTitle = (name: string, input: unknown, say: Say = english): string => {
  const { past, fields } = titleOf(name);
  const object = fields.length === 0 ? name : objectIn(input, fields);
  return shortened(say(past, { object: spelledProse(object) }).trim());
};

export interface Doing {
  /** `running {object}`, `searching for {object}`. */
  readonly verb: Act;
  /** The command, what is searched for; empty where nothing is named: then it is the tool. */
  readonly object: string;
}

/** What is being done. */
export const callDoing = (name: string, input: unknown): Doing => {
  const { now, fields } = titleOf(name);
  const object = shortened(objectIn(input, fields));
  return object === "" && fields.length > 0 ? { verb: USING.now, object: name } : { verb: now, object };
};

const titleOf = (name: string): Title => TITLES.get(name) ?? USING;

/** What a call is about, whole: the command, the path; empty where nothing is named. */
export const callObject = (name: string, input: unknown): string => objectIn(input, titleOf(name).fields);

const objectIn = (input: unknown, fields: readonly string[]): string =>
  fields.map((field) => textIn(input, field)).find((text) => text !== "") ?? "";

/** What the model gave a call: the one text that says it all, else JSON. */
export const inputText = (input: unknown): string => {
  const [only, ...more] = typeof input === "object" && input !== null ? Object.values(input) : [];
  return more.length === 0 && typeof only === "string" ? only : JSON.stringify(input, null, 2);
};

/** How it ended: nothing where there is nothing to say. */
export const endText = (outcome: Outcome, say: Say = english): string => {
  if (outcome.kind === "ran" && outcome.exit !== undefined) return say("exit {code}", { code: outcome.exit });
  if (outcome.kind !== "ran" && outcome.decision !== null) return say(DECIDED[outcome.decision.choice]);
  return outcome.kind !== "mode" && outcome.isError ? say("failed") : "";
};

/** It ran when the host ended. */
export const isCutOff = (outcome: Outcome): boolean =>
  outcome.kind === "host" && outcome.text === INTERRUPTED;

/** The first line, short. */
export const shortened = (text: string): string => {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length <= MAX_TITLE && line === text.trim()
    ? line
    : `${line.slice(0, MAX_TITLE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
};

type Act = Label | Extract<Sentence, `${string}{object}`>;

interface Title {
  readonly past: Act;
  readonly now: Act;
  /** Of the input, whose first that is there is named. */
  readonly fields: readonly string[];
}

const title = (past: Act, now: Act, ...fields: readonly string[]): Title => ({ past, now, fields });

const USING = title("Used {object}", "using {object}");

const TITLES: ReadonlyMap<string, Title> = new Map([
  ["bash", title("Ran {object}", "running {object}", "command")],
  ["keyword_search", title("Searched for {object}", "searching for {object}", "search_terms", "query")],
  ["patch", title("Changed {object}", "changing {object}", "path")],
  ["read_image", title("Looked at {object}", "looking at {object}", "path")],
  ["attach_file", title("Shared {object}", "sharing {object}", "path")],
  ["think", title("Thought", "thinking")],
  ["agent_list_modes", title("Listed the work modes", "listing the work modes")],
  ["spawn_agents", title("Asked helpers", "asking helpers")],
  ["request_mode_upgrade", title("Asked for write access", "asking for write access")],
  ["file_issue", title("Proposed an issue: {object}", "proposing an issue: {object}", "title")],
  ["comment_on_issue", title("Proposed a comment", "proposing a comment")],
  ["label_issue", title("Proposed labels", "proposing labels")],
  [
    "open_pull_request",
    title("Proposed a pull request: {object}", "proposing a pull request: {object}", "title"),
  ],
  ["draft", title("Opened a draft", "opening a draft")],
  ["propose", title("Proposed {object}", "testing and proposing {object}", "title")],
  ["read_issue", title("Read issue {object}", "reading issue {object}", "number")],
  ["read_pull_request", title("Read pull request {object}", "reading pull request {object}", "number")],
  ["read_checks", title("Read the checks of {object}", "reading the checks of {object}", "number", "ref")],
  ["search_issues", title("Searched issues for {object}", "searching issues for {object}", "query")],
]);

const textIn = (input: unknown, field: string): string => {
  const value = fieldIn(input, field);
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};
