/** The thread that classifies what is more than a glance (classifier.ts): a question in, its answer out. */
import { parentPort } from "node:worker_threads";
import { createShellParser } from "../safety/shell.ts";
import type { Question } from "./classifier.ts";
import { classify } from "./classify.ts";

const shell = await createShellParser();
parentPort?.on("message", ({ call, facts }: Question) =>
  parentPort?.postMessage(classify(call, facts, shell.parse), []),
);
parentPort?.postMessage("ready", []);
