/**
 * Neutralizes model text line by line: fences get one form that every platform reads alike, and other text
 * goes through `inline`. Pure.
 */

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
 * Makes model text harmless in a chat: people can only read it. The result is still Markdown. Text is
 * converted line by line, so that growing text keeps all its lines except the last.
 *
 * - Mentions notify nobody: `<@U1>` becomes `@U1`; `@everyone`, `@here`, `@channel`, `@group` get a
 *   zero-width space.
 * - A link names its real host, and only that is clickable: `text ([host](<url>))`. Bare links are in angle
 *   brackets (no embeds), user names are removed, and hosts are in ASCII. An image becomes a link. Targets
 *   other than http and https, and all invites, become code.
 * - No HTML: tags and comments are escaped and visible. No link definitions. No invisible characters except
 *   those for emoji and joining scripts. No change of the writing direction.
 * - No Discord spoilers, and no quote of the rest of a message: `||` is escaped, `>>>` becomes `> > >`.
 * - No Discord small print, which is reserved for the host: `-#` at the start of a line is escaped.
 * - Code remains unchanged except for the cases in `codeLine`. Fences have one form (three backticks, closed,
 *   indented like their list item), code spans close on their line and have at most 300 characters, and all
 *   other backticks are escaped. So no platform finds text in a place that counts as code here.
 *
 * `links`: the only addresses that remain links; others become code. If absent, no check has been made and
 * all remain.
 *
 * Idempotent. Takes linear time.
 */
export const neutralize = (text: string, links?: readonly string[]): string => {
  const growing = createNeutral(links);
  return [...oneEnd(text).split("\n").flatMap(growing.line), ...growing.end()].join("\n");
};

/** Neutralizes a text that is still being written; earlier output never changes. */
export const createNeutralizer = (links?: readonly string[]) => {
  const growing = createNeutral(links);
  let rest = "";
  return {
    /** Adds text. Returns the output that can be displayed now: whole lines, each with its line end. */
    write: (more: string): string => {
      const text = rest + more;
      // A final carriage return may be half of a line end.
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
    /** Converts a further line to zero or more lines. Earlier output never changes. */
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
    /** Returns the missing lines if the text ends here. */
    end: (): readonly string[] => end(false),
  };
};

const oneEnd = (text: string): string => text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n");

/** Tildes in which other parsers would find a fence: too long a run, or the label of an invalid link. */
const TILDES = /^([\s>*+\d.)-]*)(~{3})/;

/** Some parsers find the end of an open label even in a fence below, and read a definition there. */
const LABEL = /\[[^[\]]*$/;
const IN_LABEL = /^(?=.*\S)[^[\]]*$/;

/** Discord's small print is reserved for the host (TH6). */
const SMALL_PRINT = /^((?:[\s>]|[*+-]\s|\d{1,9}[.)]\s)*)-#/;

interface Fence {
  readonly opener: string;
  readonly closer: string;
  /** Text before the fence, because an empty fence must not lose its list marker. */
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
  // Some platforms display text after the language as code, and others omit it.
  content(fence, containers, codeLine(more), out);
  fence.blanks = 0;
  return fence;
};

/**
 * A fence starts with its first non-empty line, because Discord reads an empty fence as the start of the
 * next.
 */
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

/** A closed empty fence outputs its language if it has one; an open fence waits for content. */
const ended = ({ begun, closer, lead, language }: Fence, closed: boolean): readonly string[] => {
  if (begun) return [closer];
  if (closed && language !== null) return [`${lead}\`\`\``, language, closer];
  return lead.trim() === "" ? [] : [lead.trimEnd()];
};

/**
 * Replaces tabs around markers by blanks, because parsers disagree about their width. Separates quote marks,
 * because Discord quotes everything after `>>>`, including lines of the host (WD8).
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
