/** A provider's own sentence, made fit for a thread. */

const LIMIT = 300;
/** A part of a secret this long gives the secret away. */
const TELLTALE = 8;
const KEY_LIKE = /\bsk-[\w-]{6,}|\bbearer\s+\S{6,}|\b(?:x-)?api[-_ ]?key\b\s*[:=]/i;

/** One line of at most 300 characters; null where it holds (part of) a secret, looks like a key, or says nothing. */
export const publicText = (text: string, secrets: readonly string[]): string | null => {
  const line = text
    .slice(0, LIMIT * 4)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .replace(/[.\s]+$/, "");
  if (line === "" || KEY_LIKE.test(text) || secrets.some((secret) => tells(text, secret))) return null;
  const points = Array.from(line);
  return points.length <= LIMIT ? line : `${points.slice(0, LIMIT - 1).join("")}…`;
};

const tells = (text: string, secret: string): boolean => {
  const size = Math.min(TELLTALE, secret.length);
  if (size === 0) return false;
  for (let from = 0; from + size <= secret.length; from += 1) {
    if (text.includes(secret.slice(from, from + size))) return true;
  }
  return false;
};
