/** The process that classifies what is more than a glance (classifier.ts): a question in, its answer out. */
import { parse } from "./shell/shell.ts";
import type { Question } from "./classifier.ts";
import { classify } from "./classify.ts";

process.on("message", ({ call, facts }: Question) => process.send?.(classify(call, facts, parse)));
process.send?.("ready");
