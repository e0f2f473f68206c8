/**
 * Requests a page under the same rules as commands: the operator's rules (PARLEY_EGRESS) check the name and the IP address of
 * every hop, and the connection uses the checked address. Bytes, hops and time are limited, whatever the server does.
 */

import { type IncomingMessage, request } from "node:http";
import { createGunzip } from "node:zlib";
import { agentOver } from "./agent.ts";
import type { Reach } from "./reach.ts";

interface Asked {
  readonly url: URL;
  /** Bytes. */
  readonly most: number;
  /** The server's tag of the known version; null if no version is known. */
  readonly tag: string | null;
  readonly signal: AbortSignal;
  /** Whether a redirect to the URL may be followed; absent for any target that the rules allow. */
  readonly mayFollow?: (url: URL) => boolean;
  /** Whether the body of this media type is read; absent for every type. */
  readonly accepts?: (type: string) => boolean;
  /** Set if the first `most` bytes of a larger page are enough. */
  readonly isPartEnough?: true;
}

export type Got =
  | {
      readonly kind: "page";
      readonly url: URL;
      readonly type: string;
      readonly bytes: Buffer;
      readonly tag: string | null;
      /** Set if more bytes follow. */
      readonly isPart?: true;
    }
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly status: number; readonly wait: number | null }
  /** The page redirects to a forbidden target. */
  | { readonly kind: "elsewhere"; readonly url: URL }
  | { readonly kind: "failed"; readonly why: string };

export type Get = (asked: Asked) => Promise<Got>;

const MOST_HOPS = 5;
const TIME = 20_000;

/** Never rejects. */
export const createGet = (reach: Reach, userAgent: string): Get & { close(): void } => {
  const agents = { "http:": agentOver(reach, false, TIME), "https:": agentOver(reach, true, TIME) };

  const ask = (url: URL, tag: string | null, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { protocol, hostname, port, pathname, search, host } = url;
      const isTls = protocol === "https:";
      const sent = request({
        agent: isTls ? agents["https:"] : agents["http:"],
        host: hostname.replace(/^\[|\]$/g, ""),
        port: port === "" ? (isTls ? 443 : 80) : Number(port),
        path: `${pathname}${search}`,
        signal,
        headers: {
          host,
          "user-agent": userAgent,
          accept: "text/html, text/markdown, text/plain, application/xml;q=0.5",
          "accept-encoding": "gzip",
          ...validator(tag),
        },
      });
      sent.on("response", resolve);
      sent.on("error", reject);
      sent.end();
    });

  const get = async ({ url, most, tag, signal, mayFollow, accepts, isPartEnough }: Asked): Promise<Got> => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(TIME)]);
    try {
      let at = url;
      for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
        const answer = await ask(at, tag, ending);
        const { statusCode: status = 0, headers } = answer;
        const { location } = headers;
        const next =
          status < 300 || status > 399 || location === undefined ? null : URL.parse(location, at.href);
        if (next !== null && /^https?:$/.test(next.protocol)) {
          answer.destroy();
          if (mayFollow?.(next) === false) return { kind: "elsewhere", url: next };
          at = next;
          continue;
        }
        if (status === 304) {
          answer.resume();
          return { kind: "same" };
        }
        if (status !== 200) {
          answer.destroy();
          const after = Number(headers["retry-after"]);
          return { kind: "refused", status, wait: Number.isFinite(after) ? after * 1_000 : null };
        }
        const type = headers["content-type"] ?? "";
        if (accepts?.(type) === false) {
          answer.destroy();
          return { kind: "failed", why: `${at.href} is no text` };
        }
        const { bytes, isWhole } = await taken(answer, most);
        if (isWhole) return { kind: "page", url: at, type, bytes, tag: tagIn(headers) };
        return isPartEnough === true
          ? { kind: "page", url: at, type, bytes, tag: null, isPart: true }
          : { kind: "failed", why: `${at.href} is larger than ${Math.round(most / 2 ** 20)} MiB` };
      }
      return { kind: "failed", why: `${url.href} redirects too often` };
    } catch (error) {
      const why = signal.aborted ? "it was ended" : ending.aborted ? "it took too long" : reasonOf(error);
      return { kind: "failed", why: `${url.href}: ${why}` };
    }
  };

  return Object.assign(get, {
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  });
};

/** Reads at most the first `most` bytes. */
const taken = async (
  answer: IncomingMessage,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> => {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new Error("it comes in an encoding that was not asked for");
  const stream = encoding === "gzip" ? answer.pipe(createGunzip()) : answer;
  answer.on("error", (error) => stream.destroy(error));
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    parts.push(part);
    if (size > most) {
      answer.destroy();
      return { bytes: Buffer.concat(parts).subarray(0, most), isWhole: false };
    }
  }
  return { bytes: Buffer.concat(parts), isWhole: true };
};

/** The prefix `e` marks an entity tag, `m` a date. */
const tagIn = ({ etag, "last-modified": modified }: IncomingMessage["headers"]): string | null => {
  const tag = etag !== undefined ? `e${etag}` : modified !== undefined ? `m${modified}` : null;
  return tag === null || tag.length > 300 ? null : tag;
};

const validator = (tag: string | null): Readonly<Record<string, string>> => {
  if (tag === null) return {};
  return tag.startsWith("e") ? { "if-none-match": tag.slice(1) } : { "if-modified-since": tag.slice(1) };
};

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300).replace(/\.$/, "");
