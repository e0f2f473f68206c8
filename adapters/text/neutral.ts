/** Model text line by line: fences in one form that every platform reads alike, all else through `inline`. Pure. */

import {
  advance,
  type BlockPosition,
  markerRunAt,
  BLOCK_START,
  staysIn,
} from "../../src/text/markdown/blocks.ts";
import { codeLine } from "./code.ts";
import { frame, match } from "../../src/text/markdown/containers.ts";
import { inline } from "./inline.ts";
import { showAll } from "../../src/text/invisible.ts";

/**
 * Model text that can do nothing in a chat but be read. Still Markdown; line by line, so that text that only grew
 * keeps all its lines but the last.
 *
 * - Mentions ping nobody: `<@U1>` becomes `@U1`; `@everyone`, `@here`, `@channel`, `@group` get a zero-width space.
 * - Links name their real host and only that can be clicked: `text ([host](<url>))`; bare ones stand in angle brackets
 *   (no embeds), user names in them are dropped, hosts are in ASCII. An image is a link. Anything but http and https,
 *   and every invite, is shown as code.
 * - No HTML: tags and comments are escaped and visible. No link definitions. No invisible characters but those that
 *   emoji and joining scripts need; nothing that turns the direction of writing.
 * - No spoiler of Discord and no quote that takes the rest of a message: `||` is escaped, `>>>` becomes `> > >`.
 * - No line in Discord's small print, which is the host's: `-#` at a line's start is escaped.
 * - Code is left alone but for what `codeLine` names. Fences are written in one form (three backticks, closed, indented
 *   as their list item), code spans close on their line and are at most 300 long, all other backticks are escaped: so
 *   no platform finds text where this function found code.
 *
 * `links`: the only addresses that are links then; others are shown as code. Absent where nobody looked which may be.
 *
 * Idempotent. Takes time linear in the text.
 */
export const neutralize = (text: string, links?: readonly string[]): string => {
  const growing = createNeutral(links);
  return [...oneEnd(text).split("\n").flatMap(growing.line), ...growing.end()].join("\n");
};

/** `neutralise` for a text that is still being written: what was given out stays as it is. */
export const createNeutralizer = (links?: readonly string[]) => {
  const growing = createNeutral(links);
  let rest = "";
  return {
    /** More of the text, as it comes; answers what of it can be shown now: whole lines, each with its line end. */
    write: (more: string): string => {
      const text = rest + more;
      // Half of a line end, perhaps.
      const held = text.endsWith("\r") ? "\r" : "";
      const lines = oneEnd(text.slice(0, text.length - held.length)).split("\n");
      rest = `${lines.pop() ?? ""}${held}`;
      return lines
        .flatMap(growing.line)
        .map((line) => `${line}\n`)
        .join("");
    },
  };
};

/** Text line by line. */
const createNeutral = (links?: readonly string[]) => {
  const only = links === undefined ? undefined : new Set(links);
  let place = BLOCK_START;
  let fence: Fence | null = null;
  let inLabel = false;
  const end = (closed: boolean): readonly string[] => {
    const lines = fence === null ? [] : ended(fence, closed);
    fence = null;
    return lines;
  };
  return {
    /** What a further line becomes: none to several lines. What was given before stays. */
    line: (raw: string): readonly string[] => {
      const out: string[] = [];
      if (!staysIn(place, raw)) out.push(...end(true));
      const line = fence === null ? spaced(showAll(raw)) : raw;
      const next = advance(place, line);
      if (fence === null && next.leaf.kind === "fence") {
        if (inLabel) out.push("");
        inLabel = false;
        fence = opened(place, next, line, out);
      } else if (fence === null) {
        const shown = inline(line, only).replace(TILDES, "$1\\$2").replace(SMALL_PRINT, "$1\\-#");
        inLabel = LABEL.test(shown) || (inLabel && IN_LABEL.test(shown));
        out.push(shown);
      } else if (next.leaf.kind !== "fence") out.push(...end(true));
      else {
        const { containers } = place;
        content(fence, containers, codeLine(line.slice(match(containers, line, true).at)), out);
      }
      place = next;
      return out;
    },
    /** What is missing where the text ends here. */
    end: (): readonly string[] => end(false),
  };
};

/** Text with one kind of line end. */
const oneEnd = (text: string): string => text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n");

/** Where other parsers would find a fence and this one does not: a run too long, the label of a link that is none. */
const TILDES = /^([\s>*+\d.)-]*)(~{3})/;

/** Some parsers find the end of a label that a line leaves open even in a fence below it, and a definition there. */
const LABEL = /\[[^[\]]*$/;
const IN_LABEL = /^(?=.*\S)[^[\]]*$/;

/** Discord's small print is the host's (TH6). */
const SMALL_PRINT = /^((?:[\s>]|[*+-]\s|\d{1,9}[.)]\s)*)-#/;

interface Fence {
  readonly opener: string;
  readonly closer: string;
  /** What stands before the fence: a list marker is not lost with an empty fence. */
  readonly lead: string;
  readonly language: string | null;
  begun: boolean;
  blanks: number;
}

const opened = (before: BlockPosition, { containers }: BlockPosition, line: string, out: string[]): Fence => {
  const other = containers.findIndex((container, index) => container !== before.containers[index]);
  const kept = other === -1 ? containers : containers.slice(0, other);
  const lead = containers
    .slice(kept.length)
    .map((container) => (container.kind === "quote" ? "> " : container.marker))
    .join("");
  const info = line.slice(markerRunAt(line, line.search(/[`~]{3}/)).end).trim();
  const [, language = "", more = ""] = /^([\w+.#-]{0,32}(?=\s|$))?\s*(.*)$/.exec(info) ?? [];
  const around = frame(containers);
  const fence: Fence = {
    opener: `${frame(kept)}${lead}\`\`\`${language}`,
    closer: `${around}\`\`\``,
    lead: `${frame(kept)}${lead}`,
    language: language === "" ? null : `${around}${language}`,
    begun: false,
    blanks: 0,
  };
  // What stands behind the language some platforms show as code and others not at all.
  content(fence, containers, codeLine(more), out);
  fence.blanks = 0;
  return fence;
};

/** A fence begins with the first line that holds something: Discord takes an empty one for the begin of the next. */
const content = (
  fence: Fence,
  containers: BlockPosition["containers"],
  code: string,
  out: string[],
): void => {
  if (code.trim() === "") {
    fence.blanks += 1;
    return;
  }
  const around = frame(containers);
  if (!fence.begun) out.push(fence.opener);
  fence.begun = true;
  for (; fence.blanks > 0; fence.blanks -= 1) out.push(around.trimEnd());
  out.push(`${around}${code}`);
};

/** An empty fence that was closed had something to say if it named a language; one that may go on waits for it. */
const ended = ({ begun, closer, lead, language }: Fence, closed: boolean): readonly string[] => {
  if (begun) return [closer];
  if (closed && language !== null) return [`${lead}\`\`\``, language, closer];
  return lead.trim() === "" ? [] : [lead.trimEnd()];
};

/**
 * Tabs before and between markers as blanks: how wide they are is read differently. Marks of quotes stand apart: Discord
 * quotes everything behind `>>>`, the lines of the host included (WD8).
 */
const spaced = (raw: string): string => {
  const [marks = ""] = /^[\s>*+\d.)-]*/.exec(raw) ?? [];
  const apart = marks.replaceAll(/>(?=>)/g, "> ");
  const line = apart + raw.slice(marks.length);
  const lead = apart;
  if (!lead.includes("\t")) return line;
  let wide = "";
  for (const unit of lead.split("")) wide += unit === "\t" ? " ".repeat(4 - (wide.length % 4)) : unit;
  return wide + line.slice(lead.length);
};
