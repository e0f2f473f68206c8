/**
 * HTTP answers of a host that stands by: health checks for supervisors, and the name of the active host for all other requests.
 */

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { reachedAt } from "../../../../adapters/http/address.ts";
import type { HostRow } from "../database/hosts.ts";
import type { JoinContext } from "../../../feature.ts";

type Answering = JoinContext["console"] & Pick<JoinContext, "version"> & { readonly name: string };

/** Time limit for the query of the hosts, in milliseconds. */
const PATIENCE = 1_000;

export const answerOnStandby = async (
  { address, port, name: host, version }: Answering,
  hosts: () => Promise<readonly HostRow[]>,
) => {
  const server = createServer((request, response) => {
    void answer(request.url ?? "", response);
  });
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    // The answer must arrive even if the database does not respond, so that no supervisor restarts the host.
    const known = await Promise.race([hosts(), sleep(PATIENCE, [], { ref: false })]);
    const active = known.find((one) => one.leads)?.name ?? null;
    if (path === "/healthz" || path === "/readyz") {
      const body = JSON.stringify({ status: "standby", host, active, version });
      return end(response, path === "/healthz" ? 200 : 503, body, "application/json");
    }
    const message = sentence(host, active);
    // Same format as errors of the console's API.
    if (/^\/(?:api|v1)\//.test(path))
      end(response, 503, JSON.stringify({ error: { code: "standby", message } }), "application/json");
    else end(response, 503, `${message}\n`, "text/plain");
  };
  try {
    server.listen(port, address);
    await once(server, "listening");
    // An error while the server accepts a connection must not end the process.
    server.on("error", () => undefined);
    const bound = server.address();
    return {
      kind: "answering" as const,
      url: `http://${reachedAt(address)}:${typeof bound === "object" ? (bound?.port ?? port) : port}`,
      close: async (): Promise<void> => {
        const closed = server[Symbol.asyncDispose]();
        server.closeAllConnections();
        await closed;
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: "failed" as const,
      message: `PARLEY_PORT: ${address}:${port} is not available to listen on (${why})`,
    };
  }
};

const sentence = (host: string, active: string | null): string =>
  active === null
    ? `${host} is standing by, and no host is active at this moment.`
    : `${host} is standing by: ${active} is active.`;

const end = (response: ServerResponse, status: number, body: string, type: string): void =>
  void response
    .writeHead(status, {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      connection: "close",
    })
    .end(body);
