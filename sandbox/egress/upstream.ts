/** Connections through the operator's outgoing proxy: one CONNECT, then the bytes of both sides. */

import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { Socket } from "node:net";

/** Null if the connection to `host:port` is direct. */
export type ProxyOf = (host: string, port: number) => URL | null;

export type Tunnel =
  | { readonly kind: "open"; readonly socket: Socket }
  /** `why`: half a sentence, without the proxy's address, which may contain a password. */
  | { readonly kind: "failed"; readonly why: string };

/** Never rejects. */
export const openTunnel = (proxy: URL, target: string, timeoutMs: number): Promise<Tunnel> => {
  const { promise, resolve } = Promise.withResolvers<Tunnel>();
  const isTls = proxy.protocol === "https:";
  const request = (isTls ? tlsRequest : plainRequest)({
    // The shared agent would use the proxy to reach the proxy.
    agent: false,
    method: "CONNECT",
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port === "" ? (isTls ? 443 : 80) : Number(proxy.port),
    path: target,
    headers: { host: target, ...credentials(proxy) },
    signal: AbortSignal.timeout(timeoutMs),
  });
  request.once("connect", ({ statusCode = 0 }, socket: Socket, head) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      resolve({
        kind: "failed",
        why: `the operator's proxy answered ${statusCode}${REASONS[statusCode] ?? ""}`,
      });
      return;
    }
    if (head.length > 0) socket.unshift(head);
    socket.setNoDelay(true);
    resolve({ kind: "open", socket });
  });
  // A server that is no proxy answers without a tunnel.
  request.once("response", (answer) => {
    answer.destroy();
    resolve({
      kind: "failed",
      why: `the operator's proxy answered ${answer.statusCode} and opened no tunnel`,
    });
  });
  request.once("error", (error) => {
    const code = "code" in error && typeof error.code === "string" ? error.code : error.message;
    const why = error.name === "TimeoutError" || error.name === "AbortError" ? "it does not answer" : code;
    resolve({ kind: "failed", why: `the operator's proxy cannot be used: ${why}` });
  });
  request.end();
  return promise;
};

const REASONS: Readonly<Record<number, string>> = {
  403: " (it does not allow this destination)",
  407: " (it wants another user name or password)",
};

const credentials = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
};
