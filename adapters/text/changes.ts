/**
 * The changes of a turn (PATCH-007), displayed once (TH5): all diffs together, and the answer without diffs
 * that repeat them. Pure.
 */

import type { MessageId } from "../../src/machine/id.ts";
import type { FilePart } from "../../src/ports/surface.ts";
import type { TurnStep } from "../../src/thread/post.ts";
import { callInput, type StoredContent } from "../../src/thread/prompt.ts";
import { visibleDiff } from "../../src/text/visible-diff.ts";
import { fieldIn } from "../../src/text/json.ts";
import { english, type Say } from "../../src/i18n/say.ts";

/** A larger diff becomes a file. */
const MAX_LINES = 40;
const MAX_BYTES = 2_500;
const MAX_PATH = 120;

export interface RenderedChanges {
  /** Changed files, in the order of their first changes. */
  readonly files: readonly ChangedFile[];
  /** Diff as Markdown, if it is short. */
  readonly diff?: string;
  readonly file?: FilePart;
}

interface ChangedFile {
  /** For a very long path: only its end. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** Null if nothing was changed, or the text was erased. `harmless`: neutralizes a code block. */
export const changesOf = (
  steps: readonly TurnStep[],
  words: ReadonlyMap<MessageId, StoredContent>,
  harmless: (block: string) => string,
  say: Say = english,
): RenderedChanges | null => {
  const found = steps.flatMap((step) => {
    const diff = diffOf(step, words);
    return diff === null ? [] : [{ path: pathOf(step, words, say), diff: diff.replace(/\n$/, "") }];
  });
  if (found.length === 0) return null;
  const files = new Map<string, ChangedFile>();
  for (const { path, diff } of found) {
    const { added, removed } = files.get(path) ?? { added: 0, removed: 0 };
    const lines = diff.split("\n");
    files.set(path, {
      path: path.slice(-MAX_PATH),
      added: added + lines.filter(isAdded).length,
      removed: removed + lines.filter(isRemoved).length,
    });
  }
  const shown = renderDiff(found.map(({ diff }) => diff).join("\n"), harmless, say);
  return { files: [...files.values()], ...shown };
};

/** Note in a diff that replaces a sign on each line. */
export const CRLF_NOTE = "Each line of this file ends with CR LF";

/** Returns a short diff as a block, and a longer one as a file. */
export const renderDiff = (
  raw: string,
  harmless: (block: string) => string,
  say: Say,
): Pick<RenderedChanges, "diff" | "file"> => {
  const text = visibleDiff(raw, say(CRLF_NOTE));
  const isShort = text.split("\n").length <= MAX_LINES && Buffer.byteLength(text) <= MAX_BYTES;
  if (isShort) return { diff: harmless(fencedText(text, "diff")) };
  const source = { kind: "text", text: `${text}\n` } as const;
  const title = say("What was changed");
  return { file: { name: "changes.diff", title, mediaType: "text/x-diff", source } };
};

/**
 * Removes fenced diffs from the answer if each of their changed lines is among the turn's changes. Lines that
 * only the model shows remain. A colon before a removed diff becomes a full stop.
 */
export const withoutRendered = (
  markdown: string,
  steps: readonly TurnStep[],
  words: ReadonlyMap<MessageId, StoredContent>,
): string => {
  const known = new Set(steps.flatMap((step) => (diffOf(step, words) ?? "").split("\n").filter(isLine)));
  return known.size === 0
    ? markdown
    : markdown.replaceAll(DIFF, (block, lead: string | undefined, lines: string) => {
        const own = lines.split("\n").filter(isLine);
        const isShown = own.length > 0 && own.every((line) => known.has(line));
        return isShown ? (lead ?? "").replace(":", ".") : block;
      });
};

/** A fence of at least three backticks at the margin with the language diff. */
const DIFF = /((?<!:[\w+-]*):[^\S\n]*\n\s*)?^```+diff[^\S\n]*\n((?:(?!```)[^\n]*\n)*)```+[^\S\n]*(?:\n|$)/gm;

const isAdded = (line: string): boolean => /^\+(?!\+\+ )/.test(line);
const isRemoved = (line: string): boolean => /^-(?!-- )/.test(line);
const isLine = (line: string): boolean => isAdded(line) || isRemoved(line);

const diffOf = ({ outcome }: TurnStep, words: ReadonlyMap<MessageId, StoredContent>): string | null => {
  const result = outcome.kind === "ran" ? words.get(outcome.message) : undefined;
  return result?.kind === "result" ? result.diff : null;
};

const pathOf = (
  { message, call }: TurnStep,
  words: ReadonlyMap<MessageId, StoredContent>,
  say: Say,
): string => {
  const named = fieldIn(callInput(words.get(message), call.id), "path");
  return typeof named === "string" && named !== "" ? named : say("a file");
};

export const fencedText = (text: string, language = ""): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
};
