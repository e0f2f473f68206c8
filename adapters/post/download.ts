/** Downloads files that people sent from their platform, up to a size and without following redirects. */

import type { ChatPlatform, Fetched } from "../../src/ports/chat-platform.ts";
import type { SharedFile } from "../../src/ports/chat.ts";

interface Serving {
  readonly service: string;
  /** Whether an address is the platform's own and may receive the headers. */
  readonly isOurs: (url: string) => boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns why a successful response contains no file; null if it does. */
  readonly refusal: (headers: Headers, bytes: Buffer, file: SharedFile) => string | null;
}

/** Milliseconds for one file. */
const PATIENCE = 60_000;

export const createDownload =
  ({ service, isOurs, headers, refusal }: Serving): ChatPlatform["fetch"] =>
  async (file, most) => {
    if (file.size > most) return tooLarge(most);
    if (!isOurs(file.url)) return refused(`it is not kept by ${service}`);
    try {
      const answer = await fetch(file.url, {
        headers,
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (!answer.ok) return refused(`${service} answered ${answer.status}`);
      const bytes = await readAtMost(answer.body, most);
      if (bytes === null) {
        await answer.body?.cancel();
        return tooLarge(most);
      }
      const why = refusal(answer.headers, bytes, file);
      return why === null ? { kind: "bytes", bytes } : refused(why);
    } catch (error) {
      return refused(error instanceof Error ? `it did not arrive (${error.name})` : "it did not arrive");
    }
  };

/** Whether an address is on one of the hosts by https, or on the configured API's origin. */
export const isServedBy = (hosts: RegExp, apiUrl: string | undefined, url: string): boolean => {
  const { protocol, hostname, origin } = URL.parse(url) ?? {};
  if (hostname === undefined) return false;
  return (
    (protocol === "https:" && hosts.test(hostname)) ||
    (apiUrl !== undefined && new URL(apiUrl).origin === origin)
  );
};

/**
 * Reads at most `most` bytes, regardless of the declared length. Null if there are more, which the caller
 * must handle.
 */
export const readAtMost = async (
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Buffer | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const tooLarge = (most: number): Fetched =>
  refused(
    most < 1_048_576
      ? `it is larger than ${Math.round(most / 1_024)} KB`
      : `it is larger than ${Math.round(most / 1_048_576)} MB`,
  );

const refused = (why: string): Fetched => ({ kind: "refused", why });
