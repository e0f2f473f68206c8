/** Serves one SOCKS5 client. */

import type { Socket } from "node:net";
import type { Reach } from "./reach.ts";
import { type Read, readGreeting, readRequest, REPLY, replyBytes, SOCKS_VERSION } from "./socks.ts";
import type { Target } from "./target.ts";
import { join } from "./tunnel.ts";
import type { Visit } from "./visit.ts";

/** How long a client may take to say where it wants to go. */
export const HANDSHAKE_MS = 30_000;
/** More than the longest greeting and the longest request. */
const MAX_HANDSHAKE = 1024;
const NO_AUTHENTICATION = Buffer.from([SOCKS_VERSION, 0]);
const NOTHING_ACCEPTABLE = Buffer.from([SOCKS_VERSION, 0xff]);

/** Owns the socket. Never rejects. */
export const serveSocks = async (socket: Socket, visit: Visit, reach: Reach): Promise<void> => {
  socket.on("error", () => socket.destroy());
  socket.setTimeout(HANDSHAKE_MS, () => socket.destroy());
  const greeting = await read(socket, readGreeting);
  if (greeting === null) return void socket.destroy();
  if (!greeting) return void socket.end(NOTHING_ACCEPTABLE);
  socket.write(NO_AUTHENTICATION);
  const asked = await read(socket, readRequest);
  if (asked === null) return void socket.destroy();
  if (asked.kind === "reply") return void socket.end(replyBytes(asked.reply));
  await connect(socket, visit, reach, asked.target);
};

const connect = async (socket: Socket, visit: Visit, reach: Reach, target: Target): Promise<void> => {
  const reached = await reach(visit, target);
  switch (reached.kind) {
    case "connected":
      visit.hold(reached.socket);
      socket.write(replyBytes(REPLY.done));
      return join(socket, reached.socket);
    case "refused":
      return void socket.end(replyBytes(REPLY.refused));
    case "failed":
      return void socket.end(replyBytes(REPLY.unreachable));
  }
};

/** Waits for as many bytes as `reader` needs and takes no more; null when they are wrong or do not come. */
const read = async <T>(socket: Socket, reader: (bytes: Buffer) => Read<T>): Promise<T | null> => {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const result = reader(bytes);
    if (result.kind === "bad" || bytes.length > MAX_HANDSHAKE) return null;
    if (result.kind === "read") {
      const rest = bytes.subarray(result.length);
      if (rest.length > 0) socket.unshift(rest);
      return result.value;
    }
    const chunk = await next(socket);
    if (chunk === null) return null;
    bytes = Buffer.concat([bytes, chunk]);
  }
};

/** The next bytes; null at the end. */
const next = (socket: Socket): Promise<Buffer | null> => {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const look = (): void => {
    const chunk: unknown = socket.read();
    if (!Buffer.isBuffer(chunk) && !socket.readableEnded && !socket.destroyed) return;
    for (const event of EVENTS) socket.off(event, look);
    resolve(Buffer.isBuffer(chunk) ? chunk : null);
  };
  for (const event of EVENTS) socket.on(event, look);
  look();
  return promise;
};

const EVENTS = ["readable", "end", "close"] as const;
