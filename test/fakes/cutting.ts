/** Stands between a host and PostgreSQL, and cuts connections where the test says so. */

import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The statement does not arrive, or its answer does not. */
export type Cut = "before" | "after";

export interface Cutting {
  readonly directory: string;
  /** The same over TCP. */
  readonly port: () => Promise<number>;
  /** The next statement that has `text` loses its connection. */
  cut(when: Cut, text: string): void;
  /** Ends all connections, and takes no more until `open`. */
  shut(): void;
  open(): void;
  /** Connections from now on reach another server. */
  turnTo(postgres: string): void;
  /** Milliseconds that each statement takes longer. */
  slow(millis: number): void;
  readonly cuts: () => number;
  end(): void;
}

const SOCKET = ".s.PGSQL.5432";

export const startCutting = async (postgres: string): Promise<Cutting> => {
  const directory = mkdtempSync(join(tmpdir(), "parley-cut-"));
  const sockets = new Set<Socket>();
  let next: { readonly when: Cut; readonly text: string } | null = null;
  let isShut = false;
  let server = postgres;
  let delay = 0;
  let cuts = 0;

  const shut = (): void => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };

  const serve = (near: Socket): void => {
    if (isShut) return void near.destroy();
    const far = createConnection(join(server, SOCKET));
    let isLast = false;
    const cut = (): void => {
      cuts += 1;
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    near.on("data", (data) => {
      if (next !== null && data.includes(next.text)) {
        isLast = true;
        const { when } = next;
        next = null;
        if (when === "before") return cut();
      }
      if (delay === 0) far.write(data);
      else setTimeout(() => far.write(data), delay);
    });
    far.on("data", (data) => (isLast ? cut() : near.write(data)));
    near.on("close", () => far.end());
    far.on("close", () => near.end());
  };
  const listening = createServer(serve);
  const beside = createServer(serve);
  await new Promise<void>((resolve) => void listening.listen(join(directory, SOCKET), resolve));

  return {
    directory,
    port: async () => {
      await new Promise<void>((resolve) => void beside.listen(0, "127.0.0.1", resolve));
      const address = beside.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      return address.port;
    },
    cut: (when, text) => {
      next = { when, text };
    },
    shut,
    open: () => {
      isShut = false;
    },
    turnTo: (other) => {
      shut();
      server = other;
      isShut = false;
    },
    slow: (millis) => {
      delay = millis;
    },
    cuts: () => cuts,
    end: () => {
      for (const socket of sockets) socket.destroy();
      listening.close();
      beside.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
