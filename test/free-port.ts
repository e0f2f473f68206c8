/**
 * Ports that a run gives once. A client of an earlier test that still looks for its server finds nobody, and its requests are
 * not counted as those of another test. The ports lie below those that Linux gives to servers that take any: 32768 and above.
 * Each worker has a share of its own.
 */

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const FROM = 12_000;
/** Ports of a share: more than a worker needs in a run. */
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
