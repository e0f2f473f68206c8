/** A TCP proxy that ends a connection on which no byte came from the server for too long, as nginx and balancers do. */

import { createConnection, createServer, type Socket } from "node:net";
import type { Clock } from "../../src/ports/host.ts";

export interface SilenceProxy {
  readonly origin: string;
  /** Connections that it ended for their silence. */
  readonly ended: () => number;
  /** Connections that are open. */
  readonly open: () => number;
  close(): Promise<void>;
}

export const startSilenceProxy = async (
  clock: Pick<Clock, "after">,
  { port, most }: { readonly port: number; readonly most: number },
): Promise<SilenceProxy> => {
  const sockets = new Set<Socket>();
  let ended = 0;
  let open = 0;
  const server = createServer((near) => {
    const far = createConnection(port, "127.0.0.1");
    open += 1;
    let rest = nothing;
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    const heard = (): void => {
      rest();
      rest = clock.after(most, () => {
        ended += 1;
        end();
      });
    };
    heard();
    far.on("data", heard);
    near.on("data", heard);
    near.pipe(far);
    far.pipe(near);
    near.on("close", () => {
      open -= 1;
      rest();
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    ended: () => ended,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

const nothing = (): void => undefined;
