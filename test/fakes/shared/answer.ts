/** Puts answers on the wire. Each returns when the answer is over or the client has gone away. */

import type { ServerResponse } from "node:http";
import type { LiveExchange } from "./exchange.ts";

export interface Reply {
  readonly live: LiveExchange;
  readonly response: ServerResponse;
}

export type Headers = Readonly<Record<string, string>>;

export const sendJson = (reply: Reply, status: number, body: unknown, headers: Headers = {}): Promise<void> =>
  send(reply, status, "application/json; charset=utf-8", Buffer.from(JSON.stringify(body)), headers);

export const sendText = (reply: Reply, status: number, text: string, headers: Headers = {}): Promise<void> =>
  send(reply, status, "text/plain; charset=utf-8", Buffer.from(text), headers);

/** What a proxy in between says when the platform is away, or a sign-in page in the place of a file. */
export const sendHtml = (
  reply: Reply,
  status: number,
  title: string,
  headers: Headers = {},
): Promise<void> => {
  const page = `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return send(reply, status, "text/html; charset=utf-8", Buffer.from(page), headers);
};

export const sendEmpty = (reply: Reply, status: number, headers: Headers = {}): Promise<void> =>
  send(reply, status, status === 204 ? null : "application/json; charset=utf-8", Buffer.alloc(0), headers);

export const sendBytes = (reply: Reply, type: string, bytes: Buffer): Promise<void> =>
  send(reply, 200, type, bytes, { "content-length": String(bytes.length) });

/** The connection ends after half of the bytes that were announced. */
export const sendHalf = async ({ live, response }: Reply, type: string, bytes: Buffer): Promise<void> => {
  response.writeHead(200, { "content-type": type, "content-length": String(bytes.length) });
  if (await live.write(bytes.subarray(0, bytes.length / 2))) live.cut("end");
};

const send = async (
  { live, response }: Reply,
  status: number,
  type: string | null,
  bytes: Buffer,
  headers: Headers,
): Promise<void> => {
  response.writeHead(status, { ...(type === null ? {} : { "content-type": type }), ...headers });
  if (bytes.length > 0 && !(await live.write(bytes))) {
    return;
  }
  response.end();
  await live.over;
};
