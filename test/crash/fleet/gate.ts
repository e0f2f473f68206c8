/** A port of this machine behind which another one is: counts what a host sends there, so that it is known which one did. */

import { connect, createServer, type AddressInfo } from "node:net";

export interface Gate {
  readonly url: string;
  /** Bytes that went out. */
  sent(): number;
  close(): void;
}

export const createGate = async (target: string): Promise<Gate> => {
  const { hostname, port, pathname } = new URL(target);
  let sent = 0;
  const server = createServer((inward) => {
    const outward = connect(Number(port), hostname);
    inward.on("data", (chunk) => {
      sent += chunk.length;
    });
    inward.pipe(outward).pipe(inward);
    for (const side of [inward, outward]) {
      side.on("error", () => undefined);
      side.on("close", () => {
        inward.destroy();
        outward.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}${pathname === "/" ? "" : pathname}`,
    sent: () => sent,
    close: () => void server.close(),
  };
};
