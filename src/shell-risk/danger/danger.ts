/** What safe mode says of a call: the categories it falls into, each with what a person is told (Phase 5, row 113). */
import type { Category } from "../../machine/words.ts";
import { spelledProse } from "../../text/invisible.ts";
import type { DangerWords } from "../../thread/prompt.ts";

export type Risk = "low" | "medium" | "high";

export interface Danger extends DangerWords {
  readonly risk: Risk;
}

/** One reason for a category, found at one place of a call. */
export interface Finding {
  readonly category: Category;
  readonly risk: Risk;
  /** The effect, as `deletes build`; bounded and made presentable by explain.ts. */
  readonly change: string;
}

export const finding = (category: Category, change: string, risk: Risk = "medium"): Finding => ({
  category,
  risk,
  change,
});

/** Of a script that was not read to its end. */
export const UNREAD = {
  syntax: finding(
    "EXEC_ARBITRARY",
    "cannot be read as a whole: the shell's grammar does not know all of it",
    "high",
  ),
  bounds: finding("EXEC_ARBITRARY", "is too long or too involved to be read to its end", "high"),
} as const;

/** Characters of a line that is shown. */
const MAX_WHAT = 200;
const MAX_CHANGE = 120;

/** The source allows this many (row 116). */
const MAX_CHANGES = 3;

/** The dangers of a call in the order of WHY. `what` may be any text: the first line of it is told. */
export const explain = (findings: readonly Finding[], what: string): readonly Danger[] =>
  Object.entries(WHY).flatMap(([name, why]): readonly Danger[] => {
    const own = findings.filter(({ category }) => category === name);
    const [first] = own;
    if (first === undefined) return [];
    const changes = [...new Set(own.map(({ change }) => presentable(change, MAX_CHANGE)))];
    return [
      {
        category: first.category,
        what: presentable(what, MAX_WHAT),
        why,
        risk: highest(own),
        changes: changes.slice(0, MAX_CHANGES),
      },
    ];
  });

/**
 * The risk of each category as the source words it, in the order in which a call's categories are told; the first is the
 * request's `category`.
 */
const WHY: Readonly<Record<Category, string>> = {
  SUDO: "It runs with more rights than the conversation has.",
  DEPS_INSTALL_UPDATE: "It changes dependencies, and what they install runs too.",
  GIT_PUBLISH: "It makes work public or part of the history.",
  SYSTEM_IMPACT: "It affects the system beyond the project.",
  NETWORK_RISK: "It talks to other machines: data may leave, and what arrives is not known.",
  FS_DELETE_OVERWRITE: "Data or history may be lost.",
  FS_OUTSIDE_WORKSPACE: "It touches files outside of the project's folder.",
  FS_CONFIG_SECRETS: "It changes configuration or secrets, which may leak or break.",
  EXEC_ARBITRARY: "It runs something that cannot be seen from the command.",
};

const ORDER: readonly Risk[] = ["low", "medium", "high"];

const highest = (findings: readonly Finding[]): Risk =>
  findings.reduce<Risk>((top, { risk }) => (ORDER.indexOf(risk) > ORDER.indexOf(top) ? risk : top), "low");

/** One line with its hidden characters spelled (WG5), not cut inside of a character. */
const presentable = (text: string, limit: number): string => {
  const [first = "", ...more] = text.trim().split(/\r?\n/);
  const line = spelledProse(`${first}${more.length === 0 ? "" : " …"}`.replaceAll("\t", " ")).trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};
