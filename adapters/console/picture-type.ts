/** Which of the types that models read a stored picture has; it was made by the decoder (src/ports/pictures.ts). */

import type { ImageRef } from "../../src/thread/prompt.ts";

/** Read off its first bytes; null for anything else. */
export const pictureType = (bytes: Uint8Array): ImageRef["mediaType"] | null => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF8")) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : null;
};
