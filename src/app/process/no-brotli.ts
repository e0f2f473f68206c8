/**
 * Node before 24.22.1 (22.23.4, 26.12.1) has a decoder that can write out of bounds (CVE-2026-111497), and fetch asks every
 * server for Brotli. Requests no longer ask for Brotli, and a Brotli response is refused before any byte is decoded.
 */

import { BrotliDecompress } from "node:zlib";

/** Must be called before the first request. Further calls have no effect. */
export const withoutBrotli = (): void => {
  if (Object.hasOwn(BrotliDecompress.prototype, "_transform")) return;
  Object.defineProperty(BrotliDecompress.prototype, "_transform", { value: refuse });
  globalThis.fetch = withoutAsking(globalThis.fetch);
};

const WHY = "The response is compressed with Brotli, which Parley does not support.";

const refuse = (_chunk: unknown, _encoding: unknown, done: (error: Error) => void): void =>
  done(new Error(WHY));

type Fetch = typeof globalThis.fetch;

const withoutAsking =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "gzip, deflate");
    const answer = await fetch(input, { ...init, headers });
    if (!/\bbr\b/i.test(answer.headers.get("content-encoding") ?? "")) return answer;
    // Without the cancel, the body's reader would wait forever.
    answer.body?.cancel().catch(() => undefined);
    throw new TypeError(WHY);
  };
