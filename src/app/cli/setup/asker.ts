/** Two ways to answer the questions of setup: a person in a terminal, or options and environment alone. */

import { setTimeout } from "node:timers/promises";
import type { SetupAsker, SetupQuestion } from "../../../ports/platform-setup.ts";
import { shownSetting } from "./env-changes.ts";
import { answerName } from "./setup-options.ts";
import { asSentence, SetupStopped } from "./setup-stopped.ts";
import type { Terminal } from "./terminal.ts";

export interface AnswerSources {
  /** Value of an option or of the environment; null if there is none. */
  readonly given: (name: string) => string | null;
  /** Value in `.env`, offered as the default. */
  readonly stored: (name: string) => string | null;
}

/** Milliseconds between two looks while waiting. */
const PAUSE = 2_000;

/** `terminal`: null if nobody can answer. */
export const createAsker = (sources: AnswerSources, terminal: Terminal | null): SetupAsker => ({
  isInteractive: terminal !== null,
  print: (line) => (terminal === null ? console.log(line) : terminal.print(line)),
  ask: (question) =>
    terminal === null ? askSources(sources, question) : askPerson(sources, question, terminal),
  wait: (text, within, look) =>
    terminal === null ? waitWithin(text, within, look) : waitForPerson(text, look, terminal),
});

const askSources = async <T>({ given, stored }: AnswerSources, question: SetupQuestion<T>): Promise<T> => {
  const { name, check } = question;
  const answer = given(name) ?? stored(name) ?? question.fallback ?? null;
  if (answer === null) throw new SetupStopped(missingAnswers([name]));
  const checked = await check(answer);
  if (checked.kind === "refused") throw new SetupStopped(asSentence(checked.why));
  if (checked.note !== undefined) console.log(checked.note);
  return checked.value;
};

export const missingAnswers = (names: readonly string[]): string =>
  `Nobody can answer here, so pass ${names.map(answerName).join(" and ")}.`;

const askPerson = async <T>(
  { given, stored }: AnswerSources,
  question: SetupQuestion<T>,
  terminal: Terminal,
): Promise<T> => {
  const { name, text, choices = [], check } = question;
  const usual = stored(name) ?? question.fallback ?? null;
  const isSecret = (line: string): boolean => question.secret === true || looksSecret(line);
  let answer = given(name);
  for (const [index, choice] of choices.entries()) terminal.print(`  ${index + 1}) ${choice.text}`);
  for (;;) {
    const hint = usual === null ? "" : ` [${isSecret(usual) ? shownSetting("_TOKEN", usual) : usual}]`;
    const line = answer ?? (await terminal.readLine(`${text}${hint}: `, isSecret)).trim();
    answer = null;
    const value = chosen(line, choices) ?? (line === "" ? usual : line);
    if (value === null) continue;
    const checked = await check(value);
    if (checked.kind === "valid") {
      if (checked.note !== undefined) terminal.print(checked.note);
      return checked.value;
    }
    terminal.print(asSentence(checked.why));
    terminal.dropPasted();
  }
};

const chosen = (line: string, choices: SetupQuestion<unknown>["choices"]): string | null =>
  /^\d{1,2}$/.test(line) ? (choices?.[Number(line) - 1]?.value ?? null) : null;

/** Whether a line may be a token, wherever the person pastes it. */
export const looksSecret = (line: string): boolean =>
  /(?:^|\s)(?:sk-|AIza|gh[pousr]_|github_pat_|glpat-|x(?:ox|app|oxe)[a-z]?[.-])/.test(line) ||
  /(?:^|\s)[\w.-]{32,}(?:\s|$)/.test(line);

const waitForPerson = async <T>(
  text: string,
  look: () => Promise<T | null>,
  terminal: Terminal,
): Promise<T | null> => {
  const first = await look();
  if (first !== null) return first;
  terminal.print(`${text} (Enter continues without it)`);
  const over = new AbortController();
  const skipped = terminal.pressEnter(over.signal).then(() => over.abort());
  try {
    return await lookUntil(look, over.signal);
  } finally {
    over.abort();
    await skipped;
  }
};

const waitWithin = async <T>(
  text: string,
  within: number,
  look: () => Promise<T | null>,
): Promise<T | null> => {
  const first = await look();
  if (first !== null) return first;
  console.log(text);
  return lookUntil(look, AbortSignal.timeout(within));
};

const lookUntil = async <T>(look: () => Promise<T | null>, signal: AbortSignal): Promise<T | null> => {
  while (!signal.aborted) {
    await setTimeout(PAUSE, null, { signal }).catch(() => null);
    const found = signal.aborted ? null : await look();
    if (found !== null) return found;
  }
  return null;
};
