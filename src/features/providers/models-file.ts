/** The operator's file of models (PARLEY_MODELS): JSON with comments. Each problem names its line. */

import { z } from "zod";
import { namesUser, NO_ADDRESS, NO_USER } from "../../text/address.ts";
import { readJsonFile } from "../../model/json-file.ts";
import type { ModelList } from "../../model/provider.ts";
import { PROVIDER_NAMES } from "./providers.ts";

const NAMES = ["anthropic", ...PROVIDER_NAMES] as const;

const tokens = z.int().min(1).max(100_000_000);
/** US dollars per million tokens. */
const price = z.number().min(0).max(100_000);

const entry = z.strictObject({
  /** Name that people use. */
  alias: z.string().regex(/^[\w.:@/-]{1,80}$/, "must be a name without spaces"),
  provider: z.enum(NAMES).optional(),
  /** The provider's name for the model; `provider/name` if `provider` is absent. */
  name: z.string().min(1).max(300),
  baseUrl: z
    .url({ protocol: /^https?$/, error: NO_ADDRESS })
    .refine((address) => !namesUser(address), NO_USER)
    .optional(),
  /** Name of a variable in the environment or in `.env`. */
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*_(KEY|TOKEN)$/, "must be the name of a variable, which ends in _KEY or _TOKEN")
    .optional(),
  window: tokens.optional(),
  longest: tokens.optional(),
  pictures: z.boolean().optional(),
  tools: z.boolean().optional(),
  caching: z.boolean().optional(),
  /** Maximum number of tokens of thought before an answer. */
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

export const readModelsFile = (path: string): ModelList => {
  const read = readJsonFile(path, z.array(entry).min(1, "names no model"), FORM);
  if (read.kind === "invalid") return read;
  const entries = read.value.map((one, index) => ({ ...one, at: read.at([index]) }));
  const twice = entries.filter(({ alias }, index) => entries.findIndex((one) => one.alias === alias) < index);
  return twice.length === 0
    ? { kind: "entries", entries }
    : {
        kind: "invalid",
        problems: twice.map((one) => `${one.at}: the alias ${one.alias} is already in use`),
      };
};

const FORM: Parameters<typeof readJsonFile>[2] = {
  setting: "PARLEY_MODELS",
  noun: "a model",
  outer: 1,
  fieldsAt: (path) =>
    path.includes("prices") ? ["input", "output", "cacheRead", "cacheWrite"] : Object.keys(entry.shape),
  words: { provider: NAMES },
};
