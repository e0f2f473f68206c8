/** deploy/Dockerfile as its stages and steps. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../app/cli/host.ts";

export interface Step {
  readonly instruction: string;
  readonly rest: string;
}

export interface Stage {
  readonly from: string;
  readonly name: string | null;
  readonly steps: readonly Step[];
}

export const readStages = (): readonly Stage[] => {
  const text = readFileSync(join(root, "deploy/Dockerfile"), "utf8");
  const stages: { from: string; name: string | null; steps: Step[] }[] = [];
  for (const { instruction, rest } of stepsIn(text)) {
    if (instruction === "FROM") {
      const [from = "", , name = null] = rest.split(/\s+/);
      stages.push({ from, name, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${instruction} before FROM`);
    stage.steps.push({ instruction, rest });
  }
  return stages;
};

/** `NAME=value NAME=value` of an ENV step. */
export const pairsOf = (rest: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rest.split(/\s+/).map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const stepsIn = (text: string): readonly Step[] =>
  text
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, instruction = "", rest = ""] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { instruction, rest };
    });
