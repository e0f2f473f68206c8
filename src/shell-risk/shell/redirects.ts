import type {
  Command,
  HereDoc,
  HereString,
  Redirection,
  Redirect as Written,
  Word as WrittenWord,
} from "unbash";
import { commandWords, type ExpansionContext, readHeredoc, readValue, readWord } from "./expand.ts";
import type { StandardInput, Redirect } from "./command.ts";
import { constantText, EMPTY, joinWords, leadingText, plainWord, type Word } from "./word.ts";

/** Returns the last source of standard input, and the last text, which may belong to a copied descriptor. */
export const readRedirectedInput = (
  redirections: readonly Redirection[],
  reader: ExpansionContext,
): Partial<StandardInput> => {
  const inputs = redirections.filter(isInput);
  const last = inputs.at(-1);
  if (last === undefined) return {};
  const isCopy = inputs.some(({ operator }) => operator === "<&");
  const text = (isCopy ? redirections : inputs).findLast((each) => each.type !== "Redirect");
  const isUntold = last.operator === "<&" && text === undefined && last.target?.text !== "0";
  const input = last.type !== "Redirect" ? "text" : isUntold || isProcess(last.target) ? "pipe" : "file";
  return { input, ...(text === undefined ? {} : { stdin: readText(text, reader) }) };
};

const readText = (written: HereDoc | HereString, reader: ExpansionContext): Word | null => {
  if (written.type === "HereString")
    return written.target === undefined ? null : (readValue(written.target, reader)[0] ?? null);
  // The text is unknown in a fragment that ends before the text.
  if (written.closing === undefined && written.body.text === "") return null;
  return written.delimiter?.quoted === true ? plainWord(written.body.text) : readHeredoc(written, reader);
};

const isInput = ({ operator, descriptor }: Redirection): boolean =>
  operator.startsWith("<") &&
  (descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0));

const isProcess = (word: WrittenWord | undefined): boolean =>
  word?.parts?.some(({ type }) => type === "ProcessSubstitution") === true;

/** Returns the files behind a redirection; no files if the redirection only copies or closes a descriptor. */
export const readRedirect = (
  { operator: written, target, descriptor }: Written,
  reader: ExpansionContext,
  printed: Word | null,
): readonly Redirect[] => {
  if (target === undefined || isProcess(target)) return [];
  const isOutput =
    descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 1);
  const words = readWord(target, reader)
    .flat()
    .filter((word) => !(written.endsWith("&") && DESCRIPTOR.test(constantText(word) ?? "")));
  return (written === "<>" ? ["<", ">>"] : [written]).flatMap((operator) => {
    const access = operator.startsWith("<") ? "read" : "write";
    const content = access === "write" && isOutput ? printed : null;
    return words.map((word): Redirect => ({ kind: "redirect", access, operator, target: word, content }));
  });
};

/**
 * Text that a command writes to its output, for the few commands by which agents write a script before running it, and for
 * commands that empty a file. Null for all other commands. 13 of 514 commands of agents need this rule.
 */
export const writtenText = (command: Command, reader: ExpansionContext, stdin: Word | null): Word | null => {
  const [name = EMPTY, ...args] = commandWords(command, reader);
  const [first = EMPTY, ...rest] = args;
  switch (constantText(name) ?? "") {
    case ":":
    case "true":
      return EMPTY;
    case "cat":
      if (constantText(first) === "/dev/null") return rest.length === 0 ? EMPTY : null;
      return args.every((word) => leadingText(word).startsWith("-")) ? stdin : null;
    case "echo":
      if (!leadingText(first).startsWith("-")) return joinWords(args, " ");
      return constantText(first) === "-n" ? joinWords(rest, " ") : null;
    case "printf":
      return constantText(first) === "%s\\n" ? joinWords(rest, "\n") : null;
    default:
      return null;
  }
};

const DESCRIPTOR = /^(?:\d+-?|-)$/;
