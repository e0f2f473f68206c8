/** Secrets masked in every text of a value as JSON has it, such as a call's input or the details of an error. Pure. */

import { maskSecrets } from "./secrets.ts";

/** `value` nests no deeper than what is stored. */
export const maskedValue = (value: unknown): unknown => {
  if (typeof value === "string") return maskSecrets(value);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskedValue(inner)]));
};
