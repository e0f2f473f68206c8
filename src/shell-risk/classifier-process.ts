/** Process that classifies longer commands (classifier.ts). */
import { parse } from "./shell/shell.ts";
import type { ClassifierQuestion } from "./classifier.ts";
import { classify } from "./classify.ts";

process.on("message", ({ call, facts }: ClassifierQuestion) => process.send?.(classify(call, facts, parse)));
process.send?.("ready");
