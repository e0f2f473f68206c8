/** JSON values without lone surrogates, because providers refuse every request that contains one. */

import { isRecord } from "./json.ts";

/** Includes keys. Safe at any depth. */
export const isWellFormed = (value: unknown): boolean => {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string" && !one.isWellFormed()) return false;
    if (Array.isArray(one)) for (const inner of one) left.push(inner);
    else if (isRecord(one)) {
      for (const [key, inner] of Object.entries(one)) {
        if (!key.isWellFormed()) return false;
        left.push(inner);
      }
    }
  }
  return true;
};

export const wellFormed = <T>(value: T): T =>
  isWellFormed(value) ? value : JSON.parse(JSON.stringify(value).replaceAll(HALVES, whole));

/** An escaped backslash comes first, so that the text `\\ud800` is no escape. JSON escapes no other surrogates. */
const HALVES = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

const whole = (escape: string): string => (escape.startsWith("\\u") ? "\ufffd" : escape);
