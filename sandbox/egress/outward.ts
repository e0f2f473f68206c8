/**
 * Requests by the host to addresses from outside: a forge's redirect, a job's log, a token issuer. Each connection passes the
 * same checks as a command's connection, by name and by address. Redirects are not followed.
 */

import { request } from "node:http";
import { Readable } from "node:stream";
import { agentOver } from "./agent.ts";
import type { Reach } from "./reach.ts";

export interface OutwardRequest {
  readonly method?: string | undefined;
  readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  readonly body?: string | Uint8Array | null | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** Rejects with a sentence for people if the address is forbidden, and also if the network fails. */
export type Outward = (address: string | URL, init?: OutwardRequest) => Promise<Response>;

/** Milliseconds without traffic. */
const PATIENCE = 20_000;

export const createOutward = (reach: Reach): Outward => {
  const agents = { "http:": agentOver(reach, false, PATIENCE), "https:": agentOver(reach, true, PATIENCE) };
  return (address, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      const { protocol, hostname, port, pathname, search, host } = url;
      if (protocol !== "https:" && protocol !== "http:")
        throw new Error(`${protocol} is no protocol that Parley follows`);
      const sent = request({
        agent: agents[protocol],
        method,
        host: hostname.replace(/^\[|\]$/g, ""),
        port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
        path: `${pathname}${search}`,
        headers: { ...Object.fromEntries(new Headers(headers)), host, "accept-encoding": "identity" },
        ...(signal ? { signal } : {}),
      });
      sent.on("response", (answer) => {
        const { statusCode: status = 502 } = answer;
        const isBare = status === 204 || status === 304 || method === "HEAD";
        if (isBare) answer.resume();
        const given = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        const web = isBare ? null : Readable.toWeb(answer);
        resolve(new Response(web, { status, headers: given }));
      });
      sent.on("error", reject);
      sent.setTimeout(PATIENCE, () => sent.destroy(new Error("there was no answer in time")));
      sent.end(body ?? undefined);
    });
};
