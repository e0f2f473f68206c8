/** What redirections tell of a command: its standard input, and words the grammar files under them. */
import { type Reader, readHeredoc, readValue, readWord } from "./expand.ts";
import { groupWords } from "./groups.ts";
import type { Syntax } from "./syntax.ts";
import type { Word } from "./word.ts";

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
  const text = reader.source.slice(body.start, body.end);
  return { pieces: [{ kind: "text", text, active: false }] };
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
