/**
 * Gets a page the way commands reach the network: the operator's rules (PARLEY_EGRESS) judge each name and each address of
 * every hop, and what is connected to is what was judged. Bounded in bytes, hops and time, whatever the server does.
 */

import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Agent, buildConnector, interceptors, request } from "undici";
import * as z from "zod";
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
  const agent = new Agent({ connect: connectOver(reach), connections: AT_ONCE, keepAliveTimeout: TIME });
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: MOST_HOPS }));

  const get = async ({ url, most, tag, signal }: Asked): Promise<Got> => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(TIME)]);
    try {
      const {
        statusCode: status,
        headers,
        body,
        context,
      } = await request(url, {
        dispatcher,
        signal: ending,
        headers: {
          "user-agent": userAgent,
          accept: "text/html, text/markdown, text/plain, application/xml;q=0.5",
          "accept-encoding": "gzip",
          ...validator(tag),
        },
      });
      if (status !== 200) body.on("error", () => undefined).destroy();
      if (status === 304) return { kind: "same" };
      if (status > 299 && status < 400 && headers["location"] !== undefined)
        return { kind: "failed", why: `${url.href} redirects too often` };
      if (status !== 200) {
        const after = Number(headers["retry-after"]);
        return { kind: "refused", status, wait: Number.isFinite(after) ? after * 1_000 : null };
      }
      const bytes = await taken(body, headers["content-encoding"], most);
      const at = hops.parse(context).history.at(-1) ?? url;
      if (bytes === null)
        return { kind: "failed", why: `${at.href} is larger than ${Math.round(most / 2 ** 20)} MiB` };
      return {
        kind: "page",
        url: at,
        type: String(headers["content-type"] ?? ""),
        bytes,
        tag: tagIn(headers),
      };
    } catch (error) {
      const why = signal.aborted ? "it was ended" : ending.aborted ? "it took too long" : reasonOf(error);
      return { kind: "failed", why: `${url.href}: ${why}` };
    }
  };

  return Object.assign(get, { close: () => void agent.destroy() });
};

/** The addresses that a request went to, one after the other. */
const hops = z.object({ history: z.array(z.instanceof(URL)).readonly() });

/** Connections are opened by `reach`, which judges, and kept for a while for the next page. */
const connectOver = (reach: Reach): buildConnector.connector => {
  const secured = buildConnector({ timeout: TIME });
  const open = async ({ host = "", protocol }: buildConnector.Options): Promise<Socket> => {
    const target = readAuthority(host, protocol === "https:" ? 443 : 80);
    if (target === null) throw new Error("its host is none that can be reached");
    const reached = await reach(
      createVisit(null, null, () => undefined),
      target,
    );
    if (reached.kind !== "connected") throw new Error(reached.message);
    return reached.socket;
  };
  return (asked, done) => {
    const opened = (socket: Socket): void =>
      asked.protocol === "https:" ? secured({ ...asked, httpSocket: socket }, done) : done(null, socket);
    open(asked).then(opened, (error: Error) => done(error, null));
  };
};

/** Null where it is more than `most`. */
const taken = async (
  body: Readable,
  encoding: string | string[] | undefined,
  most: number,
): Promise<Buffer | null> => {
  if (encoding !== undefined && encoding !== "identity" && encoding !== "gzip")
    throw new Error("it comes in an encoding that was not asked for");
  const stream = encoding === "gzip" ? body.pipe(createGunzip()) : body;
  body.on("error", (error) => stream.destroy(error));
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > most) {
      body.destroy();
      return null;
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
};

/** `e` and `m` before it tell an entity tag from a date. */
const tagIn = ({ etag, "last-modified": modified }: IncomingHttpHeaders): string | null => {
  const tag = etag !== undefined ? `e${etag}` : modified !== undefined ? `m${modified}` : null;
  return tag === null || tag.length > 300 ? null : tag;
};

const validator = (tag: string | null): Readonly<Record<string, string>> => {
  if (tag === null) return {};
  return tag.startsWith("e") ? { "if-none-match": tag.slice(1) } : { "if-modified-since": tag.slice(1) };
};

const reasonOf = (error: unknown): string => {
  const why = error instanceof Error ? error.message : String(error);
  return why.startsWith("Redirect loop") ? "it redirects in a circle" : why.slice(0, 300).replace(/\.$/, "");
};
