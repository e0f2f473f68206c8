/**
 * Files that were read or written last stay in memory: a bucket is far away, and the pictures of a thread go with each request
 * to a model.
 */

import type { Blobs } from "../../../ports/store.ts";
import { createLruCache } from "../../../text/remembered.ts";

/** `most`: bytes. */
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
