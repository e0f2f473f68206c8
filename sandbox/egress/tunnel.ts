/** Two sockets become one connection. */

import type { Socket } from "node:net";

/** A connection on which nothing moves in either direction is ended after this long. */
export const IDLE_MS = 10 * 60_000;

/** Each side's end is the other's end, and no more than that: what still flows the other way keeps flowing. */
export const join = (a: Socket, b: Socket): void => {
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
