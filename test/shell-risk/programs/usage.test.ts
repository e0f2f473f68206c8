/** A row of a program's table: what each of its columns says of a command, and of its harmless twin. */
import { expect, test } from "vitest";
import { finding } from "../../../src/shell-risk/danger/danger.ts";
import { type ProgramUsage, usages } from "../../../src/shell-risk/programs/usage.ts";
import type { Memory } from "../../../src/shell-risk/danger/rule-context.ts";
import type { SimpleCommand } from "../../../src/shell-risk/shell/command.ts";
import { parse } from "../../../src/shell-risk/shell/shell.ts";
import { FACTS } from "../rows.ts";

const FOUND = [finding("GIT_PUBLISH", "is found")];

const memory: Memory = {
  facts: FACTS,
  read: parse,
  judge: () => [],
  made: new Map(),
  runs: new Set(),
  unsettled: new Set(),
  fetched: false,
  incomplete: false,
};

const isCommand = (step: { readonly kind: string }): step is SimpleCommand => step.kind === "command";

const found = (row: ProgramUsage, line: string): readonly string[] => {
  const command = parse(line).steps.find(isCommand);
  const rule = usages({ "one two": row }).get(command?.program ?? "");
  if (command === undefined || rule === undefined) throw new Error(`no row for: ${line}`);
  return rule(command.args, { command, memory }).map(({ change }) => change);
};

test.each<[string, ProgramUsage, string, readonly string[], string]>([
  [
    "every operand",
    { operands: "destroy" },
    "one ../a",
    ["deletes or replaces /work/a", "deletes /work/a"],
    "two -x",
  ],
  ["a file that an option reads", { reads: "f file" }, "two -f ../a", ["uses /work/a"], "two ../a"],
  [
    "a file that an option writes",
    { writes: "o out" },
    "one --out=../a",
    ["writes /work/a"],
    "one --in=../a",
  ],
  [
    "an option's value is no operand",
    { operands: "read", values: "n" },
    "one ../a",
    ["uses /work/a"],
    "one -n ../a",
  ],
  ["what is always found", { found: FOUND, unless: "n dry-run" }, "one a", ["is found"], "one a --dry"],
  ["what an option asks for", { found: FOUND, when: "f force" }, "one -xf", ["is found"], "one -x -- -f"],
  [
    "what a first operand asks for",
    { verbs: { "push send": FOUND } },
    "one -x send",
    ["is found"],
    "one a send",
  ],
  ["other first operands", { verbs: { status: [] }, found: FOUND }, "one", ["is found"], "one status"],
])("%s", (_, row, command, changes, twin) => {
  expect(found(row, command)).toEqual(changes);
  expect(found(row, twin)).toEqual([]);
});
