/** Reads a picture's type and size without a decoder, so that hopeless files are refused before a process is started. */
import { isUtf8 } from "node:buffer";
import { extname } from "node:path/posix";
import type { ImageRef } from "../../thread/prompt.ts";

type MediaType = ImageRef["mediaType"];

type Header =
  /** Pixels as stored, before any rotation; 0 if a GIF leaves its size to its frames. */
  | {
      readonly kind: "picture";
      readonly mediaType: MediaType;
      readonly width: number;
      readonly height: number;
    }
  /** A picture's type, but no valid header. */
  | { readonly kind: "damaged" }
  /** `name`: common name of the unsupported type. */
  | { readonly kind: "foreign"; readonly name: string }
  | { readonly kind: "unknown" };

export const readHeader = (bytes: Buffer): Header => {
  const head = bytes.toString("latin1", 0, HEAD);
  const mediaType = pictureType(head);
  if (mediaType === null) {
    const foreign = FOREIGN.find(([pattern]) => pattern.test(head));
    return foreign === undefined ? { kind: "unknown" } : { kind: "foreign", name: foreign[1] };
  }
  const size = SIZES[mediaType](bytes);
  return size === null ? { kind: "damaged" } : { kind: "picture", mediaType, ...size };
};

const HEAD = 1024;

const pictureType = (head: string): MediaType | null => {
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF[^]{4}WEBP/.test(head) ? "image/webp" : null;
};

const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^[^]{4}ftypavi[fs]/, "an AVIF picture"],
  [/^[^]{4}ftyp(?:hei|hev|mif1|msf1)/, "a HEIC picture"],
  [/^(?:II[*+]\0|MM\0[*+])/, "a TIFF picture"],
  [/^BM[^]{12}/, "a BMP picture"],
  [/^(?:\xff\n|\0\0\0\fJXL )/, "a JPEG XL picture"],
  [/^\s*%PDF-/, "a PDF document"],
  [/^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE\s+svg|!--|svg)[^]*?<?svg\b/i, "an SVG drawing"],
];

interface Size {
  readonly width: number;
  readonly height: number;
}

const sizeOf = (width: number, height: number): Size | null =>
  width > 0 && height > 0 ? { width, height } : null;

const pngSize = (bytes: Buffer): Size | null => {
  if (bytes.length < 24 || bytes.toString("latin1", 12, 16) !== "IHDR") return null;
  return sizeOf(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
};

const gifSize = (bytes: Buffer): Size | null =>
  bytes.length < 13 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };

const webpSize = (bytes: Buffer): Size | null => {
  if (bytes.length < 30) return null;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return sizeOf(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
};

/** Maximum number of segments before the frame segment; a photograph has a few dozen. */
const MAX_SEGMENTS = 10_000;

/** Skips segments up to the frame segment, which contains the size. */
const jpegSize = (bytes: Buffer): Size | null => {
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && at + 9 <= bytes.length; segment += 1) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffff) at += 1;
    else if (isFrame(marker)) return sizeOf(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    else if (marker < 0xff01 || marker === START_OF_SCAN) return null;
    else at += 2 + (isBare(marker) ? 0 : bytes.readUInt16BE(at + 2));
  }
  return null;
};

const START_OF_SCAN = 0xffda;

/** Baseline, progressive and related frames; the three excluded numbers are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xffc0 && marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc;

/** Markers without a segment. */
const isBare = (marker: number): boolean => marker === 0xff01 || (marker >= 0xffd0 && marker <= 0xffd8);

const SIZES: Readonly<Record<MediaType, (bytes: Buffer) => Size | null>> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/gif": gifSize,
  "image/webp": webpSize,
};

export const mediaTypeOf = (name: string, bytes: Buffer): string => {
  const header = readHeader(bytes);
  if (header.kind === "picture") return header.mediaType;
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return isText ? (TEXTS[extname(name).toLowerCase()] ?? "text/plain") : "application/octet-stream";
};

/** Contains no type that a browser would execute. */
const TEXTS: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".diff": "text/x-diff",
  ".json": "application/json",
  ".md": "text/markdown",
  ".patch": "text/x-diff",
};
