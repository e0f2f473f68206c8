/** `text`: the comment without its signs, on one line. `line`: number of the first line, from 1. */
export interface CommentBlock {
  readonly line: number;
  readonly text: string;
}

/** Comments that have lines for themselves, in TypeScript and C. A run of lines with `//` is one block. */
export const commentsIn = (source: string): readonly CommentBlock[] => {
  const found: CommentBlock[] = [];
  let current: { readonly line: number; readonly parts: string[] } | null = null;
  let isOpen = false;
  const end = (): void => {
    const text = current?.parts.join(" ").replaceAll(/\s+/g, " ").trim() ?? "";
    if (current !== null && text !== "") found.push({ line: current.line, text });
    current = null;
  };
  for (const [index, raw] of source.split("\n").entries()) {
    const line = raw.trim();
    const begins: boolean = !isOpen && line.startsWith("/*");
    if (begins) {
      end();
      current = { line: index + 1, parts: [] };
    }
    if (begins || isOpen) {
      const body: string = begins ? line.replace(/^\/\*+/, "") : line;
      const close: number = body.indexOf("*/");
      current?.parts.push((close === -1 ? body : body.slice(0, close)).replace(/^\*+/, "").trim());
      isOpen = close === -1;
      if (!isOpen) end();
    } else if (line.startsWith("//")) {
      current ??= { line: index + 1, parts: [] };
      current.parts.push(line.replace(/^\/+/, "").trim());
    } else end();
  }
  end();
  return found;
};
