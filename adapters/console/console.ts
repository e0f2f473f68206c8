/** The console: a local page and the API behind it, always behind the token (D4, BED-011). */

import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { createApp } from "./app.ts";
import type { ConsoleDeps } from "./deps.ts";
import type { Served } from "./handler.ts";
import { createStreams } from "./api/events.ts";
import { createPresenter } from "./render/presenter.ts";
import { sayTo } from "./language.ts";
import { isAny, reachedAt, urlHost } from "./address.ts";
import { publicAddress, withoutBase } from "./public-address.ts";

export type Listening =
  /** `url` is the link with the token, ready to print. */
  | { readonly kind: "listening"; readonly port: number; readonly url: string }
  | { readonly kind: "failed"; readonly message: string };

const GRACE = 1_000;
/** Balancers hold a connection for 60 s; the end that holds it longer never closes one that a request is on its way to. */
const KEEP_ALIVE = 65_000;

export const createConsole = (deps: ConsoleDeps) => {
  const streams = createStreams(deps);
  const presenterOf: Served["presenterOf"] = (accepts) =>
    createPresenter(deps, sayTo(accepts, deps.language));
  const published = publicAddress(deps.publicUrl ?? "");
  const base = published?.base ?? "";
  let port = 0;
  let bound: readonly string[] = [];
  const rules = () => ({
    token: deps.token,
    hosts: [...bound, ...deps.hosts, ...(published === null ? [] : [published.hostname])],
    published,
    cookieName: `parley_${port}`,
  });
  const app = createApp({ ...deps, presenterOf, streams, base }, rules);
  // Or it would put a Response of its own, which lacks methods, in the place of the whole process's.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE;
  server.headersTimeout = KEEP_ALIVE + 5_000;
  server.prependListener("request", (incoming) => {
    incoming.url = withoutBase(incoming.url ?? "/", base);
  });

  return {
    /** Port 0 takes a free one. Called once. */
    listen: (host: string, wanted: number): Promise<Listening> =>
      new Promise((resolve) => {
        server.on("error", (error: NodeJS.ErrnoException) => {
          deps.log.error("the console's server failed", { code: error.code ?? error.message });
          resolve({ kind: "failed", message: listenFailure(error, host, wanted) });
        });
        server.listen(wanted, host, () => {
          const address = server.address();
          port = typeof address === "object" && address !== null ? address.port : wanted;
          bound = isAny(host) ? [] : [urlHost(host)];
          resolve({
            kind: "listening",
            port,
            url: `http://${reachedAt(host)}:${port}${base}/?token=${encodeURIComponent(deps.token)}`,
          });
        });
      }),
    /** Ends event streams, lets answers finish for at most a second, and frees the port. */
    close: (): Promise<void> =>
      new Promise((resolve) => {
        streams.closeAll();
        const force = setTimeout(() => server.closeAllConnections(), GRACE);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};

const listenFailure = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  const where = `${urlHost(host)}:${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return `${where} is in use by another process. Stop it, or set PARLEY_PORT to another port.`;
    case "EACCES":
      return `${where} is not allowed to this user. Set PARLEY_PORT to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Set PARLEY_HOST to one that is.`;
    case undefined:
    default:
      return `The console could not listen on ${where}: ${error.message}`;
  }
};
