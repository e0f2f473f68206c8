/** One mode file: a header between `---` lines, then the prompt. Pure. */

import { z } from "zod";
import type { Mode } from "../ports/tools.ts";

export type ParsedMode =
  | { readonly kind: "mode"; readonly mode: Mode; readonly isDefault: boolean }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Names of permissions: a mode must never look like one (C25). */
const RESERVED: ReadonlySet<string> = new Set(["restricted", "unrestricted"]);
const KEY = /^[a-z0-9_]{1,40}$/;
const MAX_PROMPT = 20_000;

const header = z.strictObject({
  name: z.string().min(1).max(60),
  when: z.string().min(1).max(400),
  default: z.enum(["true", "false"]).optional(),
  model: z.string().min(1).max(300).optional(),
});

export const parseMode = (key: string, text: string): ParsedMode => {
  const found = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text);
  if (found === null) return invalid(key, ["it must begin with a header between two lines of `---`"]);
  const [, head = "", body = ""] = found;
  const parsed = header.safeParse(Object.fromEntries(head.split(/\r?\n/).filter(Boolean).map(field)));
  const prompt = body.trim();
  const problems = [
    ...(KEY.test(key) ? [] : ["its name must be a-z, 0-9 and _"]),
    ...(RESERVED.has(key) ? ["its name is a permission, not a mode"] : []),
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [...path, message].join(": "))),
    ...(prompt === "" ? ["it has no prompt below the header"] : []),
    ...(prompt.length > MAX_PROMPT ? [`its prompt has more than ${MAX_PROMPT} characters`] : []),
  ];
  if (!parsed.success || problems.length > 0) return invalid(key, problems);
  const { name, when, default: isDefault, model } = parsed.data;
  const own = model === undefined ? {} : { model };
  return {
    kind: "mode",
    mode: { key, name, whenToUse: when, prompt, ...own },
    isDefault: isDefault === "true",
  };
};

const invalid = (key: string, problems: readonly string[]): ParsedMode => ({
  kind: "invalid",
  problems: problems.map((problem) => `mode ${key}: ${problem}`),
});

const field = (line: string): readonly [string, string] => {
  const at = line.indexOf(":");
  return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
};
