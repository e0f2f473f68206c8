/**
 * Pictures that a person sends: decoded, turned upright, made no larger than a model looks at, and written anew,
 * so that what is stored is only pixels. One function, so that it can move into the sandbox.
 */

import type { ImageRef } from "../../src/core/prompt.ts";

export type ImageRead =
  | { readonly kind: "image"; readonly bytes: Buffer; readonly mediaType: ImageRef["mediaType"] }
  | { readonly kind: "unusable"; readonly message: string };

/** Longest edge, in pixels, that is kept. */
const MAX_EDGE = 1568;
const MAX_PIXELS = 50_000_000;

/** Never rejects. `bytes` may be anything at all; only the four types that models read are taken. */
export const readImage = async (bytes: Buffer): Promise<ImageRead> => {
  const { default: sharp } = await import("sharp");
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 });
    const { format } = await image.metadata();
    const target = TARGETS[format];
    if (target === undefined) return unusable(`A picture is PNG, JPEG, GIF or WebP; this is ${format}.`);
    const fitted = image
      .autoOrient()
      .resize(MAX_EDGE, MAX_EDGE, { fit: "inside", withoutEnlargement: true })
      .toFormat(target);
    return { kind: "image", bytes: await fitted.toBuffer(), mediaType: `image/${target}` };
  } catch {
    return unusable("The picture is damaged, or not a picture, or has more than 50 million pixels.");
  }
};

/** Animated GIFs become their first frame, as PNG. */
const TARGETS: Readonly<Record<string, "png" | "jpeg" | "webp">> = {
  png: "png",
  jpeg: "jpeg",
  webp: "webp",
  gif: "png",
};

/** The type of a stored picture, read off its first bytes; null for anything else. */
export const pictureType = (bytes: Uint8Array): ImageRef["mediaType"] | null => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF8")) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : null;
};

const unusable = (message: string): ImageRead => ({ kind: "unusable", message });
