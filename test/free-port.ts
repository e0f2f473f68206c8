/**
 * A port for a server that cannot be told to take any. Linux gives servers that take any a port of its own range, 32768 and above:
 * these lie below it, so that no other test's server gets one in the meantime.
 */

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const FROM = 15_000;
const TO = 30_000;

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => void server.close(() => resolve(true)));
  });
