import { z } from "zod";
import { isRecord, jsonIn } from "../../text/json.ts";
import { inDraft } from "../drafts/where.ts";
import { textField } from "../tool.ts";

const patch = z.object({
  operation: z
    .enum(["replace", "append_eof", "prepend_bof", "overwrite"])
    .describe(
      "replace: puts newText in the place of oldText. append_eof, prepend_bof: add newText at the file's end or beginning. overwrite: newText becomes the whole file.",
    ),
  oldText: textField
    .optional()
    .describe("Text to replace, exactly as in the file, and found there once. Only for replace."),
  newText: textField.optional().describe("Text to put. Without it, replace deletes oldText."),
  toClipboard: textField
    .optional()
    .describe("Keeps the replaced text under this name, for later patches and calls. Only for replace."),
  fromClipboard: textField
    .optional()
    .describe(
      "Puts the text kept under this name instead of newText. With the same name as toClipboard the text stays where it is and is kept as a copy.",
    ),
  reindent: z
    .object({
      strip: textField.describe(
        "Indentation taken off every line that is not empty; each must begin with it.",
      ),
      add: textField.describe("Indentation put in its place."),
    })
    .optional()
    .describe("Changes the indentation of the text that is put."),
});

export type Patch = z.output<typeof patch>;

/** Bounds the time of one call; each patch searches the whole file. */
const MAX_PATCHES = 100;

export const patchInput = z.object({
  path: textField.describe("The file, relative to the working directory."),
  patches: z
    .array(patch)
    .max(MAX_PATCHES, { error: `at most ${MAX_PATCHES} at a time` })
    .describe("Changes to the file, all matched against its present text."),
  where: inDraft,
});

/** Accepts one patch instead of a list, `patch` for `patches`, JSON text for an object, and null for absent (PATCH-006). */
export const acceptPatchInput = (input: unknown): unknown => {
  const given = parsedIfJson(input);
  if (!isRecord(given)) return given;
  const { patch, patches, ...rest } = given;
  const found = parsedIfJson(patches ?? patch);
  if (found === undefined) return given;
  const list = Array.isArray(found) ? found : [found];
  return { ...rest, patches: list.map((each) => (isRecord(each) ? withoutNulls(each) : each)) };
};

/** Text that is no JSON stays: the schema then reports the problem. */
const parsedIfJson = (value: unknown): unknown =>
  typeof value === "string" ? (jsonIn(value) ?? value) : value;

const withoutNulls = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
