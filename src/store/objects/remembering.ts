/**
 * Files that were read or written last stay in memory: a bucket is far away, and the pictures of a thread go with each request
 * to a model.
 */

import type { Blobs } from "../../ports/store.ts";

/** `most`: bytes. */
export const remembering = (blobs: Blobs, most = 32 * 2 ** 20): Blobs => {
  /** The latest is the last. */
  const kept = new Map<string, Uint8Array>();
  const keep = (hash: string, bytes: Uint8Array): void => {
    kept.delete(hash);
    kept.set(hash, bytes);
    let size = 0;
    for (const [one, { byteLength }] of [...kept].toReversed()) {
      size += byteLength;
      if (size > most) kept.delete(one);
    }
  };
  return {
    put: async (bytes) => {
      const stored = await blobs.put(bytes);
      if (stored.kind === "stored") keep(stored.hash, Buffer.from(bytes));
      return stored;
    },
    get: async (hash) => {
      const found = kept.get(hash) ?? (await blobs.get(hash));
      if (found !== null) keep(hash, found);
      return found;
    },
    remove: (hash) => {
      kept.delete(hash);
      return blobs.remove(hash);
    },
  };
};
