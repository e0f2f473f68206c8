/** The process that classifies what is more than a glance (classifier.ts): a question in, its answer out. */
import { parse } from "./shell/shell.ts";
import type { ClassifierQuestion } from "./classifier.ts";
import { classify } from "./classify.ts";

process.on("message", ({ call, facts }: ClassifierQuestion) => process.send?.(classify(call, facts, parse)));
process.send?.("ready");
