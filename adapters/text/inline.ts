/**
 * inline(line): neutralizes one line of model text outside of fences. Pure and linear.
 *
 * Every Markdown parser reads the output alike: code spans close on their line, and all other backticks, tags
 * and starts of links are escaped. So text that remains as code here is never text elsewhere.
 */

import { tickRuns } from "../../src/text/markdown/backticks.ts";
import { bareEnd, sameLink } from "../../src/text/links.ts";
import { type LinkAddress, linkAddressOf, defang } from "./address.ts";
import { BREAK, codeSpan } from "./code.ts";
import { firstCodePoints } from "../../src/text/grapheme.ts";

/** `links`: the only permitted link addresses, in the form of `sameLink`; absent if all are permitted. */
export const inline = (text: string, links?: Links): string => {
  const ticks = tickRuns(text);
  const out = createOutput(links);
  for (let at = 0; at < text.length; ) {
    at = step(text, at, ticks, out);
  }
  return out.text();
};

export type Links = ReadonlySet<string>;

type Ticks = ReturnType<typeof tickRuns>;

/** Writes the token at `at`; returns the index after it. */
const step = (text: string, at: number, ticks: Ticks, out: Output): number => {
  switch (text[at] ?? "") {
    case "\\":
      return escape(text, at, out);
    case "`":
      return code(text, at, ticks, out);
    case "<":
      return angle(text, at, out);
    case "!":
      if (text[at + 1] !== "[") break;
      out.open(at + 2, true);
      return at + 2;
    case "[":
      out.open(at + 1, false);
      return at + 1;
    case "]":
      return bracket(text, at, out);
    case "&":
      out.write(ENTITY.test(text.slice(at, at + 40)) ? "\\&" : "&");
      return at + 1;
    case "|":
      if (text[at + 1] !== "|") break;
      // Discord hides everything up to the next pair, including lines of the host (WD8).
      out.write(TABLE_ROW.test(text) ? "| " : "\\|");
      return at + 1;
    case "@":
      out.write(/^@(?:everyone|here|channel|group)/i.test(text.slice(at, at + 9)) ? `@${BREAK}` : "@");
      return at + 1;
    case "h":
    case "H":
      if (!/^https?:\/\//i.test(text.slice(at, at + 8))) break;
      return bare(text, at, out);
  }
  PLAIN.lastIndex = at + 1;
  const end = PLAIN.test(text) ? PLAIN.lastIndex : at + 1;
  out.write(defang(text.slice(at, end)));
  return end;
};

/** Characters before the next character that may start a token. */
const PLAIN = /[^\\`<![\]&@|hH]*/y;

/** In a table row an empty cell becomes a blank, because an escaped bar would join two cells. */
const TABLE_ROW = /^[\s>]*\|/;

/** A character reference, which could produce any character, for example a mark of the host. */
const ENTITY = /^&(?!(?:amp|lt|gt|quot|apos|nbsp);)(?:#\w{1,10}|\w{2,32});/;

const escape = (text: string, at: number, out: Output): number => {
  const next = text[at + 1] ?? "";
  const isEscape = /[!-/:-@[-`{-~]/.test(next);
  if (!isEscape) {
    out.write("\\");
    return at + 1;
  }
  // Platforms read mentions and Slack's sequences before escapes, so the escape is ignored here.
  if (next === "@" || isAngle(text, at + 1)) return at + 1;
  out.write(`\\${next}`);
  return at + 2;
};

const code = (text: string, at: number, ticks: Ticks, out: Output): number => {
  const { length, close } = ticks.get(at) ?? { length: 1, close: -1 };
  const span = close === -1 ? null : codeSpan(text.slice(at + length, close - length));
  if (span === null) {
    out.write("\\`".repeat(length));
    return at + length;
  }
  out.structure(span);
  return close;
};

/** Handles autolinks, Slack's links and mentions, tags and comments. */
const angle = (text: string, at: number, out: Output): number => {
  ANGLE.lastIndex = at;
  const found = ANGLE.exec(text);
  if (found === null) {
    out.write("<");
    return at + 1;
  }
  const [all, target, label, kind = "", id] = found;
  if (id !== undefined) out.structure(`${kind.startsWith("#") ? "#" : "@"}${id}`);
  else if (target === undefined) out.structure(`@${BREAK}${/\w+/.exec(all)?.[0] ?? ""}`);
  else if (label === undefined) out.structure(shown(target, out.links));
  else out.structure(labelled(inline(label, out.links), label, target, out.links));
  return at + all.length;
};

const isAngle = (text: string, at: number): boolean => {
  ANGLE.lastIndex = at;
  return ANGLE.test(text);
};

const ANGLE =
  /<(?:([Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s<>|]{1,2000})(?:\|([^<>]{0,500}))?|(@[!&]?|#|!subteam\^)([A-Z0-9]{2,40})(?:\|[^<>]{0,200})?|!(?:everyone|here|channel|group)(?:\|[^<>]{0,200})?)>/y;

const bare = (text: string, at: number, out: Output): number => {
  const end = at + bareEnd(text.slice(at, at + 2_000));
  const target = text.slice(at, end);
  if (linkAddressOf(target) === null) {
    const scheme = text.indexOf(":", at) + 1;
    out.write(`${text.slice(at, scheme)}\\/`);
    return scheme + 1;
  }
  out.structure(shown(target, out.links));
  return end;
};

/** Handles `](`, the end of a link's label, which is escaped otherwise; `]:` would define a link. */
const bracket = (text: string, at: number, out: Output): number => {
  const label = out.close();
  const next = text[at + 1] ?? "";
  if (next === "(") {
    TARGET.lastIndex = at + 1;
    const found = label === null || at - label.from > MAX_LABEL ? null : TARGET.exec(text);
    if (label === null || found === null) {
      out.write("]\\(");
      return at + 2;
    }
    const target = (found[1] ?? "").replace(/^<(.*)>$/, "$1").replaceAll("&amp;", "&");
    const written = out.take(label);
    out.structure(labelled(written, text.slice(label.from, at), target, out.links, label.isImage));
    return at + found[0].length + 1;
  }
  out.write(next === ":" ? "]\\:" : "]");
  return next === ":" ? at + 2 : at + 1;
};

/** Longer labels count as text, which limits the cost of nested labels. */
const MAX_LABEL = 2_000;

const TARGET =
  /\(\s{0,9}(<[^<>]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500}){0,4})(?:\s{1,9}(?:"[^"]{0,300}"|'[^']{0,300}'|\([^()]{0,300}\)))?\s{0,9}\)/y;

/** Null if the target must not be a link. */
const linkTo = (target: string, links: Links | undefined): LinkAddress | null => {
  const address = linkAddressOf(target);
  return links === undefined || address?.isInvite === true || links.has(sameLink(target) ?? "")
    ? address
    : null;
};

const shown = (target: string, links?: Links): string => {
  const address = linkTo(target, links);
  if (address === null) return inert(target);
  return address.isInvite ? inert(target.replace(/^https?:\/\//i, "")) : `<${address.href}>`;
};

/** Returns `text ([host](<url>))`, so that the clickable part names exactly the real host. */
const labelled = (
  written: string,
  label: string,
  target: string,
  links: Links | undefined,
  isImage = false,
): string => {
  const address = linkTo(target, links);
  const text = written.trim();
  if (target === "") return text;
  if (address === null || address.isInvite) {
    const dead = address === null ? inert(target) : shown(target);
    return text === "" || label === target ? dead : `${text} (${dead})`;
  }
  if (label.trim() === target) return shown(target, links);
  const link = `[${address.host}](<${address.href}>)`;
  if (label.trim() === address.host && !isImage) return link;
  const named = isImage ? `image: ${link}` : link;
  return text === "" ? (isImage ? `image ${link}` : link) : `${text} (${named})`;
};

const inert = (target: string): string => {
  const short = firstCodePoints(target, MAX_INERT);
  return codeSpan(`${short}${short === target ? "" : "…"}`.replaceAll("|", "%7C")) ?? "";
};

const MAX_INERT = 200;

interface Label {
  /** Start of the label in the text. */
  readonly from: number;
  /** Start of the label's output. */
  readonly index: number;
  readonly isImage: boolean;
}

/** `isWhole`: must remain as written, so that no earlier part may escape or join this part. */
interface Part {
  readonly text: string;
  readonly isWhole: boolean;
}

type Output = ReturnType<typeof createOutput>;

/** Collects parts. Separators are added at the end, because a label may be removed until then. */
const createOutput = (links: Links | undefined) => {
  const parts: Part[] = [];
  const labels: Label[] = [];
  const push = (text: string, isWhole: boolean): void => {
    if (text !== "") parts.push({ text, isWhole });
  };
  return {
    links,
    write: (text: string) => push(text, false),
    structure: (text: string) => push(text, true),
    open: (from: number, isImage: boolean) => {
      labels.push({ from, index: parts.length, isImage });
      push(isImage ? "!\\[" : "[", false);
    },
    close: (): Label | null => labels.pop() ?? null,
    /** Removes a label's output and returns it. */
    take: ({ index }: Label): string => joined(parts.splice(index).slice(1)),
    text: (): string => joined(parts),
  };
};

const joined = (parts: readonly Part[]): string =>
  parts
    .map(({ text, isWhole }, index) => {
      const before = parts[index - 1]?.text ?? "";
      const after = parts[index + 1]?.text[0] ?? "";
      return `${between(before, { text, isWhole })}${text === "<" && BEGINS_TAG.test(after) ? "\\<" : text}`;
    })
    .join("");

/** Characters after `<` that a platform may read as a tag, a mention or an escape. */
const BEGINS_TAG = /[\w/!?@#:^$%&<\\]/;

const between = (before: string, { text, isWhole }: Part): string => {
  const last = before.at(-1) ?? "";
  const first = text[0] ?? "";
  // Slack knows no escapes and would read `\\<@` as a mention.
  if (last === "<" && /[@#!]/.test(first)) return isWhole ? " " : BREAK;
  if (!isWhole) return "";
  if (before === "\\") return "\\";
  return joins(last, first) ? " " : "";
};

/** Whether two characters that become neighbors could be read as another token. */
const joins = (before: string, first: string): boolean => {
  if (before === "") return false;
  if (first === "`" || first === "<") return before === first;
  if (first === "[") return before === "!";
  return /[\w@<:/\]!`#&.]/.test(before);
};
