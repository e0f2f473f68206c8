/**
 * Files that were read or written last stay in memory: a bucket is far away, and the pictures of a thread go with each request
 * to a model.
 */

import type { Blobs } from "../../ports/store.ts";

/** `most`: bytes. */
export const remembering = (blobs: Blobs, most = 32 * 2 ** 20): Blobs => {
  /** The latest is the last. */
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  const forget = (hash: string): void => {
    size -= kept.get(hash)?.byteLength ?? 0;
    kept.delete(hash);
  };
  const keep = (hash: string, bytes: Uint8Array): void => {
    forget(hash);
    kept.set(hash, bytes);
    size += bytes.byteLength;
    for (const oldest of kept.keys()) {
      if (size <= most) return;
      forget(oldest);
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
      forget(hash);
      return blobs.remove(hash);
    },
  };
};
