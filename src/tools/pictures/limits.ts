/** What a picture may be before it is decoded, and what it is made to be. */

/** Bytes of a file. */
export const MAX_FILE = 20 * 1024 * 1024;

/** Pixels of the picture as it comes: 50 megapixels, 200 MB decoded. */
export const MAX_PIXELS = 50_000_000;

/** Pixels of the longer side of what is made; more is scaled down by the provider anyway (platforms.md C). */
export const MAX_SIDE = 1568;

/** Bytes of what is made; base64 makes 4.8 MB of them, below the provider's 5. */
export const MAX_BYTES = 3_600_000;
