import type { Citation } from "../text/citation.ts";
import { clipText } from "../text/clip-text.ts";
import { fieldIn } from "../text/json.ts";
import type { Decision } from "../machine/transcript.ts";
import type { QuestionSpec } from "../machine/vocabulary.ts";
import type { Say } from "../i18n/say.ts";
import { choiceLabels } from "./person-question.ts";
import { callInput, type DangerContent, ERASED, type StoredContent } from "./prompt.ts";

/** Text of a response without its calls, or the text that a reviewer posted instead. */
export const answerText = (words: StoredContent | undefined, erased = ERASED): string => {
  if (words?.kind === "comment") return words.text;
  return words?.kind === "answer"
    ? words.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("")
    : erased;
};

export const citationsOf = (words: StoredContent | undefined): readonly Citation[] | undefined =>
  words?.kind === "answer" ? words.citations : undefined;

export const linksOf = (words: StoredContent | undefined): readonly string[] | undefined =>
  words?.kind === "answer" ? words.links : undefined;

/** The model's reason or question in a call that asks a person: empty if missing, null if the stored text was erased. */
export const callReason = (words: StoredContent | undefined, call: string): string | null => {
  if (words?.kind !== "answer") return null;
  const input = callInput(words, call);
  return field(input, "reason") || field(input, "question");
};

/** The person's own text without quotes. */
export const personText = (words: StoredContent | undefined | null, erased = ERASED): string =>
  words?.kind === "said" ? words.text.slice(words.own?.said ?? 0).trim() : erased;

/** Answer to a question of the model, as people see it. `input` belongs to the call that asked. */
export const givenAnswer = (
  ask: QuestionSpec,
  { option, comment }: Decision,
  words: StoredContent | undefined | null,
  input: unknown,
  say: Say,
): string => {
  if (option !== undefined) return choiceLabels(ask, input, say)[option - 1] ?? "";
  return comment === null ? "" : personText(words, say(ERASED));
};

export const callCommand = (words: StoredContent | undefined, call: string): string | null => {
  const command = words?.kind === "answer" ? fieldIn(callInput(words, call), "command") : null;
  return typeof command === "string" ? command : null;
};

export const agentTasks = (words: StoredContent | undefined, call: string): readonly string[] => {
  const tasks = fieldIn(callInput(words, call), "tasks");
  return Array.isArray(tasks) ? tasks.map((task: unknown) => field(task, "task")) : [];
};

export const briefTask = (task: string): string => clipText(taskLine(task), BRIEF);

export const taskLine = (task: string): string => {
  const [line = ""] = task.trim().split(/[\r\n\u2028\u2029]/, 1);
  return line;
};

/** UTF-16 code units. */
const BRIEF = 80;

export const agentResultText = (words: StoredContent | undefined, call: string | null): string => {
  if (call === null || words?.kind !== "answer") return answerText(words);
  const input = callInput(words, call);
  return field(input, "result") || field(input, "error") || ERASED;
};

const field = (value: unknown, name: string): string => {
  const found = fieldIn(value, name);
  return typeof found === "string" ? found : "";
};

export type DangerPrompt = Omit<DangerContent, "category">;

export const dangerPrompt = (shown: StoredContent | undefined, erased = ERASED): DangerPrompt => {
  const dangers = shown?.kind === "dangers" ? shown.dangers : [];
  const [first] = dangers;
  return {
    what: first?.what ?? erased,
    why: first?.why ?? "",
    risk: [...new Set(dangers.map(({ risk }) => risk))].join("; "),
    changes: [...new Set(dangers.flatMap(({ changes }) => changes))].slice(0, 3),
  };
};
