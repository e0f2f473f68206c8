/**
 * The proxy's HTTP side: CONNECT tunnels, and plain requests with an absolute URL, both read by Node's strict parser. Anything
 * except one well-formed request (two lengths, a stray line break, a NUL) is refused.
 */

import {
  createServer,
  type IncomingMessage,
  request as startRequest,
  type Server,
  ServerResponse,
} from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Reach, ConnectResult } from "./reach.ts";
import { targetNameOf, readAuthority, type EgressTarget } from "./target.ts";
import { HANDSHAKE_MS, IDLE_MS, joinStreams, type Visit } from "./visit.ts";

const MAX_HEAD = 16 * 1024;
const MAX_HEADERS = 100;
/** Headers for one hop only. `host` is rebuilt from the destination, so that the server receives the checked name. */
const HOP = new Set(
  (
    "connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer " +
    "transfer-encoding upgrade host"
  ).split(" "),
);

export const createHttpSide = (reach: Reach): ((socket: Socket, visit: Visit) => void) => {
  const visits = new WeakMap<Duplex, Visit>();
  const server: Server = createServer({
    maxHeaderSize: MAX_HEAD,
    headersTimeout: HANDSHAKE_MS,
    requestTimeout: 0,
    keepAliveTimeout: HANDSHAKE_MS,
    requireHostHeader: false,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.timeout = IDLE_MS;
  server.on("connect", (request, socket, head) => {
    const visit = visits.get(socket);
    if (visit === undefined || !(socket instanceof Socket)) return void socket.destroy();
    if (head.length > 0) socket.unshift(head);
    // An earlier response may still occupy the socket.
    connectTunnel(reach, visit, request, socket).catch(() => socket.destroy());
  });
  server.on("request", (request, response) => {
    const visit = visits.get(request.socket);
    if (visit === undefined) return void request.socket.destroy();
    forward(reach, visit, request, response).catch(() => request.socket.destroy());
  });
  return (socket, visit) => {
    visits.set(socket, visit);
    server.emit("connection", socket);
  };
};

const connectTunnel = async (
  reach: Reach,
  visit: Visit,
  request: IncomingMessage,
  socket: Socket,
): Promise<void> => {
  socket.on("error", () => socket.destroy());
  const target = readAuthority(request.url ?? "", null);
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.on("finish", () => socket.end());
  if (target === null) return refuse(response, 400, BAD_TARGET);
  const reached = await reach(visit, target);
  if (reached.kind !== "connected") return refuse(response, statusOf(reached), reached.message);
  response.detachSocket(socket);
  visit.hold(reached.socket);
  socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
  joinStreams(socket, reached.socket);
};

const forward = async (
  reach: Reach,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const parts = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(request.url ?? "");
  const target = readAuthority(parts?.[1] ?? "", 80);
  if (target === null) return refuse(response, 400, BAD_TARGET);
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding !== "chunked") return refuse(response, 400, BAD_CODING);
  const reached = await reach(visit, target);
  if (reached.kind !== "connected") return refuse(response, statusOf(reached), reached.message);
  visit.hold(reached.socket);
  try {
    pass(request, response, reached.socket, target, parts?.[2] ?? "");
  } catch {
    /* Node accepts fewer characters in a header or path than its parser does. */
    reached.socket.destroy();
    refuse(response, 400, "The request cannot be passed on.");
  }
};

const pass = (
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Socket,
  target: EgressTarget,
  path: string,
): void => {
  const host = targetNameOf(target).replace(/:80$/, "");
  const outgoing = startRequest({
    createConnection: () => upstream,
    setHost: false,
    method: request.method ?? "GET",
    path: path.startsWith("/") ? path : `/${path}`,
    headers: ["Host", host, "Connection", "close", ...framing(request), ...endToEnd(request.rawHeaders)],
  });
  upstream.setTimeout(IDLE_MS, () => outgoing.destroy());
  outgoing.on("error", (error) => {
    refuse(response, 502, `${targetNameOf(target)} did not answer: ${error.message}.`);
  });
  outgoing.on("response", (answer) => {
    try {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, [...endToEnd(answer.rawHeaders)]);
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    } catch {
      outgoing.destroy();
      refuse(response, 502, `${targetNameOf(target)} answered with headers that cannot be passed on.`);
    }
  });
  response.on("close", () => outgoing.destroy());
  request.on("error", () => outgoing.destroy());
  request.pipe(outgoing);
};

/** Adds the transfer coding again; without this header, the chunks of a body would be forwarded undecoded. */
const framing = (request: IncomingMessage): readonly string[] =>
  request.headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"];

const endToEnd = (raw: readonly string[]): readonly string[] => {
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = "", value = ""] = raw.slice(i, i + 2);
    if (!HOP.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
};

const BAD_TARGET =
  "The destination is not a plain host name, IPv4 address or [IPv6 address] with a port between 1 and 65535.";

const BAD_CODING = "The only transfer coding that is passed on is chunked.";

const statusOf = (reached: ConnectResult): number => (reached.kind === "refused" ? 403 : 502);

const refuse = (response: ServerResponse, status: number, message: string): void => {
  if (response.headersSent) return void response.destroy();
  const body = `${message}\n`;
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  response.end(body);
};
