/**
 * The HTTP server of the host, always protected by the token (D4). It reports the host's health, and answers
 * requests of the host, of features and of the page if there is one.
 */

import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Speaker } from "../../src/machine/vocabulary.ts";
import type { ConsoleSandbox, Health } from "../../src/ports/console.ts";
import { isAny, reachedAt, urlHost } from "./address.ts";
import { addGate, type GateDeps } from "./gate.ts";
import type { GuardRules } from "./guard.ts";
import { notFound, forbidden } from "./problem.ts";
import { type PublicAddress, withoutBase } from "./public-address.ts";
import type { Env } from "./web.ts";

export interface ListenerDeps extends GateDeps {
  /** The only key to the API (D4). */
  readonly token: string;
  /** The person behind the token (D1, D2). */
  readonly operator: Pick<Speaker, "mayApprove">;
  /** Host names besides loopback under which a declared proxy serves the host. Without ports. */
  readonly hosts: readonly string[];
  /** Address of PARLEY_PUBLIC_URL; null if it is not set. */
  readonly published: PublicAddress | null;
  readonly version: string;
  readonly sandbox: Omit<ConsoleSandbox, "notice">;
  readonly health: () => Health;
}

export type ListenResult =
  /** `url`: link with the token, ready to print; without a page it contains no token. */
  | { readonly kind: "listening"; readonly port: number; readonly url: string }
  | { readonly kind: "failed"; readonly message: string };

const GRACE = 1_000;
/**
 * Longer than the 60 s of load balancers: the side with the longer timeout never closes a connection while a
 * request is arriving.
 */
const KEEP_ALIVE = 65_000;

export const createListener = (deps: ListenerDeps) => {
  const { published, web } = deps;
  const base = published?.base ?? "";
  let port = 0;
  let bound: readonly string[] = [];
  /** Complete once the port is known. */
  const rules = (): GuardRules => ({
    token: deps.token,
    hosts: [...bound, ...deps.hosts, ...(published === null ? [] : [published.hostname])],
    published,
    cookieName: `parley_${port}`,
  });
  const app = createApp(deps, rules);
  // Otherwise the adapter replaces the process's global `Response` with its own, which lacks methods.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE;
  server.headersTimeout = KEEP_ALIVE + 5_000;
  server.prependListener("request", (incoming) => {
    incoming.url = withoutBase(incoming.url ?? "/", base);
  });

  return {
    /** Port 0 selects a free port. Called once. */
    listen: (host: string, wanted: number): Promise<ListenResult> =>
      new Promise((resolve) => {
        server.on("error", (error: NodeJS.ErrnoException) => {
          deps.log.error("console: server failed", { code: error.code ?? error.message });
          resolve({ kind: "failed", message: listenFailure(error, host, wanted) });
        });
        server.listen(wanted, host, () => {
          const address = server.address();
          port = typeof address === "object" && address !== null ? address.port : wanted;
          bound = isAny(host) ? [] : [urlHost(host)];
          const token = web === null ? "" : `?token=${encodeURIComponent(deps.token)}`;
          resolve({ kind: "listening", port, url: `http://${reachedAt(host)}:${port}${base}/${token}` });
        });
      }),
    /** Ends event streams, lets responses finish for at most a second, and frees the port. */
    close: (): Promise<void> =>
      new Promise((resolve) => {
        web?.close();
        const force = setTimeout(() => server.closeAllConnections(), GRACE);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};

const createApp = (deps: ListenerDeps, rules: () => GuardRules): Hono<Env> => {
  const { requests, operator, web } = deps;
  const app = new Hono<Env>();
  const on = (handler: Handler) => (c: Context<Env>) => handler(deps, c);
  addGate(app, deps, rules);
  app.get("/healthz", on(health));
  app.get("/readyz", on(ready));
  for (const { method, path, approvers, answer } of requests)
    app.on(method, path, (c) => {
      if (approvers !== null && !operator.mayApprove) throw forbidden(approvers);
      return answer(c.req.raw, (name) => c.req.param(name) ?? "");
    });
  web?.addTo(app);
  app.notFound(() => {
    throw notFound("request", "There is no such request. docs/reference.md lists the existing ones.");
  });
  return app;
};

type Handler = (deps: ListenerDeps, c: Context<Env>) => Response;

/** Reports the status, the tier and each surface: 200, or 503 while the host starts or drains. */
const health: Handler = ({ health: state, sandbox, version }, c) => {
  const { status, surfaces } = state();
  const { tier, abi, network, residual } = sandbox;
  return c.json(
    { status, sandbox: { tier, abi, network, residual }, surfaces, version },
    status === "ok" ? 200 : 503,
  );
};

/**
 * Reports whether the host does all its work: 200, or 503 while it drains, waits to join others, or has a
 * chat platform without connection for two minutes. `away` contains the start of each outage.
 */
const ready: Handler = ({ health: state }, c) => {
  const { status, away } = state();
  const isDeaf = away.some(({ isLong }) => isLong);
  const since = away.map(({ surface, since: began }) => [surface, new Date(began).toISOString()]);
  return c.json(
    {
      status: status === "ok" && isDeaf ? "disconnected" : status,
      ...(since.length === 0 ? {} : { away: Object.fromEntries(since) }),
    },
    status === "ok" && !isDeaf ? 200 : 503,
  );
};

const listenFailure = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  const where = `${urlHost(host)}:${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return `${where} is in use by another process. Stop that process, or set PARLEY_PORT to another port.`;
    case "EACCES":
      return `${where} is not permitted for this user. Set PARLEY_PORT to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Set PARLEY_HOST to an address of this machine.`;
    case undefined:
    default:
      return `The console could not listen on ${where}: ${error.message}`;
  }
};
