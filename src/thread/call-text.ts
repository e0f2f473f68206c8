/** One call of a tool in words that people read. Pure. */

import { INTERRUPTED } from "../machine/round.ts";
import type { Outcome } from "../machine/transcript.ts";
import { english, type Label, type Say, type Sentence } from "../words/say.ts";
import { DECIDED } from "./wording.ts";

/** UTF-16 code units of a title. */
const MAX_TITLE = 60;

/** What was done, in the past tense; `input`: the model's, whatever it is. */
export const callTitle = (name: string, input: unknown, say: Say = english): string => {
  const { past, fields } = titleOf(name);
  const object = fields.length === 0 ? name : objectIn(input, fields);
  return shortened(say(past, { object }).trim());
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
  const [line = ""] = text.trim().split(/[\r\n\u2028\u2029]/, 1);
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

const USING: Title = { past: "Used {object}", now: "using {object}", fields: [] };

const TITLES: ReadonlyMap<string, Title> = new Map(
  Object.entries<Title>({
    bash: { past: "Ran {object}", now: "running {object}", fields: ["command"] },
    keyword_search: {
      past: "Searched for {object}",
      now: "searching for {object}",
      fields: ["search_terms", "query"],
    },
    patch: { past: "Changed {object}", now: "changing {object}", fields: ["path"] },
    read_image: { past: "Looked at {object}", now: "looking at {object}", fields: ["path"] },
    attach_file: { past: "Shared {object}", now: "sharing {object}", fields: ["path"] },
    think: { past: "Thought", now: "thinking", fields: [] },
    agent_list_modes: { past: "Listed the work modes", now: "listing the work modes", fields: [] },
    spawn_agents: { past: "Asked helpers", now: "asking helpers", fields: [] },
    request_mode_upgrade: { past: "Asked for write access", now: "asking for write access", fields: [] },
    file_issue: {
      past: "Proposed an issue: {object}",
      now: "proposing an issue: {object}",
      fields: ["title"],
    },
    comment_on_issue: { past: "Proposed a comment", now: "proposing a comment", fields: [] },
    label_issue: { past: "Proposed labels", now: "proposing labels", fields: [] },
    open_pull_request: {
      past: "Proposed a pull request: {object}",
      now: "proposing a pull request: {object}",
      fields: ["title"],
    },
    draft: { past: "Opened a draft", now: "opening a draft", fields: [] },
    propose: { past: "Proposed {object}", now: "testing and proposing {object}", fields: ["title"] },
    read_issue: { past: "Read issue {object}", now: "reading issue {object}", fields: ["number"] },
    read_pull_request: {
      past: "Read pull request {object}",
      now: "reading pull request {object}",
      fields: ["number"],
    },
    read_checks: {
      past: "Read the checks of {object}",
      now: "reading the checks of {object}",
      fields: ["number", "ref"],
    },
    search_issues: {
      past: "Searched issues for {object}",
      now: "searching issues for {object}",
      fields: ["query"],
    },
  }),
);

const textIn = (input: unknown, field: string): string => {
  const value =
    typeof input === "object" && input !== null ? new Map(Object.entries(input)).get(field) : undefined;
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};
