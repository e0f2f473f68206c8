/**
 * What it costs to say which danger categories a command falls into, beside the cost of only parsing it.
 *
 * The commands are the labelled corpus of the classification's tests. Each is taken several times in turn with the
 * others and its best time counts: the machine does other things too, and what it does then is not the command's cost.
 */

import { classify } from "../../src/shell-risk/classify.ts";
import { glance } from "../../src/shell-risk/shell/shell.ts";
import { FACTS, readRows } from "../shell-risk/rows.ts";
import type { Bench } from "./bench.ts";
import { atMost, measured } from "./figure.ts";

export const classifyBench: Bench = {
  name: "classify",
  what: "parsing and classifying one command, over the labelled corpus",
  run: async (scale) => {
    const rows = [...readRows("corpus.txt"), ...readRows("heldout.txt")];
    const commands = scale === "tiny" ? rows.slice(0, 20) : rows;
    const passes = scale === "tiny" ? 2 : 40;
    const glances = best(commands.length, passes, (at) => {
      const command = commands[at]?.command ?? "";
      const start = performance.now();
      glance(command);
      return performance.now() - start;
    });
    const whole = best(commands.length, passes, (at) => {
      const call = { judge: "script" as const, input: { command: commands[at]?.command ?? "" } };
      const start = performance.now();
      classify(call, FACTS, glance);
      return performance.now() - start;
    });
    return [
      measured("parse alone", "ms", glances),
      measured("parse and classify", "ms", whole, atMost(2, "p99")),
      measured(
        "classifying over parsing",
        "x",
        whole.map((millis, at) => millis / Math.max(glances[at] ?? 0, 0.001)),
      ),
    ];
  },
};

/** The shortest time of each of `count` things. */
const best = (count: number, passes: number, timeOf: (at: number) => number): readonly number[] => {
  const shortest = Array.from({ length: count }, () => Number.POSITIVE_INFINITY);
  for (let pass = 0; pass < passes; pass += 1) {
    for (const at of shortest.keys()) shortest[at] = Math.min(shortest[at] ?? 0, timeOf(at));
  }
  return shortest;
};
