/** The project's own scripts: read where their text is known, judged by their name where it is not. */
import { constantText, type Word } from "../shell/word.ts";
import { type Finding, finding } from "../danger/danger.ts";
import type { Memory, Scene } from "../danger/scene.ts";

/** What `npm run NAME` does, the scripts before and after it included. */
export const scriptFindings = (name: string, { memory }: Scene): readonly Finding[] => {
  const { scripts } = memory.facts;
  return [
    ...[`pre${name}`, name, `post${name}`].flatMap((each) => reading("script", each, scripts, memory)),
    ...(scripts.has(name) ? [] : byName(name)),
  ];
};

export const makeFindings = (operands: readonly Word[], { memory }: Scene): readonly Finding[] => {
  const { targets } = memory.facts;
  const names = operands.map((word) => constantText(word) ?? "").filter((name) => !name.includes("="));
  return (names.length === 0 ? [""] : names).flatMap((name) =>
    targets.has(name) ? reading("target", name, targets, memory) : byName(name),
  );
};

const reading = (
  kind: string,
  name: string,
  texts: ReadonlyMap<string, string>,
  memory: Memory,
): readonly Finding[] => {
  const text = texts.get(name);
  return text === undefined ? [] : memory.judge(`${kind} ${name}`, text);
};

const byName = (name: string): readonly Finding[] =>
  PUBLISHING.test(name) ? [finding("GIT_PUBLISH", `runs the script ${name}`)] : [];

const PUBLISHING = /^(?:release|publish|deploy)(?::[\w:-]+)?$/;
