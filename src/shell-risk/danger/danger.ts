/** Danger categories of a call, with an explanation for the approver (Phase 5, row 113). */

export const DANGER_CATEGORIES = [
  "SUDO",
  "DEPS_INSTALL_UPDATE",
  "GIT_PUBLISH",
  "SYSTEM_IMPACT",
  "NETWORK_RISK",
  "FS_DELETE_OVERWRITE",
  "FS_OUTSIDE_WORKSPACE",
  "FS_CONFIG_SECRETS",
  "EXEC_ARBITRARY",
] as const;
export type DangerCategory = (typeof DANGER_CATEGORIES)[number];

export const RISKS = ["low", "medium", "high"] as const;
export type Risk = (typeof RISKS)[number];

/** A danger for display. Its lines are cut, and may contain any character of the call. */
export interface Danger {
  readonly category: DangerCategory;
  /** The command or the changed file, in one line. */
  readonly what: string;
  readonly why: string;
  readonly risk: Risk;
  /** One to three effects of this call. */
  readonly changes: readonly string[];
}

export interface DangerFinding {
  readonly category: DangerCategory;
  readonly risk: Risk;
  /** The effect, for example `deletes build`; `explain` cuts the text. */
  readonly change: string;
}

export const finding = (category: DangerCategory, change: string, risk: Risk = "medium"): DangerFinding => ({
  category,
  risk,
  change,
});

export const UNREAD = {
  syntax: finding(
    "EXEC_ARBITRARY",
    "cannot be read as a whole: the shell's grammar does not know all of it",
    "high",
  ),
  bounds: finding("EXEC_ARBITRARY", "is too long or too involved to be read to its end", "high"),
} as const;

export const MAX_WHAT = 200;
export const MAX_CHANGE = 120;

/** Limit of the source document (row 116). */
const MAX_CHANGES = 3;

/** In the order of the categories. `what`: any text, of which the first line is kept. */
export const explain = (findings: readonly DangerFinding[], what: string): readonly Danger[] =>
  DANGER_CATEGORIES.flatMap((category): readonly Danger[] => {
    const own = findings.filter((each) => each.category === category);
    if (own.length === 0) return [];
    const changes = [...new Set(own.map(({ change }) => firstLine(change, MAX_CHANGE)))];
    return [
      {
        category,
        what: firstLine(what, MAX_WHAT),
        why: WHY[category],
        risk: highest(own),
        changes: changes.slice(0, MAX_CHANGES),
      },
    ];
  });

/** The source document's wording. */
const WHY: Readonly<Record<DangerCategory, string>> = {
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

const highest = (findings: readonly DangerFinding[]): Risk =>
  findings.reduce<Risk>((top, { risk }) => (RISKS.indexOf(risk) > RISKS.indexOf(top) ? risk : top), "low");

const firstLine = (text: string, limit: number): string => {
  const [first = "", ...more] = text.trim().split(/\r?\n/);
  return cutLine(`${first}${more.length === 0 ? "" : " …"}`.replaceAll("\t", " ").trim(), limit);
};

/** Never cuts inside a character. */
export const cutLine = (line: string, limit: number): string =>
  line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
