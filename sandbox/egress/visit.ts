import type { Socket } from "node:net";

/** Limit of different destinations for one command. Further destinations are refused, so that the record is complete. */
const MAX_DESTINATIONS = 100;

export interface Visit {
  /** The only permitted `host:port` destinations; null if only the operator's rules apply. */
  readonly only: readonly string[] | null;
  /** A port on the host's 127.0.0.1 that is open for this command alone. */
  readonly door: number | null;
  /** Reserves a place in the record before a destination is processed; false if the record is full. */
  reserve(host: string, port: number): boolean;
  record(destination: Destination, why: string | null): void;
  destinations(): readonly Destination[];
  hold(socket: Socket): void;
  end(): void;
}

/** Recorded once for each command. */
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
      /* An allowed destination remains recorded as allowed, because its name may resolve differently later. */
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

/** Time limit for a client to send its destination. */
export const HANDSHAKE_MS = 30_000;

/** Time limit for a connection without traffic in either direction. */
export const IDLE_MS = 10 * 60_000;

/** When one side ends, only that direction ends; the opposite direction continues. */
export const joinStreams = (a: Socket, b: Socket): void => {
  const end = (): void => {
    a.destroy();
    b.destroy();
  };
  for (const socket of [a, b]) {
    socket.on("error", end);
    socket.setTimeout(IDLE_MS, end);
  }
  /* A side that closes without a proper end (reset) closes the other side too. */
  a.once("close", () => destroyUnread(b));
  b.once("close", () => destroyUnread(a));
  a.pipe(b);
  b.pipe(a);
};

/** Closes the socket unless it has ended properly, because pending data must still be delivered then. */
const destroyUnread = (socket: Socket): void => {
  if (!socket.writableEnded) socket.destroy();
};
