/** `value` is nested no deeper than stored values, and accepts any text in the place of a text. */
export const maskTexts = <T>(value: T, mask: (text: string) => string): T => masked(value, mask) as T;

const masked = (value: unknown, mask: (text: string) => string): unknown => {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((one) => masked(one, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(inner, mask)]));
};
