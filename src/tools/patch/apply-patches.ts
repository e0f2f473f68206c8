/** Patches match the original text, never another patch's result. No two may change the same characters (PATCH-001 to 005). */
import { Unable } from "../tool.ts";
import { lineView, type LineView, withoutReturns } from "./line-endings.ts";
import { createFindMatch, type FindMatch } from "./match.ts";
import type { Patch } from "./patch-input.ts";

export type Clipboards = ReadonlyMap<string, string>;

export interface PatchedFile {
  readonly text: string;
  readonly clipboards: Clipboards;
  /** Names of clipboards whose text differs from the given oldText (PATCH-007). */
  readonly adjusted: readonly string[];
}

/** `original` is null if the file does not exist. */
export const applyPatches = (
  original: string | null,
  patches: readonly Patch[],
  clipboards: Clipboards,
): PatchedFile => {
  if (patches.length === 0) throw new Unable("No patches provided");
  const mark = original?.startsWith(BYTE_ORDER_MARK) === true ? BYTE_ORDER_MARK : "";
  const body = (original ?? "").slice(mark.length);
  const view = lineView(body);
  const file = original === null ? null : { text: view.text, find: createFindMatch(view.text) };
  const kept: Kept = { held: new Map(clipboards), adjusted: [] };
  const edits = patches.map((patch) => plan(patch, file, kept));
  const text = splice(body, view, edits);
  if (text === null)
    throw new Unable("Patches overlap: two of them change the same part of the file. Merge them into one.");
  const { held, adjusted } = kept;
  return { text: text.startsWith(mark) ? text : mark + text, clipboards: held, adjusted };
};

/** Stays the first character, even if text is prepended or the file overwritten. */
const BYTE_ORDER_MARK = "\ufeff";

/** Offsets in the line view's text. */
interface Edit {
  readonly operation: Patch["operation"];
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Kept {
  readonly held: Map<string, string>;
  readonly adjusted: string[];
}

interface File {
  readonly text: string;
  readonly find: FindMatch;
}

const plan = (patch: Patch, file: File | null, kept: Kept): Edit => {
  const { operation } = patch;
  if (operation === "replace") return planReplace(patch, file, kept);
  if (named(patch.toClipboard)) throw new Unable("toClipboard can only be used with the replace operation");
  if (patch.newText === undefined && !named(patch.fromClipboard)) {
    throw new Unable(`The ${operation} operation requires newText or fromClipboard`);
  }
  const text = newTextOf(patch, kept.held);
  const length = file?.text.length ?? 0;
  const start = operation === "append_eof" ? length : 0;
  const end = operation === "prepend_bof" ? 0 : length;
  return { operation, start, end, text };
};

const planReplace = (patch: Patch, file: File | null, { held, adjusted }: Kept): Edit => {
  if (file === null) throw new Unable("Cannot use replace operation on non-existent file");
  const oldText = withoutReturns(patch.oldText ?? "");
  if (oldText === "") throw new Unable("Replace operation requires oldText");
  const name = named(patch.toClipboard) ? patch.toClipboard : null;
  if (name !== null) held.set(name, oldText);
  const match = file.find(oldText, withoutReturns(newTextOf(patch, held)));
  switch (match.kind) {
    case "none":
      throw new Unable("oldText not found in file");
    case "several":
      throw new Unable(`oldText appears ${match.count} times in file (must be unique)`);
    case "found": {
      const { start, end, newText: text, exact } = match;
      if (name !== null) held.set(name, file.text.slice(start, end));
      if (name !== null && !exact) adjusted.push(name);
      return { operation: "replace", start, end, text };
    }
  }
};

/** An empty name counts as no name. */
const named = (name: string | undefined): name is string => name !== undefined && name !== "";

const newTextOf = (patch: Patch, clipboards: Clipboards): string => {
  const text = named(patch.fromClipboard) ? clipboards.get(patch.fromClipboard) : (patch.newText ?? "");
  if (text === undefined) throw new Unable(`Clipboard '${patch.fromClipboard}' not found${GONE}`);
  return patch.reindent === undefined ? text : reindented(text, patch.reindent);
};

const reindented = (text: string, { strip, add }: NonNullable<Patch["reindent"]>): string => {
  const lines = text.split("\n");
  const wrong = lines.find((line) => !isEmpty(line) && !line.startsWith(strip));
  if (wrong !== undefined) throw new Unable(`Line does not start with expected prefix '${strip}':\n${wrong}`);
  return lines.map((line) => (isEmpty(line) ? line : add + line.slice(strip.length))).join("\n");
};

const isEmpty = (line: string): boolean => line === "" || line === "\r";

/** Returns null if two edits change the same characters; an overwrite changes all of them, even in an empty file. */
const splice = (original: string, view: LineView, edits: readonly Edit[]): string | null => {
  const overwrites = edits.filter((edit) => edit.operation === "overwrite").length;
  const replaces = edits.filter((edit) => edit.operation === "replace").length;
  if (overwrites > 1 || (overwrites === 1 && replaces > 0)) return null;
  const ordered = edits.toSorted((a, b) => a.start - b.start || RANK[a.operation] - RANK[b.operation]);
  let text = "";
  let at = 0;
  for (const edit of ordered) {
    const start = view.toOriginal(edit.start);
    if (start < at) return null;
    text += original.slice(at, start) + view.toEndings(edit.text);
    at = view.toOriginal(edit.end);
  }
  return text + original.slice(at);
};

/** Order at one position; patches with the same operation keep their order. */
const RANK: Readonly<Record<Patch["operation"], number>> = {
  prepend_bof: 0,
  replace: 1,
  overwrite: 1,
  append_eof: 2,
};

/** Clipboards are in the memory of one process (clipboards.ts), so an earlier one may have existed. */
const GONE =
  ": nothing was cut to it, or it is gone (clipboards end with a restart of the host). Cut the text again with toClipboard.";
