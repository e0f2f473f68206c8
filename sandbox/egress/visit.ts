/** One command on its way out: where it has asked to go, and its connections. */

import type { Socket } from "node:net";

/** Different destinations of one command. More are refused, so that what is recorded is everything. */
const MAX_DESTINATIONS = 100;

export interface Visit {
  /** The only `host:port` it may reach; null where the operator's rules decide alone. */
  readonly only: readonly string[] | null;
  /** A port of the host's 127.0.0.1 that was opened for this command alone. */
  readonly door: number | null;
  /** Makes room for a destination before anything is done for it; false when there is none left. */
  reserve(host: string, port: number): boolean;
  record(destination: Destination, why: string | null): void;
  destinations(): readonly Destination[];
  hold(socket: Socket): void;
  /** Ends what is still open. */
  end(): void;
}

/** A place in the network that a command asked for, once a command. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
}

export const createVisit = (
  only: readonly string[] | null,
  door: number | null,
  onDestination: (destination: Destination, why: string | null) => void,
): Visit => {
  /** Null: reserved. */
  const seen = new Map<string, Destination | null>();
  const sockets = new Set<Socket>();
  const reserve = (host: string, port: number): boolean => {
    const key = `${host} ${port}`;
    if (!seen.has(key) && seen.size < MAX_DESTINATIONS) seen.set(key, null);
    return seen.has(key);
  };
  return {
    only,
    door,
    reserve,
    record: (destination, why) => {
      if (!reserve(destination.host, destination.port)) return;
      const key = `${destination.host} ${destination.port}`;
      const before = seen.get(key) ?? null;
      /* What was once let through stays so: a name may mean something else by now. */
      if (before !== null && (before.allowed || !destination.allowed)) return;
      seen.set(key, destination);
      onDestination(destination, why);
    },
    destinations: () => [...seen.values()].filter((destination) => destination !== null),
    hold: (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    },
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** How long a client may take to say where it wants to go. */
export const HANDSHAKE_MS = 30_000;

/** A connection on which nothing moves in either direction is ended after this long. */
export const IDLE_MS = 10 * 60_000;

/** Each side's end is the other's end, and no more than that: what still flows the other way keeps flowing. */
export const joinStreams = (a: Socket, b: Socket): void => {
  const end = (): void => {
    a.destroy();
    b.destroy();
  };
  for (const socket of [a, b]) {
    socket.on("error", end);
    socket.setTimeout(IDLE_MS, end);
  }
  /* A side that is gone without an end of its own (reset) takes the other along. */
  a.once("close", () => destroyUnread(b));
  b.once("close", () => destroyUnread(a));
  a.pipe(b);
  b.pipe(a);
};

/** What has arrived is still delivered where the end was in order. */
const destroyUnread = (socket: Socket): void => {
  if (!socket.writableEnded) socket.destroy();
};
