export type Container =
  | { readonly kind: "quote" }
  /** Includes the blanks around the marker. Lines of the item are indented by the marker's length. */
  | { readonly kind: "item"; readonly marker: string };

interface ContainerMatch {
  readonly matched: number;
  readonly at: number;
}

/** Deeper markers are text, which limits the cost of a line and of reopening it. */
const MAX_DEPTH = 10;

const QUOTE = { kind: "quote" } as const;

/** `lenient`: unindented lines of a fence still belong to the item, because models forget to indent them. */
export const match = (containers: readonly Container[], line: string, lenient = false): ContainerMatch => {
  let at = 0;
  for (const [index, container] of containers.entries()) {
    if (container.kind === "quote") {
      const end = quoteMark(line, at);
      if (end === -1) return { matched: index, at };
      at = end;
    } else {
      const end = indented(line, at, container.marker.length);
      if (end === -1 && !lenient && !isBlank(line, at)) return { matched: index, at };
      at = end === -1 ? at + leadingBlanks(line, at) : end;
    }
  }
  return { matched: containers.length, at };
};

/** `depth`: number of open containers. `interrupts`: only a list that starts with 1 can interrupt a paragraph. */
export const opening = (
  line: string,
  at: number,
  depth: number,
  interrupts: boolean,
): { readonly opened: readonly Container[]; readonly at: number } => {
  const opened: Container[] = [];
  let from = at;
  while (depth + opened.length < MAX_DEPTH) {
    const quoted = quoteMark(line, from);
    if (quoted !== -1) {
      opened.push(QUOTE);
      from = quoted;
      continue;
    }
    const marker = itemMarker(line, from, interrupts && opened.length === 0);
    if (marker === null) break;
    opened.push({ kind: "item", marker: marker.text });
    from = marker.end;
  }
  return { opened, at: from };
};

export const frame = (containers: readonly Container[]): string =>
  containers
    .map((container) => (container.kind === "quote" ? "> " : " ".repeat(container.marker.length)))
    .join("");

export const isRule = (line: string, at: number): boolean => {
  THEMATIC.lastIndex = at;
  return THEMATIC.test(line);
};

const quoteMark = (line: string, at: number): number => {
  const mark = at + leadingBlanks(line, at);
  if (mark - at > 3 || line[mark] !== ">") return -1;
  return line[mark + 1] === " " ? mark + 2 : mark + 1;
};

const itemMarker = (
  line: string,
  at: number,
  interrupts: boolean,
): { readonly text: string; readonly end: number } | null => {
  ITEM.lastIndex = at;
  const found = ITEM.exec(line);
  if (found === null || isRule(line, at)) return null;
  const [text, mark = ""] = found;
  const end = at + text.length;
  const blanks = leadingBlanks(line, end);
  const empty = line.slice(end).trim() === "";
  if (interrupts && (empty || (/^\d/.test(mark) && !/^1[.)]/.test(mark)))) return null;
  const pad = empty || blanks > 4 ? 1 : blanks;
  return { text: `${text}${" ".repeat(pad)}`, end: Math.min(end + pad, line.length) };
};

/** Skips `columns` columns of blanks; -1 if there are fewer. A tab counts as four. */
const indented = (line: string, at: number, columns: number): number => {
  let seen = 0;
  let end = at;
  for (; seen < columns; end += 1) {
    if (line[end] === " ") seen += 1;
    else if (line[end] === "\t") seen += 4;
    else return -1;
  }
  return end;
};

const isBlank = (line: string, at: number): boolean => {
  const end = at + leadingBlanks(line, at);
  return end === line.length || line.slice(end) === "\r";
};

const leadingBlanks = (line: string, at: number): number => {
  let end = at;
  while (line[end] === " " || line[end] === "\t") end += 1;
  return end - at;
};

const ITEM = / {0,3}([-+*]|\d{1,9}[.)])(?=[ \t]|\r?$)/y;
const THEMATIC = / {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\r?$/y;
