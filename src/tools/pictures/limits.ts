/** What a picture may be before it is decoded, and what it is made to be. `PICTURE_BYTES` bounds its file. */

/** Pixels of the picture as it comes: 100 megapixels. */
export const MAX_PIXELS = 100_000_000;

/** Pixels of the longer side of what is made; more is scaled down by the provider anyway (hazard M3). */
export const MAX_SIDE = 1568;

/** Bytes of what is made; base64 makes 4.8 MB of them, below the provider's 5. */
export const MAX_BYTES = 3_600_000;

/** Pixels up to which two pictures are decoded at once; of larger ones one. */
export const LARGE_PIXELS = 10_000_000;

/**
 * Megabytes of memory that the decoder may have: its own, and 9.5 bytes for each pixel. The dearest kind, an interlaced
 * PNG of four channels with 16 bits, has to be decoded whole and takes nearly all of it; most take a tenth.
 */
export const memoryFor = (pixels: number): number =>
  Math.max(300, 200 + Math.ceil((pixels * 9.5) / 1_000_000));
