/** An HTTP server on a loopback port of its own whose close ends every socket at once. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { freePort } from "../../free-port.ts";

export interface LoopbackServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** What asks for a WebSocket; the socket is the callee's from then on, its end included. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** `handle` must not reject: a fake turns its own failures into answers and violations. */
export const listenOnLoopback = async (
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  upgrade?: Upgrade,
): Promise<LoopbackServer> => {
  const server = createServer({ noDelay: true, keepAlive: true }, (request, response) => {
    void handle(request, response);
  });
  if (upgrade !== undefined) {
    server.on("upgrade", upgrade);
  }
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  let closing: Promise<void> | undefined;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () => (closing ??= end(server)),
  };
};

const end = async (server: Server): Promise<void> => {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
};

export type BodyRead =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "gone" };

/** Reads a request body of at most `limit` bytes; the rest of a larger one is read and dropped, so it can be answered. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<BodyRead> => {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size <= limit) {
        parts.push(bytes);
      }
    }
  } catch {
    return { kind: "gone" };
  }
  return size > limit ? { kind: "tooLarge" } : { kind: "read", bytes: Buffer.concat(parts) };
};
