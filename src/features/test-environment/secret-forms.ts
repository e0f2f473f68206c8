/** Forms in which programs print a secret. The list cannot be complete: a test can encode a secret in any way. */

/** Shorter values are too likely to be ordinary text, and are not masked (src/text/secrets/known-values.ts). */
export const MIN_SECRET = 8;
export const MAX_SECRET = 3_000;

export const formsOfSecret = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  const lines = value.split("\n").map((line) => line.trimEnd());
  const base64 = bytes.toString("base64");
  return [
    ...new Set([
      value,
      ...lines,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      base64,
      base64.replace(/=+$/, ""),
      bytes.toString("base64url"),
      bytes.toString("hex"),
    ]),
  ].filter((form) => form.length >= MIN_SECRET);
};
