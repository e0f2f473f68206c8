/** Size limit of one message: at least 64 UTF-16 code units or bytes of UTF-8. */
export interface LengthLimit {
  readonly units: "utf16" | "bytes";
  readonly max: number;
}

/** A lone surrogate counts as the replacement character, which is sent instead of the surrogate. */
export const measure = (text: string, units: LengthLimit["units"]): number =>
  units === "utf16" ? text.length : Buffer.byteLength(text);

export const width = (codePoint: number, units: LengthLimit["units"]): number => {
  if (units === "utf16") return codePoint > 0xffff ? 2 : 1;
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint > 0xffff ? 4 : 3;
};
