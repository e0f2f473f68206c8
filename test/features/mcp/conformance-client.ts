/**
 * What the protocol's conformance suite runs as the client: Parley's own connection, to the server whose address is the
 * last argument, its tools listed and each called. Exit status 0 where the server was reached.
 */

import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { systemClock } from "../../../src/app/system-clock.ts";
import { openConnection } from "../../../src/features/mcp/connection.ts";
import type { OAuth } from "../../../src/features/mcp/entry.ts";
import { createTokens } from "../../../src/features/mcp/tokens.ts";

const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = z
  .object({
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    private_key_pem: z.string().optional(),
    signing_algorithm: z.string().optional(),
  })
  .parse(JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"));
const url = process.argv.at(-1) ?? "";

/** What an operator has from the server's manual and from signing in once: the suite's issuers take any refresh token. */
const accessOf = async (server: string): Promise<OAuth> => {
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(await fetch(server, { method: "POST" }));
  const { authorization_servers: [issuer = ""] = [] } = await discoverOAuthProtectedResourceMetadata(
    server,
    resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
    // The oldest servers say nothing of it: they issue their tokens themselves.
  ).catch(() => ({ authorization_servers: [new URL(server).origin] }));
  return {
    issuer,
    clientId: context.client_id ?? "made-by-hand",
    clientSecret: context.client_secret ?? (SECRETIVE.test(scenario) ? "made-by-hand" : undefined),
    privateKey: context.private_key_pem,
    algorithm: context.signing_algorithm,
    refreshToken: scenario.startsWith("auth/client-credentials") ? undefined : "made-by-hand",
  };
};

/** Issuers that want a secret of the client. */
const SECRETIVE = /-auth-(?:basic|post)$/;

/** What the suite's schemas ask for. */
const INPUT = { a: 5, b: 3 };

const connection = await openConnection(
  {
    name: "suite",
    reads: [],
    timeout: 120_000,
    secrets: [],
    way: {
      kind: "http",
      url,
      headers: {},
      oauth: scenario.startsWith("auth/") ? await accessOf(url) : null,
    },
  },
  {
    sandbox: { start: () => Promise.reject(new Error("nothing runs here")) },
    clock: systemClock,
    // The suite has its issuers at other ports of this machine.
    outward: (address, { method = "GET", headers, body, signal } = {}) =>
      fetch(address, {
        method,
        ...(headers && { headers }),
        ...(typeof body === "string" && { body }),
        ...(signal && { signal }),
        redirect: "manual",
      }),
    tokens: createTokens(join(tmpdir(), `conformance-${process.pid}`), () => undefined),
  },
);
const { tools } = await connection.tools();
for (const { name } of tools) await connection.call(name, INPUT, AbortSignal.timeout(20_000));
await connection.close();
