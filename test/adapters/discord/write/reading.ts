/**
 * A message as Discord's client shows it, read without any code of the product: its grammar is a list of patterns that are tried in
 * order at each place, the longest of bold, italic and underline first. Emphasis that began before a code span ends inside of it.
 */

export interface Seen {
  /** One UTF-16 code unit, or the whole of a mention, a time or a link's address. */
  readonly text: string;
  /** What the unit stands in, sorted: `block`, `bold`, `code`, `heading`, `italic`, `link`, `quote`, `small`, `spoiler`, `strike`, `under`. */
  readonly marks: readonly string[];
}

/** `lists`: items bound what is opened inside of them. Sources differ about that, so properties hold for both. */
export const seenOn = (text: string, lists: boolean): readonly Seen[] => {
  const out: Seen[] = [];
  read(text, [], { isBlock: true, lists }, out);
  return out;
};

interface Place {
  /** Lines of their own are read: quotes, headings, small print. */
  readonly isBlock: boolean;
  readonly lists: boolean;
}

type Marks = readonly string[];
type Rule = (rest: string, marks: Marks, place: Place, out: Seen[]) => number;

const read = (text: string, marks: Marks, place: Place, out: Seen[]): void => {
  let isAtStart = true;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const rules = place.isBlock && isAtStart ? [...BLOCKS, ...INLINES] : INLINES;
    let taken = 0;
    for (const rule of rules) {
      taken = rule(rest, marks, place, out);
      if (taken > 0) break;
    }
    if (taken === 0) {
      taken = 1;
      put(rest.slice(0, 1), marks, out);
    }
    at += taken;
    isAtStart = text[at - 1] === "\n";
  }
};

const put = (text: string, marks: Marks, out: Seen[]): void => {
  for (const unit of text.split("")) out.push({ text: unit, marks });
};

const within = (marks: Marks, mark: string): Marks => [...new Set([...marks, mark])].toSorted();

const spanOf =
  (pattern: RegExp, mark: string, isBlock = false): Rule =>
  (rest, marks, place, out) => {
    const found = pattern.exec(rest);
    const inner = found?.slice(1).find((one) => one !== undefined);
    if (found === null || inner === undefined) return 0;
    read(inner, within(marks, mark), { ...place, isBlock: isBlock && place.isBlock }, out);
    return found[0].length;
  };

const quote: Rule = (rest, marks, place, out) => {
  if (marks.includes("quote")) return 0;
  const [whole, all, lines] = /^ *>>> ?([^]*)|^( *> [^\n]*(?:\n *> [^\n]*)*\n?)/.exec(rest) ?? [];
  if (whole === undefined) return 0;
  read(all ?? (lines ?? "").replaceAll(/^ *> /gm, ""), within(marks, "quote"), place, out);
  return whole.length;
};

const item: Rule = (rest, marks, place, out) => {
  if (!place.lists) return 0;
  const [whole, mark = "", inner = ""] = /^( *(?:[*-]|\d+\.) )([^\n]+(?:\n+ +[^\n]*)*)/.exec(rest) ?? [];
  if (whole === undefined) return 0;
  put(mark, marks, out);
  read(inner, marks, { ...place, isBlock: false }, out);
  return whole.length;
};

const BLOCKS: readonly Rule[] = [
  quote,
  spanOf(/^ *#{1,3}[ \t]+([^\n]+?)#*\s*(?:\n|$)/, "heading"),
  spanOf(/^-#[ \t]+([^\n]+?)\s*(?:\n|$)/, "small"),
  item,
];

const block: Rule = (rest, marks, _, out) => {
  const found = /^```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n][^]*?)\n*```/i.exec(rest);
  if (found === null) return 0;
  put(found[1] ?? "", within(marks, "block"), out);
  return found[0].length;
};

const escape: Rule = (rest, marks, _, out) => {
  const found = /^\\([^0-9A-Za-z\s])/.exec(rest);
  if (found === null) return 0;
  put(found[1] ?? "", marks, out);
  return 2;
};

const object: Rule = (rest, marks, _, out) => {
  const [found] =
    /^<(?:@[!&]?\d+|#\d+|t:\d+(?::[tTdDfFR])?|a?:\w+:\d+|\/[^\n>]+:\d+|[^: >]+:\/[^ >]+)>/.exec(rest) ?? [];
  if (found === undefined) return 0;
  out.push({ text: found, marks });
  return found.length;
};

const link: Rule = (rest, marks, place, out) => {
  const found =
    /^\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['"][^]*?['"])?\s*\)/.exec(
      rest,
    );
  if (found === null) return 0;
  const [whole, label = "", address = ""] = found;
  read(label, within(marks, "link"), { ...place, isBlock: false }, out);
  out.push({ text: address, marks: within(marks, "link") });
  return whole.length;
};

const EMPHASES: readonly (readonly [RegExp, string])[] = [
  [
    /^\b_((?:__|\\[^]|[^\\_])+?)_\b|^\*(?=\S)((?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/,
    "italic",
  ],
  [/^\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/, "bold"],
  [/^__((?:\\[^]|[^\\])+?)__(?!_)/, "under"],
];

const emphasis: Rule = (rest, marks, place, out) => {
  const [best] = EMPHASES.map(([pattern, mark]) => ({
    rule: spanOf(pattern, mark),
    found: pattern.exec(rest),
  }))
    .filter(({ found }) => found !== null)
    .toSorted((a, b) => (b.found?.[0].length ?? 0) - (a.found?.[0].length ?? 0));
  return best === undefined ? 0 : best.rule(rest, marks, place, out);
};

const span: Rule = (rest, marks, _, out) => {
  const found = /^(`+)([^]*?[^`])\1(?!`)/.exec(rest);
  if (found === null) return 0;
  put(found[2] ?? "", within(marks, "code"), out);
  return found[0].length;
};

const INLINES: readonly Rule[] = [
  block,
  escape,
  object,
  link,
  emphasis,
  spanOf(/^~~([^]+?)~~(?!_)/, "strike"),
  span,
  spanOf(/^\|\|([^]+?)\|\|/, "spoiler"),
];
