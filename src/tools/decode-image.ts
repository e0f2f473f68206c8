/**
 * Decodes a picture of unknown origin and makes it fit a model's limits. The only file that hands bytes of a
 * repository to an image decoder, so that this can move into a Restricted child.
 */
import type { ImageRef } from "../core/prompt.ts";

type MediaType = ImageRef["mediaType"];

export type Decoded =
  | { readonly kind: "image"; readonly bytes: Buffer; readonly mediaType: MediaType }
  | { readonly kind: "failed"; readonly message: string };

/** Pixels of the picture as it comes: 50 megapixels, 200 MB decoded. */
const MAX_PIXELS = 50_000_000;

/** Pixels of the longer side; more is scaled down by the provider anyway (platforms.md C). */
const MAX_SIDE = 1568;

/** Bytes; base64 makes 4.8 MB of them, below the provider's 5. */
const MAX_BYTES = 3_600_000;

const MAX_SECONDS = 10;

/** JPEG stays JPEG; what may be drawn or transparent becomes PNG, or JPEG where a PNG would be too large. */
export const decodeImage = async (bytes: Buffer): Promise<Decoded> => {
  const mediaType = sniff(bytes);
  if (mediaType === null) {
    return { kind: "failed", message: "it is not a PNG, JPEG, GIF or WebP picture" };
  }
  // Loaded with the first picture: it costs start-up time and memory that most processes never need.
  const { default: sharp } = await import("sharp");
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS) {
      return { kind: "failed", message: "it has more than 50 megapixels" };
    }
    const fitted = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
      .timeout({ seconds: MAX_SECONDS });
    if (mediaType !== "image/jpeg") {
      const png = await fitted.clone().png().toBuffer();
      if (png.length <= MAX_BYTES) return { kind: "image", bytes: png, mediaType: "image/png" };
    }
    const jpeg = await fitted.flatten({ background: "#ffffff" }).jpeg({ quality: 85 }).toBuffer();
    return { kind: "image", bytes: jpeg, mediaType: "image/jpeg" };
  } catch {
    // sharp throws for every kind of damage, with words of its C libraries that help nobody.
    return { kind: "failed", message: "the picture is damaged" };
  }
};

/** By the first bytes, never by the name. */
const sniff = (bytes: Buffer): MediaType | null => {
  if (bytes.subarray(0, 8).equals(PNG)) return "image/png";
  if (bytes.subarray(0, 3).equals(JPEG)) return "image/jpeg";
  const text = bytes.toString("latin1", 0, 12);
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  if (text.startsWith("RIFF") && text.endsWith("WEBP")) return "image/webp";
  return null;
};

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const JPEG = Buffer.from("ffd8ff", "hex");
