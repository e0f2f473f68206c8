/** How well questions are known again: of the labelled ones, how many paraphrases, and how many others. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formOf, type QuestionForm, termsIn } from "../../src/text/questions/form.ts";
import { compare } from "../../src/text/questions/same.ts";

/** One project of `questions`; see the text there. */
export interface Project {
  readonly name: string;
  readonly names: readonly string[];
  readonly topics: readonly Topic[];
}

export interface Topic {
  readonly question: string;
  readonly answer: string;
  readonly paraphrases: readonly string[];
  readonly nearMisses: readonly string[];
}

export interface KnownAgain {
  readonly paraphrases: number;
  /** Of them those that get the answer of their own topic. */
  readonly reused: number;
  /** Paraphrases and near misses. */
  readonly asked: number;
  /** Of these, those that get an answer to something else. */
  readonly wrong: number;
  /** Of these, near misses. */
  readonly misled: number;
}

const FOLDER = join(import.meta.dirname, "questions");
const LATER = join(import.meta.dirname, "later");
const TUNED: ReadonlySet<string> = new Set(["discordjs", "fastapi", "immich", "paper", "vite"]);

export const projects = (lot: "tuned" | "heldOut" | "later"): readonly Project[] =>
  lot === "later"
    ? projectsIn(LATER)
    : projectsIn(FOLDER).filter(({ name }) => TUNED.has(name) === (lot === "tuned"));

const projectsIn = (folder: string): readonly Project[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .map((file) => projectIn(file.slice(0, -4), readFileSync(join(folder, file), "utf8")));

const projectIn = (name: string, text: string): Project => {
  const [head = "", ...blocks] = text.split(/\n{2,}/);
  return {
    name,
    names: head.slice(2).trim().split("/"),
    topics: blocks.map((block) => {
      const lines = block.split("\n");
      const marked = (mark: string): readonly string[] =>
        lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
      const [question = ""] = marked("= ");
      const [answer = ""] = marked("> ");
      return { question, answer, paraphrases: marked("+ "), nearMisses: marked("- ") };
    }),
  };
};

export const knownAgain = (all: readonly Project[]): KnownAgain => {
  const sum = { paraphrases: 0, reused: 0, asked: 0, wrong: 0, misled: 0 };
  for (const { names, topics } of all) {
    const known = topics.map(({ question, answer }) => ({
      form: formOf(question, names),
      terms: termsIn(answer),
    }));
    const answeredBy = (asked: string): ReadonlySet<number> => {
      const form: QuestionForm = formOf(asked, names);
      return new Set(
        known.flatMap((one, index) => (compare(one.form, form, () => one.terms) === null ? [] : [index])),
      );
    };
    for (const [index, { paraphrases, nearMisses }] of topics.entries()) {
      for (const asked of paraphrases) {
        const by = answeredBy(asked);
        sum.paraphrases += 1;
        sum.reused += by.has(index) ? 1 : 0;
        sum.wrong += by.size > (by.has(index) ? 1 : 0) ? 1 : 0;
      }
      for (const asked of nearMisses) {
        const by = answeredBy(asked);
        sum.wrong += by.size > 0 ? 1 : 0;
        sum.misled += by.size > 0 ? 1 : 0;
      }
      sum.asked += paraphrases.length + nearMisses.length;
    }
  }
  return sum;
};
