/** What redirections tell: standard input, and the files they open. */
import type { Redirection, Redirect as Written, Word as WrittenWord } from "unbash";
import { type Reader, readHeredoc, readValue, readWord } from "./expand.ts";
import type { Input, Redirect, Scope } from "./command.ts";
import { constantText, plainWord, type Word } from "./word.ts";

/** The text of the last here-document or here-string among them, or null. */
export const redirectedInput = (redirections: readonly Redirection[], reader: Reader): Word | null => {
  const last = redirections.findLast((each) => each.type !== "Redirect");
  if (last === undefined) return null;
  if (last.type === "HereDoc")
    return last.delimiter?.quoted === true ? plainWord(last.body.text) : readHeredoc(last, reader);
  return last.target === undefined ? null : (readValue(last.target, reader)[0] ?? null);
};

/** Where the last redirection of standard input takes it from; null where there is none. */
export const inputOf = (redirections: readonly Redirection[]): Input | null => {
  const last = redirections.findLast((each) => each.type !== "Redirect" || INPUTS.has(each.operator));
  if (last === undefined) return null;
  if (last.type !== "Redirect") return "text";
  return isProcess(last.target) ? "pipe" : "file";
};

const INPUTS: ReadonlySet<string> = new Set(["<", "<&"]);

const isProcess = (word: WrittenWord | undefined): boolean =>
  word?.parts?.some(({ type }) => type === "ProcessSubstitution") === true;

/** The files behind a redirection; none where it only copies or closes a descriptor. */
export const readRedirect = (
  { operator: written, target, descriptor }: Written,
  reader: Reader,
  { scope, printed }: { readonly scope: Scope; readonly printed: Word | null },
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
    return words.map(
      (word): Redirect => ({ kind: "redirect", access, operator, target: word, content, scope }),
    );
  });
};

const DESCRIPTOR = /^(?:\d+-?|-)$/;
