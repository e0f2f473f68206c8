/** The labelled commands beside this file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { classify, type ClassifiedCall } from "../../src/shell-risk/classify.ts";
import { DANGER_CATEGORIES, type DangerCategory } from "../../src/shell-risk/danger/danger.ts";
import { factsOf } from "../../src/shell-risk/danger/facts.ts";
import type { ReadScript } from "../../src/shell-risk/danger/rule-context.ts";

export interface Row {
  readonly categories: readonly DangerCategory[];
  readonly command: string;
}

/** `corpus.txt` says how a line is written. Throws on a line that is none. */
export const readRows = (file: "corpus.txt" | "unread.txt" | "heldout.txt" | "agent.txt"): readonly Row[] =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !/^#(?: |$)/.test(line))
    .map((line) => {
      const [labels = "", command, ...rest] = line.split("\t");
      if (command === undefined || rest.length > 0) throw new Error(`not a row: ${line}`);
      const categories = labels === "-" ? [] : labels.split(" ").map(categoryOf);
      return { categories, command: command.replaceAll("⏎", "\n") };
    });

const categoryOf = (label: string): DangerCategory => {
  const category = DANGER_CATEGORIES.find((each) => each === label);
  if (category === undefined) throw new Error(`not a category: ${label}`);
  return category;
};

/** A checkout of which nothing is known. */
export const FACTS = factsOf("/work/repo", null);

export const classifyCommand = (command: string, read: ReadScript, facts = FACTS): ClassifiedCall =>
  classify({ judge: "script", input: { command } }, facts, read);

export const categoriesOf = (command: string, read: ReadScript, facts = FACTS): readonly DangerCategory[] =>
  classifyCommand(command, read, facts).dangers.map(({ category }) => category);
