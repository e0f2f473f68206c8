/**
 * What the protocol's conformance suite runs as the client: Parley's own connection, to the server whose address is the
 * last argument, its tools listed and each called. Exit status 0 where the server was reached.
 */

import { z } from "zod";
import { systemClock } from "../../../src/host/system-clock.ts";
import { openConnection } from "../../../src/tools/mcp/connection.ts";

const context = z
  .object({ client_id: z.string(), client_secret: z.string() })
  .safeParse(JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"));
const url = process.argv.at(-1) ?? "";

/** As an operator reads in the server's manual who issues its tokens. */
const issuerOf = async (server: string): Promise<string> => {
  const { origin, pathname } = new URL(server);
  const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const { authorization_servers } = z
    .object({ authorization_servers: z.tuple([z.string()]) })
    .parse(await answer.json());
  return authorization_servers[0];
};

/** What the suite's schemas ask for. */
const INPUT = { a: 5, b: 3 };

const connection = await openConnection(
  {
    name: "suite",
    reads: [],
    timeout: 20_000,
    secrets: [],
    way: {
      kind: "http",
      url,
      headers: {},
      oauth: context.success
        ? {
            issuer: await issuerOf(url),
            clientId: context.data.client_id,
            clientSecret: context.data.client_secret,
          }
        : null,
    },
  },
  { sandbox: { start: () => Promise.reject(new Error("nothing runs here")) }, clock: systemClock },
);
const { tools } = await connection.tools();
for (const { name } of tools) await connection.call(name, INPUT, AbortSignal.timeout(20_000));
await connection.close();
