import { isUtf8 } from "node:buffer";

/** Returns the text of a file that a forge sends as base64; null if it is no text. */
export const textIn = (content: string): string | null => {
  const bytes = Buffer.from(content, "base64");
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : null;
};
