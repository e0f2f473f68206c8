/**
 * A port of this machine behind which another one is: it counts what a host sends there, and something can befall the host at a
 * request of its own, so that it is known which one it was.
 */

import { connect, createServer, type AddressInfo } from "node:net";

export interface Gate {
  readonly url: string;
  /** Bytes that went out. */
  sent(): number;
  /**
   * `then` at the `no`th request from now on, which does not get through, or whose answer does not. Answers how to call it
   * off: whether it has not been yet.
   */
  meet(when: "before" | "after", no: number, then: () => void): () => boolean;
  close(): void;
}

/** Clients wait for an answer before they send the next request on a connection. */
const BEGINS = /^(?:GET|POST|PUT|PATCH|DELETE) /;

export const createGate = async (target: string): Promise<Gate> => {
  const { hostname, port, pathname } = new URL(target);
  let sent = 0;
  let armed: { readonly when: "before" | "after"; no: number; readonly then: () => void } | null = null;
  const isIt = (): "before" | "after" | null => {
    if (armed === null) return null;
    armed.no -= 1;
    return armed.no === 0 ? armed.when : null;
  };
  const passed = (): void => {
    const then = armed?.then;
    armed = null;
    then?.();
  };
  const server = createServer((inward) => {
    const outward = connect(Number(port), hostname);
    let awaits = false;
    let isCut = false;
    inward.on("data", (chunk) => {
      sent += chunk.length;
      if (BEGINS.test(chunk.toString("latin1", 0, 8))) {
        const when = isIt();
        awaits = when === "after";
        if (when === "before") {
          isCut = true;
          passed();
        }
      }
      if (!isCut) outward.write(chunk);
    });
    outward.on("data", (chunk) => {
      if (awaits) {
        isCut = true;
        awaits = false;
        passed();
      }
      if (!isCut) inward.write(chunk);
    });
    for (const side of [inward, outward]) {
      side.on("error", () => undefined);
      side.on("end", () => {
        if (!isCut) (side === inward ? outward : inward).end();
      });
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
    meet: (when, no, then) => {
      const mine = { when, no, then };
      armed = mine;
      return () => {
        if (armed !== mine) return false;
        armed = null;
        return true;
      };
    },
    close: () => void server.close(),
  };
};
