/** Citations in fenced code are ignored. Models cite the repository in code spans and pages in links. */

import { citationKey, type ParsedCitation, parseCitation, parseLink, parseOddName } from "./citation.ts";
import { type Run, tickRuns } from "./markdown/backticks.ts";
import { advance, BLOCK_START } from "./markdown/blocks.ts";
import { withoutEnd } from "./trim-end.ts";

interface Mention extends ParsedCitation {
  /** Range that may become a link, backticks included; null inside other code or a link. */
  readonly whole: { readonly at: number; readonly end: number } | null;
  readonly after: number;
  /** Key of a longer citation, whose name has blanks or brackets. If the checkout has that file, this citation is dropped. */
  readonly within?: string;
}

export const mentionsOf = (text: string): readonly Mention[] => {
  const found: Mention[] = [];
  let place = BLOCK_START;
  let at = 0;
  for (const line of text.split("\n")) {
    place = advance(place, line);
    if (place.leaf.kind !== "fence" && mayCite(line)) inLine(line, at, found);
    at += line.length + 1;
  }
  return found;
};

export const mayCite = (line: string): boolean => MAY_CITE.test(line);

const MAY_CITE = /[:L]\d|https?:\/\//i;

const inLine = (line: string, from: number, found: Mention[]): void => {
  const ticks = tickRuns(line);
  /** Citations since each open bracket: the label of a link if a link ends there. */
  const brackets: { readonly since: number; readonly at: number }[] = [];
  const labels: Label[] = [];
  for (let at = 0; at < line.length; ) {
    const unit = line[at] ?? "";
    if (unit === "`") at = span(line, at, from, ticks.get(at), found);
    else if (unit === "<") at = angle(line, at, from, found);
    else if (unit === "[") {
      brackets.push({ since: found.length, at: at + 1 });
      at += 1;
    } else if (unit === "]") {
      const label = brackets.pop();
      const end = targetEnd(line, at + 1);
      if (label !== undefined && end !== null) {
        const { since } = label;
        while ((labels.at(-1)?.since ?? -1) >= since) labels.pop();
        labels.push({ since, until: found.length, after: from + end });
        const target = line.slice(at + 2, end - 1).replace(/^<(.*)>$/, "$1");
        push(found, parseLink(target, line.slice(label.at, at)), from + end);
      }
      at = end ?? at + 1;
    } else if (SEPARATOR.test(unit)) at += 1;
    else at = bare(line, at, from, found) ?? word(line, at, from, found);
  }
  // Citations inside a link's label are not linked again.
  for (const { since, until, after } of labels)
    for (let index = since; index < until; index += 1) {
      const one = found[index];
      if (one !== undefined) found[index] = { ...one, whole: null, after };
    }
};

interface Label {
  readonly since: number;
  readonly until: number;
  readonly after: number;
}

/** One citation, or code with citations in it. Returns the next offset. */
const span = (line: string, at: number, from: number, run: Run | undefined, found: Mention[]): number => {
  const { length, close } = run ?? { length: 1, close: -1 };
  if (close === -1) return at + length;
  const content = line.slice(at + length, close - length);
  const only = parseCitation(content.trim());
  const after = from + close;
  if (only !== null) found.push({ ...only, whole: { at: from + at, end: after }, after });
  else {
    const odd = parseOddName(content.trim());
    if (odd !== null) found.push({ ...odd, whole: { at: from + at, end: after }, after });
    const within = odd === null ? {} : { within: citationKey(odd) };
    const inside = content.split(/[\s,;()'"]+/).flatMap((one) => parseCitation(trimmed(one)) ?? []);
    for (const one of inside) found.push({ ...one, whole: null, after, ...within });
  }
  return close;
};

/** A page never becomes a link again. */
const push = (found: Mention[], page: ParsedCitation | null, after: number): void => {
  if (page !== null) found.push({ ...page, whole: null, after });
};

const angle = (line: string, at: number, from: number, found: Mention[]): number => {
  ANGLE.lastIndex = at;
  if (!ANGLE.test(line)) return at + 1;
  push(found, parseLink(line.slice(at + 1, ANGLE.lastIndex - 1)), from + ANGLE.lastIndex);
  return ANGLE.lastIndex;
};

const ANGLE = /<[^\s<>]{1,2000}>/y;

const targetEnd = (line: string, at: number): number | null => {
  TARGET.lastIndex = at;
  return TARGET.test(line) ? TARGET.lastIndex : null;
};

const TARGET = /\((?:<[^<>]{0,2000}>|[^()<>]{0,2000})\)/y;

const bare = (line: string, at: number, from: number, found: Mention[]): number | null => {
  BARE.lastIndex = at;
  const address = BARE.exec(line)?.[0];
  if (address === undefined) return null;
  const end = at + withoutEnd(address, ".,:;!?*").length;
  push(found, parseLink(line.slice(at, end)), from + end);
  return at + address.length;
};

const BARE = /https?:\/\/[^\s<>()[\]`"'“”‘’|\\]{1,2000}/iy;

const word = (line: string, at: number, from: number, found: Mention[]): number => {
  WORD.lastIndex = at;
  const [run = line.slice(at, at + 1)] = WORD.exec(line) ?? [];
  const text = trimmed(run);
  const parsed = parseCitation(text);
  // Text after a bracket may be the end of a name that contains brackets.
  const isTail = text.startsWith("/") && /[)\]]/.test(line[at - 1] ?? "");
  const end = from + at + text.length;
  if (parsed === null) return at + run.length;
  const odd = oddNameBefore(line, at, at + text.length);
  // A name inside another citation that may be linked gets no range.
  const place =
    odd === null || (found.at(-1)?.after ?? 0) > from + odd.at ? null : { at: from + odd.at, end };
  const within = odd === null ? {} : { within: citationKey(odd.cited) };
  if (odd !== null) found.push({ ...odd.cited, whole: place, after: end });
  if (!isTail) found.push({ ...parsed, whole: { at: from + at, end }, after: end, ...within });
  return at + run.length;
};

/** A longer name with brackets, commas and equals signs, or with blanks after its directory. */
const oddNameBefore = (
  line: string,
  at: number,
  end: number,
): { readonly cited: ParsedCitation; readonly at: number } | null => {
  const least = Math.max(0, end - MOST_ODD);
  let start = at;
  while (start > least && !endsName(line[start - 1])) start -= 1;
  start += openersOf(line.slice(start, at));
  // `docs/Bug fix.md:3`: goes back to the word with the directory.
  if (!line.slice(start, end).includes("/"))
    for (let words = 0, far = start; words < MOST_WORDS && far > least && line[far - 1] === " "; words += 1) {
      let next = far - 1;
      while (next > least && !endsName(line[next - 1])) next -= 1;
      if (next === far - 1) break;
      next += openersOf(line.slice(next, far - 1));
      if (line.slice(next, far).includes("/")) {
        start = next;
        break;
      }
      far = next;
    }
  if (start >= at) return null;
  const cited = parseOddName(line.slice(start, end));
  return cited === null ? null : { cited, at: start };
};

const endsName = (unit = " "): boolean => ' `<>"“”|\\:\t\r\u00a0\u3000'.includes(unit);

/** Counts leading brackets without a closing one, quotation marks and emphasis. */
const openersOf = (text: string): number => {
  let at = 0;
  for (; at < text.length; at += 1) {
    const each = text[at] ?? "";
    const close = CLOSED_BY[each];
    if (close === undefined ? !"'‘’*_,;=)]}".includes(each) : text.indexOf(close, at) !== -1) break;
  }
  return at;
};

const CLOSED_BY: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** UTF-16 code units of a name, and words after the first one, which contains the directory. */
const MOST_ODD = 200;
const MOST_WORDS = 4;

const trimmed = (text: string): string => withoutEnd(text, ".:");

/** Includes the punctuation of Chinese and Japanese, which is not followed by a blank. */
const SEPARATOR = /[\s`<>()[\]{}"'“”‘’,;|*!?=\\。，、；：！？（）「」『』【】《》]/u;
const WORD = /[^\s`<>()[\]{}"'“”‘’,;|*!?=\\。，、；：！？（）「」『』【】《》]+/uy;
