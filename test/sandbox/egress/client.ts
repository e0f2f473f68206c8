/** The other ends of an egress proxy: what a relay would send it, and servers of this machine that it may reach. */

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createEgress, type Egress, type EgressOptions } from "../../../sandbox/egress/egress.ts";
import type { Destination } from "../../../sandbox/egress/visit.ts";

/** Made reachable by the tests' own option; 127.0.0.1 is not, and stands for the host itself. */
export const OPEN = "127.0.0.2";
export const CLOSED = "127.0.0.1";

export const openEgress = async (options: Partial<EgressOptions> = {}): Promise<Egress> => {
  const opened = await createEgress({ allow: null, unsafeOpen: [OPEN], ...options });
  if (opened.kind === "failed") throw new Error(opened.reason);
  return opened.egress;
};

export interface Asker extends AsyncDisposable {
  readonly egress: Egress;
  /** A connection as the relay makes it; half-open like every socket of a command. */
  open(id?: number): Socket;
  /** Sends, ends its side, and answers all that comes back. */
  ask(bytes: string | Buffer): Promise<string>;
  /** Sends, and answers all that comes until the proxy ends. */
  wait(bytes: string): Promise<string>;
  destinations(): readonly Destination[];
}

/** A proxy with one launch admitted. */
export const openAsker = async (
  options: Partial<EgressOptions> = {},
  only: readonly string[] | null = null,
  door: number | null = null,
): Promise<Asker> => {
  const egress = await openEgress(options);
  const end = egress.admit(1, only, door);
  const open: Asker["open"] = (id = 1) => {
    const socket = connect({ path: `${egress.directory}/s`, allowHalfOpen: true });
    const preamble = Buffer.alloc(4);
    preamble.writeUInt32LE(id);
    socket.write(preamble);
    return socket;
  };
  return {
    egress,
    open,
    ask: async (bytes) => {
      const socket = open();
      socket.end(bytes);
      return (await readAll(socket)).toString("latin1");
    },
    wait: async (bytes) => {
      const socket = open();
      socket.write(bytes);
      return (await readAll(socket)).toString("latin1");
    },
    destinations: () => end(),
    [Symbol.asyncDispose]: () => egress.close(),
  };
};

/** Everything up to the end, or up to a reset. */
export const readAll = async (socket: Socket): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  socket.on("error", () => socket.destroy());
  socket.on("end", () => socket.end());
  await once(socket, "close");
  return Buffer.concat(pieces);
};

/** What arrives until it holds `mark`, so that nothing has to be slept for. */
export const readUntil = async (socket: Socket, mark: string): Promise<string> => {
  let text = "";
  for (;;) {
    const piece: unknown = socket.read();
    if (Buffer.isBuffer(piece)) text += piece.toString("latin1");
    if (text.includes(mark)) return text;
    if (socket.readableEnded || socket.destroyed) throw new Error(`ended after ${JSON.stringify(text)}`);
    await Promise.race([once(socket, "readable"), once(socket, "end"), once(socket, "close")]);
  }
};

export interface Listening<S extends Server> extends AsyncDisposable {
  readonly server: S;
  readonly port: number;
  /** Connections so far. */
  readonly count: () => number;
}

export const listen = async <S extends Server>(server: S, host: string = OPEN): Promise<Listening<S>> => {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    server,
    port: portOf(server.address()),
    count: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};

/** Answers everything it has been sent, once that has ended. */
export const echo = (): Server =>
  createServer({ allowHalfOpen: true }, (socket) => {
    const pieces: Buffer[] = [];
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("end", () => socket.end(Buffer.concat([Buffer.from("echo:"), ...pieces])));
  });

/** Of an HTTP answer; 0 when it is none. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

export const bodyOf = (answer: string): string => answer.slice(answer.indexOf("\r\n\r\n") + 4);

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};
