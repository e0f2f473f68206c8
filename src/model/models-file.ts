/** The operator's file of models (PARLEY_MODELS): JSON, comments allowed. Every problem names its line. */

import { findNodeAtLocation, type Node } from "jsonc-parser";
import { z } from "zod";
import { namesUser, NO_ADDRESS, NO_USER } from "../text/address.ts";
import { nearest } from "../text/nearest.ts";
import { meant, readJsonFile } from "./json-file.ts";
import { PROVIDER_NAMES } from "./providers/providers.ts";

const tokens = z.int().min(1).max(100_000_000);
/** US dollars per million tokens. */
const price = z.number().min(0).max(100_000);

const entry = z.strictObject({
  /** What people call it. */
  alias: z.string().regex(/^[\w.:@/-]{1,80}$/, "must be a name without spaces"),
  provider: z.enum(PROVIDER_NAMES).optional(),
  /** The provider's own name for it; `provider/name` where `provider` is absent. */
  name: z.string().min(1).max(300),
  baseUrl: z
    .url({ protocol: /^https?$/, error: NO_ADDRESS })
    .refine((address) => !namesUser(address), NO_USER)
    .optional(),
  /** Of the environment, or of `.env`. */
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*_(KEY|TOKEN)$/, "must be the name of a variable, which ends in _KEY or _TOKEN")
    .optional(),
  window: tokens.optional(),
  longest: tokens.optional(),
  pictures: z.boolean().optional(),
  tools: z.boolean().optional(),
  caching: z.boolean().optional(),
  /** Tokens that the model may think before it answers. */
  thinking: z.int().min(1_024).max(1_000_000).optional(),
  prices: z
    .strictObject({
      input: price,
      output: price,
      cacheRead: price.optional(),
      cacheWrite: price.optional(),
    })
    .optional(),
});

export type ModelEntry = z.infer<typeof entry> & {
  /** Where it stands, for people. */
  readonly at: string;
};

type Read =
  | { readonly kind: "entries"; readonly entries: readonly ModelEntry[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export const readModelsFile = (path: string): Read => {
  const read = readJsonFile(path, "PARLEY_MODELS");
  if (read.kind === "invalid") return read;
  const { tree, at } = read;
  const parsed = z.array(entry).min(1, "names no model").safeParse(read.value);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => told(issue, tree, at));
    return { kind: "invalid", problems };
  }
  const entries = parsed.data.map((one, index) => ({ ...one, at: at(tree.children?.[index]?.offset ?? 0) }));
  const twice = entries.filter(({ alias }, index) => entries.findIndex((one) => one.alias === alias) < index);
  return twice.length === 0
    ? { kind: "entries", entries }
    : { kind: "invalid", problems: twice.map((one) => `${one.at}: the alias ${one.alias} is taken already`) };
};

/** Never a value: somebody may have written a key. */
const told = (issue: z.core.$ZodIssue, tree: Node, at: (offset: number) => string): readonly string[] => {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  const found = (end: number): Node | undefined => findNodeAtLocation(tree, path.slice(0, end));
  const node = found(path.length) ?? found(path.length - 1) ?? tree;
  const field = path.slice(1).join(".");
  if (issue.code === "unrecognized_keys") {
    const known = path.includes("prices")
      ? ["input", "output", "cacheRead", "cacheWrite"]
      : Object.keys(entry.shape);
    return issue.keys.map((key) => {
      const place = findNodeAtLocation(tree, [...path, key]) ?? node;
      return `${at(place.offset)}: ${quoted(key)} is no field of a model${meant(nearest(key, known))}`;
    });
  }
  const given =
    field === "provider" && typeof node.value === "string" ? nearest(node.value, PROVIDER_NAMES) : null;
  const what =
    field === "provider" ? `is none of ${PROVIDER_NAMES.join(", ")}${meant(given)}` : plainly(issue.message);
  return [`${at(node.offset)}: ${field === "" ? "the file" : field} ${what}`];
};

const quoted = (key: string): string => JSON.stringify(key.slice(0, 60));

const plainly = (message: string): string => message.replace(/^Invalid input: /, "is wrong: ");
