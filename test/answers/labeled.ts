/** The labeled questions; see `questions/README.md`. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Project {
  readonly name: string;
  readonly topics: readonly Topic[];
}

export interface Topic {
  readonly question: string;
  readonly answer: string;
  readonly paraphrases: readonly string[];
  readonly nearMisses: readonly string[];
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
  const [, ...blocks] = text.split(/\n{2,}/);
  return {
    name,
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
