/**
 * Each port is given once in a run. A late request of an earlier test's client finds no server, and no other test counts it. Linux
 * gives ports from 32768 on to servers that take any port, so these lie below. Each worker has its own range.
 */

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const FROM = 12_000;
/** Ports of a worker's range: more than it needs in a run. */
const SHARE = 5_000;
const SHARES = 4;

/** Free on 127.0.0.1. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FROM + share * SHARE + next;
    next = (next + 1) % SHARE;
    if (await isFree(port)) return port;
  }
};

const share = Number(process.env["VITEST_POOL_ID"] ?? 0) % SHARES;
let next = randomInt(SHARE);

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => void server.close(() => resolve(true)));
  });
