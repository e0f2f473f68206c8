/** What redirections tell: standard input, the files they open, and words the grammar files under them. */
import { type Reader, readHeredoc, readValue, readWord } from "./expand.ts";
import { groupWords } from "./groups.ts";
import type { Input, Redirect, Scope } from "./command.ts";
import type { Syntax } from "./grammar.ts";
import { constantText, plainWord, type Word } from "./word.ts";

/** The text of the last here-document or here-string among the nodes, or null. */
export const redirectedInput = (nodes: readonly Syntax[], reader: Reader): Word | null => {
  const last = nodes.findLast(({ type }) => type === "heredoc_redirect" || type === "herestring_redirect");
  if (last === undefined) return null;
  if (last.type === "herestring_redirect") {
    const value = last.children.find(({ named }) => named);
    return value === undefined ? null : (readValue(value, reader)[0] ?? null);
  }
  const body = last.children.find(({ type }) => type === "heredoc_body");
  const start = last.children.find(({ type }) => type === "heredoc_start");
  if (body === undefined || start === undefined) return null;
  if (!/["'\\]/.test(reader.source.slice(start.start, start.end))) return readHeredoc(body, reader);
  return plainWord(reader.source.slice(body.start, body.end));
};

/** Arguments that follow a file name (`rm -rf > log /`): the grammar takes them for file names too. */
export const redirectedWords = (nodes: readonly Syntax[], reader: Reader): readonly Word[] =>
  nodes.flatMap((node) =>
    node.type === "file_redirect"
      ? groupWords(
          node.children.filter(({ type, named }) => named && type !== "file_descriptor"),
          reader.source,
        )
          .slice(1)
          .flatMap((group) => readWord(group, reader).flat())
      : [],
  );

/** Where the last redirection of standard input takes it from; null where there is none. */
export const inputOf = (nodes: readonly Syntax[]): Input | null => {
  const last = nodes.findLast(({ type, children }) => INPUTS.has(type) || children.some(isInput));
  if (last === undefined) return null;
  if (INPUTS.has(last.type)) return "text";
  return last.children.some(({ type }) => type === "process_substitution") ? "pipe" : "file";
};

const INPUTS: ReadonlySet<string> = new Set(["heredoc_redirect", "herestring_redirect"]);

const isInput = ({ type }: Syntax): boolean => type === "<" || type === "<&";

/** The files behind a redirection; none where it only copies or closes a descriptor. */
export const readRedirect = (
  node: Syntax,
  reader: Reader,
  { scope, printed }: { readonly scope: Scope; readonly printed: Word | null },
): readonly Redirect[] => {
  const operator = node.children.find(({ named }) => !named)?.type ?? "";
  const [target] = groupWords(
    node.children.filter(({ type, named }) => named && type !== "file_descriptor" && type !== "ERROR"),
    reader.source,
  );
  if (target === undefined || target.some(({ type }) => type === "process_substitution")) return [];
  const descriptor = node.children.find(({ type }) => type === "file_descriptor");
  const isOutput = descriptor === undefined || reader.source.slice(descriptor.start, descriptor.end) === "1";
  const access = operator.startsWith("<") ? "read" : "write";
  const content = access === "write" && isOutput ? printed : null;
  return readWord(target, reader)
    .flat()
    .filter((word) => !(operator.endsWith("&") && DESCRIPTOR.test(constantText(word) ?? "")))
    .map((word): Redirect => ({ kind: "redirect", access, operator, target: word, content, scope }));
};

const DESCRIPTOR = /^(?:\d+-?|-)$/;
