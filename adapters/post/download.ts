/** Downloads files that people sent from their platform, up to a size and without following redirects. */

import type { ChatPlatform, Fetched } from "../../src/ports/chat-platform.ts";
import type { SharedFile } from "../../src/ports/chat.ts";

interface Serving {
  readonly service: string;
  /** Whether an address is the platform's own and may receive the headers. */
  readonly isOurs: (url: string) => boolean;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns why the response is not the file, in the platform's terms; null for other failures and for the file. `read`:
   * number of bytes, once they are read.
   */
  readonly why: (answer: Response, file: SharedFile, read: number | null) => string | null;
}

/** Milliseconds for one file. */
const PATIENCE = 60_000;

export const createDownload =
  ({ service, isOurs, headers, why }: Serving): ChatPlatform["fetch"] =>
  async (file, most) => {
    if (file.size > most) return tooLarge(most);
    if (!isOurs(file.url)) return refused(`it is not kept by ${service}`);
    const deadline = AbortSignal.timeout(PATIENCE);
    try {
      const answer = await fetch(file.url, { headers, redirect: "manual", signal: deadline });
      const refusal = why(answer, file, null) ?? (answer.ok ? null : `${service} answered ${answer.status}`);
      const bytes = refusal === null ? await readAtMost(answer.body, most) : null;
      if (bytes === null) await answer.body?.cancel();
      if (refusal !== null) return refused(refusal);
      if (bytes === null) return tooLarge(most);
      const late = why(answer, file, bytes.length) ?? (bytes.length < file.size ? ENDED : null);
      return late === null ? { kind: "bytes", bytes } : refused(late);
    } catch (error) {
      if (deadline.aborted) return refused(`${service} did not send it within ${PATIENCE / 1_000} seconds`);
      const isAnswered = !(error instanceof TypeError && error.message === "fetch failed");
      return refused(isAnswered ? ENDED : `${service} cannot be reached`);
    }
  };

const ENDED = "its download ended early; send it again";

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
