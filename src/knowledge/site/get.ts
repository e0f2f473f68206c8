/**
 * Gets a page the way commands reach the network: the operator's rules (PARLEY_EGRESS) judge each name and each address of
 * every hop, and what is connected to is what was judged. Bounded in bytes, hops and time, whatever the server does.
 */

import { Agent, type ClientRequestArgs, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { connect as startTls } from "node:tls";
import { createGunzip } from "node:zlib";
import type { Reach } from "../../../sandbox/egress/reach.ts";
import { readAuthority } from "../../../sandbox/egress/target.ts";
import { createVisit } from "../../../sandbox/egress/visit.ts";

export interface Asked {
  readonly url: URL;
  /** Bytes that are taken of it. */
  readonly most: number;
  /** What its server called the state that is known. */
  readonly tag: string | null;
  readonly signal: AbortSignal;
}

export type Got =
  | {
      readonly kind: "page";
      readonly url: URL;
      readonly type: string;
      readonly bytes: Buffer;
      readonly tag: string | null;
    }
  /** As it is known. */
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly status: number; readonly wait: number | null }
  | { readonly kind: "failed"; readonly why: string };

export type Get = (asked: Asked) => Promise<Got>;

const MOST_HOPS = 5;
const TIME = 20_000;
const AT_ONCE = 4;

/** Never rejects. */
export const createGet = (reach: Reach, userAgent: string): Get & { close(): void } => {
  const agents = { "http:": agentOver(reach, false), "https:": agentOver(reach, true) };

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

  const get = async ({ url, most, tag, signal }: Asked): Promise<Got> => {
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
        const bytes = await taken(answer, most);
        if (bytes === null)
          return { kind: "failed", why: `${at.href} is larger than ${Math.round(most / 2 ** 20)} MiB` };
        return { kind: "page", url: at, type: headers["content-type"] ?? "", bytes, tag: tagIn(headers) };
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

/** Connections are opened by `reach`, which judges, and kept for a while for the next page. */
const agentOver = (reach: Reach, isTls: boolean): Agent => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, maxFreeSockets: AT_ONCE, timeout: TIME });
  const connect = async (
    options: ClientRequestArgs,
    done: (error: Error | null, socket?: Duplex) => void,
  ) => {
    const host = options.host ?? "";
    const target = readAuthority(`${host.includes(":") ? `[${host}]` : host}:${options.port}`, null);
    const opened = await open(reach, target, isTls, host).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    if (opened instanceof Error) done(opened);
    else done(null, opened);
  };
  agent.createConnection = (options: ClientRequestArgs, done) => {
    // Node takes an error alone; its types do not say so.
    const called: unknown = done;
    if (typeof called === "function") void connect(options, (...given) => called(...given));
    return undefined;
  };
  return agent;
};

const open = async (
  reach: Reach,
  target: ReturnType<typeof readAuthority>,
  isTls: boolean,
  host: string,
): Promise<Duplex> => {
  if (target === null) throw new Error("its host is none that can be reached");
  const visit = createVisit(null, null, () => undefined);
  const reached = await reach(visit, target);
  if (reached.kind !== "connected") throw new Error(reached.message);
  if (!isTls) return reached.socket;
  // A certificate for an address is one for its host; TLS names no address to the server.
  return startTls({
    socket: reached.socket,
    host,
    ...(target.host.kind === "name" ? { servername: host } : {}),
  });
};

/** Null where it is more than `most`. */
const taken = async (answer: IncomingMessage, most: number): Promise<Buffer | null> => {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new Error("it comes in an encoding that was not asked for");
  const stream = encoding === "gzip" ? answer.pipe(createGunzip()) : answer;
  answer.on("error", (error) => stream.destroy(error));
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > most) {
      answer.destroy();
      return null;
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
};

/** `e` and `m` before it tell an entity tag from a date. */
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
