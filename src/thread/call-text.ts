import type { Outcome } from "../machine/transcript.ts";
import { spellInvisibleInProse } from "../text/invisible.ts";
import { fieldIn } from "../text/json.ts";
import { english, type Label, type Say, type Sentence } from "../i18n/say.ts";
import { DECISION_LABELS } from "./wording.ts";

/** UTF-16 code units of a title. */
const MAX_TITLE = 60;

type Act = Label | Extract<Sentence, `${string}{object}`>;

export interface CallWording {
  readonly past: Act;
  readonly now: Act;
  /** Input fields: the first non-empty one is the object. If the list is empty, the object is the tool's name. */
  readonly fields: readonly string[];
  readonly icon: LookIcon;
  /** `code`: the object is a command, a path or a name. */
  readonly face: "code" | "prose";
  /** Whether such a call may commit files that were changed before it. */
  readonly commits?: true;
}

export type LookIcon =
  | "terminal"
  | "file"
  | "search"
  | "eye"
  | "thought"
  | "branch"
  | "lock"
  | "check"
  | "plus";

/** Returns `UNKNOWN` if this host has no such tool. */
export type FindCallWording = (tool: string) => CallWording;

export const UNKNOWN: CallWording = {
  past: "Used {object}",
  now: "using {object}",
  fields: [],
  icon: "plus",
  face: "code",
};

export interface DisplayedCall {
  readonly look: CallWording;
  readonly name: string;
  readonly input: unknown;
}

export const callTitle = ({ look, name, input }: DisplayedCall, say: Say = english): string => {
  const object = look.fields.length === 0 ? name : objectIn(input, look.fields);
  return shortenText(say(look.past, { object: spellInvisibleInProse(object) }).trim());
};

export interface CallActivity {
  readonly verb: Act;
  readonly object: string;
}

/** The object is the tool's name if all fields of the look are empty. */
export const callDoing = ({ look, name, input }: DisplayedCall): CallActivity => {
  const object = shortenText(objectIn(input, look.fields));
  return object === "" && look.fields.length > 0
    ? { verb: UNKNOWN.now, object: name }
    : { verb: look.now, object };
};

export const callObject = ({ look, input }: Omit<DisplayedCall, "name">): string =>
  objectIn(input, look.fields);

const objectIn = (input: unknown, fields: readonly string[]): string =>
  fields.map((field) => textIn(input, field)).find((text) => text !== "") ?? "";

export const inputText = (input: unknown): string => {
  const [only, ...more] = typeof input === "object" && input !== null ? Object.values(input) : [];
  return more.length === 0 && typeof only === "string" ? only : JSON.stringify(input, null, 2);
};

/** Empty for ordinary success. */
export const endText = (outcome: Outcome, say: Say = english): string => {
  if (outcome.kind === "ran" && outcome.exit !== undefined) return say("exit {code}", { code: outcome.exit });
  if (outcome.kind !== "ran" && outcome.decision !== null)
    return say(DECISION_LABELS[outcome.decision.choice]);
  return outcome.kind !== "mode" && outcome.isError ? say("failed") : "";
};

export const shortenText = (text: string): string => {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length <= MAX_TITLE && line === text.trim()
    ? line
    : `${line.slice(0, MAX_TITLE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
};

const textIn = (input: unknown, field: string): string => {
  const value = fieldIn(input, field);
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};
