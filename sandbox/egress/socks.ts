/** Serves one SOCKS5 client (RFC 1928), as much as one needs here: no authentication, CONNECT. */

import type { Socket } from "node:net";
import type { Reach } from "./reach.ts";
import { readHost, type Target } from "./target.ts";
import { join, type Visit } from "./visit.ts";

export const SOCKS_VERSION = 5;
/** How long a client may take to say where it wants to go. */
export const HANDSHAKE_MS = 30_000;

const NO_AUTHENTICATION = Buffer.from([SOCKS_VERSION, 0]);
const NOTHING_ACCEPTABLE = Buffer.from([SOCKS_VERSION, 0xff]);
const REPLY = { done: 0, refused: 2, unreachable: 4, noSuchCommand: 7, noSuchAddress: 8 } as const;

const CONNECT = 1;
const ADDRESS_V4 = 1;
const ADDRESS_NAME = 3;
const ADDRESS_V6 = 4;

/** Owns the socket. Never rejects. */
export const serveSocks = async (socket: Socket, visit: Visit, reach: Reach): Promise<void> => {
  socket.on("error", () => socket.destroy());
  socket.setTimeout(HANDSHAKE_MS, () => socket.destroy());
  const greeting = await take(socket, 2);
  const methods = greeting?.[0] === SOCKS_VERSION ? await take(socket, greeting.readUInt8(1)) : null;
  if (methods === null || methods.length === 0) return void socket.destroy();
  if (!methods.includes(0)) return void socket.end(NOTHING_ACCEPTABLE);
  socket.write(NO_AUTHENTICATION);
  const asked = await readRequest(socket);
  if (asked === null) return void socket.destroy();
  if (typeof asked === "number") return void socket.end(replyBytes(asked));
  const reached = await reach(visit, asked);
  if (reached.kind !== "connected")
    return void socket.end(replyBytes(reached.kind === "refused" ? REPLY.refused : REPLY.unreachable));
  visit.hold(reached.socket);
  socket.write(replyBytes(REPLY.done));
  join(socket, reached.socket);
};

/** The destination, or the reply that says why it gets none; null for what is no request. */
const readRequest = async (socket: Socket): Promise<Target | number | null> => {
  const [version, command, reserved, type = 0] = (await take(socket, 4)) ?? [];
  if (version !== SOCKS_VERSION || reserved !== 0) return null;
  const size = type === ADDRESS_NAME ? (await take(socket, 1))?.[0] : SIZES[type];
  if (size === undefined) return type === ADDRESS_NAME ? null : REPLY.noSuchAddress;
  const address = await take(socket, size);
  const port = (await take(socket, 2))?.readUInt16BE();
  if (address === null || port === undefined) return null;
  if (command !== CONNECT) return REPLY.noSuchCommand;
  const host = readHost(textOf(type, address));
  return host === null || port === 0 ? REPLY.refused : { host, port };
};

const SIZES: Readonly<Record<number, number>> = { [ADDRESS_V4]: 4, [ADDRESS_V6]: 16 };

const textOf = (type: number, bytes: Buffer): string => {
  if (type === ADDRESS_V4) return bytes.join(".");
  if (type === ADDRESS_NAME) return bytes.toString("utf8");
  return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(":");
};

/** The answer to a request. The address in it means nothing to anybody here and is zero. */
const replyBytes = (reply: number): Buffer =>
  Buffer.from([SOCKS_VERSION, reply, 0, ADDRESS_V4, 0, 0, 0, 0, 0, 0]);

/** Exactly so many bytes, no more; null where the client ends before. */
const take = (socket: Socket, size: number): Promise<Buffer | null> => {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const look = (): void => {
    const chunk: unknown = size === 0 ? Buffer.alloc(0) : socket.read(size);
    if (!Buffer.isBuffer(chunk) && !socket.readableEnded && !socket.destroyed) return;
    for (const event of EVENTS) socket.off(event, look);
    resolve(Buffer.isBuffer(chunk) && chunk.length === size ? chunk : null);
  };
  for (const event of EVENTS) socket.on(event, look);
  look();
  return promise;
};

const EVENTS = ["readable", "end", "close"] as const;
