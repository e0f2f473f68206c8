/** Pixels of the original picture: 100 megapixels. */
export const MAX_PIXELS = 100_000_000;

/** Pixels of the longer side of the result; the provider scales larger pictures down anyway (hazard M3). */
export const MAX_SIDE = 1568;

/** Bytes of the result; base64 turns them into 4.8 MB, below the provider's limit of 5. */
export const MAX_BYTES = 3_600_000;

/** Pixels up to which two pictures are decoded in parallel; larger ones are decoded one at a time. */
export const LARGE_PIXELS = 10_000_000;

/** Megabytes: a fixed part, and 9.5 bytes for each pixel, as an interlaced PNG of four channels with 16 bits needs. */
export const memoryFor = (pixels: number): number =>
  Math.max(300, 200 + Math.ceil((pixels * 9.5) / 1_000_000));
