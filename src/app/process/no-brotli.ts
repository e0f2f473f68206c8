/**
 * Keeps Brotli out of this process. Node before 24.22.1 (22.23.4, 26.12.1) decodes it with a decoder that can be made to
 * write out of bounds (CVE-2026-111497), and fetch asks every server for it. So nobody is asked, and what comes packed
 * that way all the same is refused before a byte of it is decoded. Parley has no other use for it.
 */

import { BrotliDecompress } from "node:zlib";

/** Before the first request goes out. Again changes nothing. */
export const withoutBrotli = (): void => {
  if (Object.hasOwn(BrotliDecompress.prototype, "_transform")) return;
  Object.defineProperty(BrotliDecompress.prototype, "_transform", { value: refuse });
  globalThis.fetch = withoutAsking(globalThis.fetch);
};

const WHY = "The answer is packed with Brotli, which Parley does not unpack.";

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
    // Its reader would wait for ever.
    answer.body?.cancel().catch(() => undefined);
    throw new TypeError(WHY);
  };
