/** The meaning of a program's words as data: one row for each program or subcommand. */
import { type Arguments, has, type ParsedOption, readOptions, valuesOf } from "../shell/options.ts";
import { constantText, EMPTY, leadingText, type Word } from "../shell/word.ts";
import type { DangerFinding } from "../danger/danger.ts";
import { tableOf } from "../shell/table.ts";
import type { ProgramRule, RuleContext } from "../danger/rule-context.ts";
import { type PathUse, touchAll } from "./file-access.ts";

export type ExtraRule = (given: Arguments, scene: RuleContext) => readonly DangerFinding[];

/** Options are given as a list of letters and names. */
export interface ProgramUsage {
  /** Options whose value is a file: `reads` for used files, `writes` for created files. */
  readonly reads?: string;
  readonly writes?: string;
  /** Other options with a value. */
  readonly values?: string;
  readonly operands?: PathUse;
  /** Findings by first operand, and `found` for all others. */
  readonly verbs?: Readonly<Record<string, readonly DangerFinding[]>>;
  readonly found?: readonly DangerFinding[];
  /** Rules that no other column expresses. */
  readonly also?: ExtraRule;
  /** Options that suppress all findings (`unless`), and options required for findings (`when`). */
  readonly unless?: string;
  readonly when?: string;
}

/** Each row is a usage, or a rule if columns are not enough. */
export const usages = (
  rows: Readonly<Record<string, ProgramUsage | ProgramRule>>,
): ReadonlyMap<string, ProgramRule> =>
  new Map([...tableOf(rows)].map(([name, row]) => [name, typeof row === "function" ? row : usageRule(row)]));

export const usageRule = ({
  reads = "",
  writes = "",
  values = "",
  operands: access,
  ...row
}: ProgramUsage): ProgramRule => {
  const rule = optionRule(`${reads} ${writes} ${values}`);
  const verbs = tableOf(row.verbs ?? {});
  return (args, scene) => {
    const given = readOptions(args, rule);
    const { options, operands } = given;
    if (isGiven(options, row.unless ?? "") || (row.when !== undefined && !isGiven(options, row.when)))
      return [];
    return [
      ...(access === undefined ? [] : touchAll(operands, access, scene)),
      ...touchAll(valuesOf(options, namesIn(reads)), "read", scene),
      ...touchAll(valuesOf(options, namesIn(writes)), "write", scene),
      ...(verbs.get(constantText(operands[0] ?? EMPTY) ?? "") ?? row.found ?? []),
      ...(row.also?.(given, scene) ?? []),
    ];
  };
};

export const hasArgument =
  (pattern: RegExp) =>
  (args: readonly Word[]): boolean =>
    args.some((word) => pattern.test(leadingText(word)));

/** Options that take a value, by their letters and names, before and after operands. */
export const optionRule = (values: string) => {
  const names = namesIn(values);
  const letters = names.filter(({ length }) => length === 1);
  return { short: letters.join(""), long: names.filter(({ length }) => length > 1), permute: true };
};

const isGiven = (options: readonly ParsedOption[], list: string): boolean => {
  const { short, long } = optionRule(list);
  return has(options, short, ...long);
};

const namesIn = (list: string): readonly string[] => list.split(" ").filter((name) => name !== "");
