/** What shells and interpreters run: told in the command, named as a file, or neither. */
import { constantText, scriptText, type Word } from "../../shell/word.ts";
import { type Finding, finding } from "../danger.ts";
import { isHarmlessCode, type Language } from "./inline.ts";
import type { Running } from "./interpreters.ts";
import { madeFindings } from "./made.ts";
import type { Scene } from "../scene.ts";
import { isTame, isUntold } from "../untold.ts";

/** Given by another program: what `find` and `xargs` run has arguments that nobody has seen. */
const FEEDERS: ReadonlySet<string> = new Set(["xargs", "find", "parallel"]);

export const runningFindings = (running: Running, scene: Scene): readonly Finding[] => {
  const { command } = scene;
  const fed = FEEDERS.has(command.via.at(-1) ?? "");
  const { language, code, file, stdin } = running;
  const shown = language === "other" || language === "shell" ? (command.program ?? "") : language;
  const told = (text: readonly Word[]): readonly Finding[] => {
    if (text.some((word) => isUntold(word) && !isTame(word))) return [hidden(shown, "text that is not told")];
    return language === "shell" ? [] : codeFindings(language, text);
  };
  if (code.length > 0) return told(code);
  if (file !== null) {
    const found = fed && (isPattern(file) || constantText(file) === "{}");
    if (found) return [hidden(shown, "every file that is found")];
    const whole = isUntold(file) && file.pieces.length === 1;
    return whole ? [hidden(shown, "a file that is not told")] : madeFindings(file, language, scene);
  }
  if (!stdin) return fed && language === "shell" ? [hidden(shown, "what it is given")] : [];
  if (fed) return [hidden(shown, "what it is given")];
  if (command.input === "pipe") return [hidden(shown, "what is piped into it")];
  return command.stdin === null ? [] : told([command.stdin]);
};

const hidden = (program: string, what: string): Finding =>
  finding("EXEC_ARBITRARY", `${program} runs ${what}`, "high");

const codeFindings = (language: Language, code: readonly Word[]): readonly Finding[] =>
  code.every((word) => isHarmlessCode(language, scriptText(word)))
    ? []
    : [hidden(language === "other" ? "an interpreter" : language, "code that can do more than compute")];

/** A word that the shell makes file names of. */
export const isPattern = ({ pieces }: Word): boolean =>
  pieces.some((piece) => piece.kind === "text" && piece.active && /[*?]|\[.+\]/.test(piece.text));
