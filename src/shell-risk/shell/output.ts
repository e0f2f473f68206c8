/** What a command prints, for the few whose arguments say it: `echo`, `printf`, `find`, `which`, bare `cat` and `ls`. */
import { decodeEscapes } from "./text.ts";
import { foundPaths } from "./find.ts";
import { constantText, joinWords, leadingText, plainWord, type Word } from "./word.ts";

/** The output, or null when it cannot be told from the words and the standard input. */
export const constantOutput = (words: readonly Word[], stdin: Word | null): Word | null => {
  const [program, ...args] = words;
  const name = program === undefined ? null : constantText(program);
  if (name === "echo") return echoed(args);
  if (name === "printf") return printed(args);
  if (name !== null && SILENT.has(name)) return plainWord("");
  if (name === "cat" && args.every((word) => constantText(word) === "/dev/null") && args.length > 0) {
    return plainWord("");
  }
  if (name === "cat" || name === "tee") {
    return args.every((word) => leadingText(word).startsWith("-")) || name === "tee" ? stdin : null;
  }
  if (name === "which" || (name === "command" && args[0] !== undefined && constantText(args[0]) === "-v")) {
    return located(name === "which" ? args : args.slice(1));
  }
  if (name === "find") return joinWords(foundPaths(args), "\n");
  return name === "ls" && args.every((word) => leadingText(word).startsWith("-")) ? EVERYTHING : null;
};

/** Where a program is: its name says as much. */
const located = (names: readonly Word[]): Word | null => {
  const [name, ...more] = names;
  return name === undefined || more.length > 0 || leadingText(name).startsWith("-") ? null : name;
};

const SILENT: ReadonlySet<string> = new Set([":", "true", "false"]);

/** A bare `ls` lists what `*` matches. */
const EVERYTHING: Word = { pieces: [{ kind: "text", text: "*", active: true }] };

const echoed = (args: readonly Word[]): Word => {
  const start = args.findIndex((word) => !/^-[neE]+$/.test(constantText(word) ?? ""));
  const rest = start === -1 ? [] : args.slice(start);
  const escapes = args.slice(0, start).some((word) => leadingText(word).includes("e"));
  const line = joinWords(rest, " ");
  return inactive(line, escapes ? decodeEscapes : (text) => text);
};

/** A format with directives prints its arguments; one without prints itself. */
const printed = (args: readonly Word[]): Word => {
  const [format, ...rest] = args[0] !== undefined && constantText(args[0]) === "--" ? args.slice(1) : args;
  if (format === undefined) return plainWord("");
  const text = constantText(format);
  if (text !== null && /%[^%]/.test(text) && rest.length > 0) {
    const separator = /\s/.test(decodeEscapes(text)) ? "\n" : "";
    return inactive(joinWords(rest, separator), (value) => value);
  }
  return inactive(format, (value) => decodeEscapes(value).replaceAll("%%", "%"));
};

const inactive = (word: Word, decode: (text: string) => string): Word => ({
  pieces: word.pieces.map((piece) =>
    piece.kind === "text" ? { kind: "text", text: decode(piece.text), active: false } : piece,
  ),
});
