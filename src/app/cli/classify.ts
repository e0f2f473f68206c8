/** Prints the findings of BASH-007 and safe mode without running the command. */

import { z } from "zod";
import { complain } from "./shared/complain.ts";
import { jsonIn } from "../../text/json.ts";
import { type Classifier, createClassifier } from "../../shell-risk/classifier.ts";
import { dangerWords } from "../../tools/bash/danger-words.ts";
import { type CheckoutFacts, factsOf } from "../../shell-risk/danger/facts.ts";

const USAGE = `Usage: npm run classify -- COMMAND
       npm run classify < FILE

FILE contains one JSON object per line: {"id"?, "command"}. The command is judged, not run.
Each answer is one line: {"id"?, "refuse", "categories", "why"}. "refuse" is the text of the
BASH-007 refusal or null, "categories" lists the danger categories, and "why" lists the findings.
The working directory is treated as the checkout.
Exit status: 0 if every command was answered, 1 if a line was invalid.`;

/** Exit status 0, also for dangerous commands; 1 if an input line is invalid. Such a line gets an `error` as answer. */
export const classifyCommand = async (args: readonly string[]): Promise<number> => {
  if (args[0] === "--help" || args[0] === "-h") {
    console.log(USAGE);
    return 0;
  }
  const asker: Asker = {
    classify: createClassifier(),
    facts: factsHere(),
  };
  if (args.length > 0) {
    console.log(JSON.stringify(await judged(args.join(" "), asker)));
    return 0;
  }
  return process.stdin.isTTY ? complain(USAGE) : answerLines(asker);
};

interface Asker {
  readonly classify: Classifier;
  readonly facts: CheckoutFacts;
}

const answerLines = async (asker: Asker): Promise<number> => {
  let unusable = 0;
  for await (const line of linesOf(process.stdin.setEncoding("utf8"))) {
    if (line.trim() === "") continue;
    const asked = readQuestion(line);
    if (asked.kind === "unusable") unusable += 1;
    const answer = asked.kind === "question" ? await judged(asked.command, asker) : { error: asked.why };
    console.log(JSON.stringify({ ...asked.id, ...answer }));
  }
  return unusable === 0 ? 0 : 1;
};

/** Splits at line feeds only, because JSON may contain Unicode's other line separators unescaped. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

type Asked =
  | { readonly kind: "question"; readonly id: Id; readonly command: string }
  | { readonly kind: "unusable"; readonly id: Id; readonly why: string };

/** The id of the input line, unchanged; empty if the line had none. */
type Id = { readonly id?: unknown };

const WithId = z.object({ id: z.unknown() });
const Line = z.object({ command: z.string() });

const readQuestion = (line: string): Asked => {
  const value = jsonIn(line);
  const id: Id = typeof value === "object" && value !== null && "id" in value ? WithId.parse(value) : {};
  const parsed = Line.safeParse(value);
  return parsed.success
    ? { kind: "question", id, command: parsed.data.command }
    : { kind: "unusable", id, why: 'Not a JSON object with a string "command".' };
};

const judged = async (command: string, { classify, facts }: Asker) => {
  const classified = await classify({ judge: "script", input: { command } }, facts, NEVER);
  const dangers = (classified?.dangers ?? []).map(dangerWords);
  return {
    refuse: classified?.refusal ?? null,
    categories: dangers.map(({ category }) => category),
    why: dangers.flatMap(({ changes }) => changes).join("; ") || "nothing dangerous found",
  };
};

/** Only the end of the process stops a classification. */
const NEVER = new AbortController().signal;

/** Without any lookup: existing files and script contents remain unknown. */
const factsHere = (): CheckoutFacts => {
  const directory = process.env["INIT_CWD"] ?? process.cwd();
  // In the root directory every path would count as inside.
  return factsOf(directory === "/" ? "/workspace" : directory, process.env["HOME"] ?? null);
};
