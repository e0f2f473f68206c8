/**
 * Keeps the files that were read or written last in memory, because a bucket is slow and each request to a model contains the
 * pictures of the thread.
 */

import type { Blobs } from "../../../ports/store.ts";
import { createLruCache } from "../../../text/lru-cache.ts";

/** `most`: limit in bytes. */
export const withCache = (blobs: Blobs, most = 32 * 2 ** 20): Blobs => {
  const kept = createLruCache<Uint8Array>(most, ({ byteLength }) => byteLength);
  return {
    put: async (bytes) => {
      const stored = await blobs.put(bytes);
      if (stored.kind === "stored") kept.set(stored.hash, Buffer.from(bytes));
      return stored;
    },
    get: async (hash) => {
      const found = kept.get(hash) ?? (await blobs.get(hash));
      if (found !== null) kept.set(hash, found);
      return found;
    },
    remove: (hash) => {
      kept.forget(hash);
      return blobs.remove(hash);
    },
  };
};
