/** One HTTP request as a test sees it, and how its answer ended. */

import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * How an answer ended. `answered`: all of it was handed to the socket. `aborted`: the client went away first.
 * `cut`: the fake broke the connection on purpose. `at` is epoch milliseconds with fractions, comparable between
 * processes of one machine.
 */
interface ExchangeEnd {
  readonly kind: "answered" | "aborted" | "cut";
  /** Of the answer, as far as it had begun. */
  readonly status: number;
  readonly at: number;
  /** Bytes of the body that were handed to the socket. */
  readonly bytesSent: number;
}

export interface Exchange {
  /** 1 for the first request of this fake. */
  readonly seq: number;
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Lower-case names; the headers that carry secrets are left out and summed up in `auth`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: "bearer" | "x-api-key" | "none";
  /** The parsed JSON body, or the raw text where it is not JSON; undefined without a body. */
  readonly body: unknown;
  /** When the whole request had been read, epoch milliseconds. */
  readonly at: number;
  /** Settles when the answer has ended, whichever way. */
  readonly ended: Promise<ExchangeEnd>;
  /** Settles with the time of it when the client goes away before the answer is complete, and only then. */
  readonly aborted: Promise<number>;
}

/** The fake's own handle on an exchange. */
export interface LiveExchange {
  readonly exchange: Exchange;
  /** Hands bytes to the socket. False when the client is gone. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** Breaks the connection once what was written has left; `reset` sends a TCP reset instead of an orderly end. */
  cut(how: "end" | "reset"): void;
  /** Settles when the client is gone or the answer is complete. */
  readonly over: Promise<ExchangeEnd>;
}

const secretHeaders = new Set(["authorization", "x-api-key", "cookie", "proxy-authorization"]);

const now = (): number => performance.timeOrigin + performance.now();

export const createExchange = (
  seq: number,
  request: IncomingMessage,
  body: unknown,
  response: ServerResponse,
): LiveExchange => {
  const url = new URL(request.url ?? "/", "http://fake");
  const end = Promise.withResolvers<ExchangeEnd>();
  const aborted = Promise.withResolvers<number>();
  let bytesSent = 0;
  let isCut = false;

  response.once("close", () => {
    const kind = isCut ? "cut" : response.writableFinished ? "answered" : "aborted";
    const at = now();
    end.resolve({ kind, status: response.statusCode, at, bytesSent });
    if (kind === "aborted") {
      aborted.resolve(at);
    }
  });

  return {
    exchange: {
      seq,
      method: request.method ?? "",
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: publicHeaders(request),
      auth: authOf(request),
      body,
      at: now(),
      ended: end.promise,
      aborted: aborted.promise,
    },
    write: async (bytes) => {
      if (response.destroyed) {
        return false;
      }
      const left = Promise.withResolvers<boolean>();
      bytesSent += bytes.length;
      response.write(bytes, (error) => left.resolve(error === null || error === undefined));
      return Promise.race([left.promise, end.promise.then(() => false)]);
    },
    cut: (how) => {
      isCut = true;
      if (how === "reset") {
        response.socket?.resetAndDestroy();
      } else {
        response.socket?.destroy();
      }
    },
    over: end.promise,
  };
};

const publicHeaders = (request: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || secretHeaders.has(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

const authOf = (request: IncomingMessage): Exchange["auth"] => {
  if (request.headers["x-api-key"] !== undefined) {
    return "x-api-key";
  }
  return request.headers.authorization?.startsWith("Bearer ") === true ? "bearer" : "none";
};
