/** Kinds of settings: how a value is written, and the sentence for one that is not. */

import { z } from "zod";

export const oneOf = <const T extends readonly string[]>(...words: T) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` });
export const onOff = oneOf("on", "off").transform((value) => value === "on");
export const count = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
};
export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

export const word = z.string().regex(/^[\w.:/-]{1,300}$/, "must be a name without spaces");

/** Dollars, kept in millionths; null: no bound. */
export const budget = z
  .string()
  .regex(/^(none|\d{1,6}(\.\d{1,6})?)$/, "must be an amount in dollars such as 10 or 0.50, or none")
  .transform((value) => (value === "none" ? null : Math.round(Number(value) * 1_000_000)));

/** A key, token or password: masked everywhere. It goes out in headers, and Node names a value that it cannot send. */
export const secret = z
  .string()
  .regex(/^[ -~]+$/, "must be made of printable ASCII")
  .meta({ secret: true });

/** The values that are masked. */
export const secretsIn = (
  settings: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
): readonly string[] =>
  Object.entries(settings.shape).flatMap(([name, kind]) => {
    const value = values[name];
    return typeof value === "string" && isSecret(kind) ? [value] : [];
  });

const isSecret = (kind: unknown): boolean =>
  kind instanceof z.ZodOptional
    ? isSecret(kind.unwrap())
    : kind instanceof z.ZodType && kind.meta()?.["secret"] === true;

/** `name=value` pairs as the standard has them: comma-separated, values percent-encoded. */
export const pairs = list.superRefine((entries, context) => {
  if (entries.every((entry) => readPair(entry) !== null)) return;
  context.addIssue({ code: "custom", message: "must be pairs such as name=value, comma-separated" });
});
export const readPair = (entry: string): readonly [string, string] | null => {
  const [, name, value = ""] = /^([\w!#$%&'*+.^`|~-]+)=(.*)$/.exec(entry) ?? [];
  try {
    return name === undefined ? null : [name, decodeURIComponent(value.trim())];
  } catch {
    return null;
  }
};
