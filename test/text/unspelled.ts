/** The inverse of `spelled`. */
export const unspelled = (text: string): string =>
  text.replaceAll(/\[U\+([0-9A-F]{4,6})\]/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
