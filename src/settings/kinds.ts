import { z } from "zod";
import { namesUser, NO_ADDRESS, NO_USER } from "../text/address.ts";

export const oneOf = <const T extends readonly string[]>(...words: T) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` });
export const onOff = oneOf("on", "off").transform((value) => value === "on");
export const countSetting = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
};
export const listSetting = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

export const wordSetting = z.string().regex(/^[\w.:/-]{1,300}$/, "must be a name without spaces");

/** Dollars, stored in millionths; null for no limit. */
export const budget = z
  .string()
  .regex(/^(none|\d{1,6}(\.\d{1,6})?)$/, "must be an amount in dollars such as 10 or 0.50, or none")
  .transform((value) => (value === "none" ? null : Math.round(Number(value) * 1_000_000)));

export const isAmount = (parser: z.core.$ZodType): boolean =>
  parser === budget || (parser instanceof z.ZodDefault && isAmount(parser.unwrap()));

/** Refuses user names and passwords, because unreachable addresses appear in logs, and fetch rejects such addresses. */
export const plainUrl = z
  .url({ protocol: /^https?$/, error: NO_ADDRESS })
  .refine((address) => !namesUser(address), NO_USER);
