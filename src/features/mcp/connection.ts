/**
 * One connection to a server: its calls, and its tools, which are read again after the server reports a change. Requests of the
 * server to its client (sampling, elicitation, roots) are declined and reported. The SDK is loaded with the first connection.
 */

import { hash } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Outward } from "../../../sandbox/egress/outward.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Clock } from "../../ports/host.ts";
import { canonical } from "../../text/canonical.ts";
import type { McpEntry } from "./entry.ts";
import { guardMessages } from "./guard.ts";
import { createHttpTransport } from "./http.ts";
import { createOutputMeter } from "./meter.ts";
import { createSandboxTransport } from "./stdio.ts";
import type { Tokens } from "./tokens.ts";

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** SHA-256 of name, description and schemas: a different hash means a different tool. */
  readonly hash: string;
}

export interface Tooling {
  readonly tools: readonly McpTool[];
  /** Number of tools that are left out because their names are unusable. */
  readonly unnamed: number;
}

export type McpCallResult =
  | {
      readonly kind: "result";
      readonly result: CallToolResult;
      /** Requests of the server during the call, which were declined. */
      readonly declined: readonly string[];
    }
  /** `perhaps`: whether the call was sent, so that its outcome is unknown. */
  | { readonly kind: "failed"; readonly why: string; readonly perhaps: boolean };

export interface McpConnection {
  tools(): Promise<Tooling>;
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpCallResult>;
  isAlive(): boolean;
  close(): Promise<void>;
}

const CONNECT_MS = 30_000;
const PROBE_MS = 5_000;
/** Time limit of one call, even with progress. */
const LONGEST_MS = 10 * 60_000;
const MAX_TOOLS = 500;
/** Maximum reads of the list for one request while the server reports changes. */
const MAX_READS = 3;
/** Names that the protocol recommends, and that people can read and type. */
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;

export interface ServerAccess {
  readonly sandbox: Pick<Sandbox, "start">;
  readonly clock: Pick<Clock, "now">;
  readonly tokens: Tokens;
  /** Access to addresses that a server or an issuer names. */
  readonly outward: Outward;
}

/** Rejects if the server cannot be reached; the message is a sentence. */
export const openConnection = async (
  entry: McpEntry,
  { sandbox, clock, tokens, outward }: ServerAccess,
): Promise<McpConnection> => {
  const sdk = await import("@modelcontextprotocol/client");
  const meter = createOutputMeter(clock);
  const transport =
    entry.way.kind === "stdio"
      ? createSandboxTransport(sandbox, entry.name, entry.way, { meter, wire: sdk })
      : createHttpTransport(sdk, entry.name, entry.way, { meter, tokens, outward });
  guardMessages(transport);
  const client = new sdk.Client(
    { name: "parley", version: "1" },
    {
      capabilities: {},
      versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
      inputRequired: { autoFulfill: false },
      // Foreign schemas are only data here: no code is compiled from them.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  let isAlive = true;
  let listed: Promise<Tooling> | null = null;
  const declined: string[] = [];
  Object.assign(client, {
    onclose: () => {
      isAlive = false;
    },
    onerror: () => undefined,
  });
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    listed = null;
  });
  client.fallbackRequestHandler = ({ method }) => {
    declined.push(method);
    return method === "elicitation/create"
      ? Promise.resolve({ action: "decline" })
      : Promise.reject(new sdk.ProtocolError(sdk.ProtocolErrorCode.MethodNotFound, "Parley declines this"));
  };
  const isUnauthorized = (error: unknown): boolean =>
    error instanceof sdk.UnauthorizedError || (error instanceof sdk.SdkHttpError && error.status === 401);
  const whyOf = (error: unknown): string => transport.why() ?? sentenceOf(error);
  try {
    await client.connect(transport, { timeout: CONNECT_MS });
  } catch (error) {
    const why = whyOf(error);
    await transport.close().catch(() => undefined);
    throw new Error(why, { cause: error });
  }

  const list = async (): Promise<Tooling> =>
    toolingOf((await client.listTools(undefined, { timeout: CONNECT_MS, cacheMode: "refresh" })).tools);

  return {
    tools: async () => {
      for (let reads = 1; ; reads += 1) {
        const reading = (listed ??= list());
        try {
          const tooling = await reading;
          // A server may report a change with each list; the last list counts.
          if (listed === reading || reads >= MAX_READS) return tooling;
        } catch (error) {
          if (listed === reading) listed = null;
          throw new Error(whyOf(error), { cause: error });
        }
      }
    },
    call: async (tool, input, signal) => {
      const before = declined.length;
      try {
        const result = await client.request(
          { method: "tools/call", params: { name: tool, arguments: input } },
          {
            signal,
            timeout: entry.timeout,
            onprogress: () => undefined,
            resetTimeoutOnProgress: true,
            maxTotalTimeout: LONGEST_MS,
          },
        );
        return { kind: "result", result, declined: [...new Set(declined.slice(before))] };
      } catch (error) {
        if (signal.aborted) return { kind: "failed", why: "it was stopped", perhaps: true };
        // The server refused the call or the client, so the outcome is certain.
        const isRefused = error instanceof sdk.ProtocolError || isUnauthorized(error);
        return { kind: "failed", why: whyOf(error), perhaps: !isRefused };
      }
    },
    isAlive: () => isAlive,
    close: async () => {
      isAlive = false;
      await client.close().catch(() => undefined);
    },
  };
};

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

const toolingOf = (listed: readonly ListedTool[]): Tooling => {
  const named = new Map<string, ListedTool>();
  for (const tool of listed)
    if (TOOL_NAME.test(tool.name) && !named.has(tool.name)) named.set(tool.name, tool);
  const tools = [...named.values()].slice(0, MAX_TOOLS).map((tool): McpTool => {
    const { name, description = "", inputSchema, outputSchema } = tool;
    const said = canonical({ name, description, inputSchema, outputSchema });
    return { name, description, inputSchema, hash: hash("sha256", said) };
  });
  return { tools, unnamed: listed.length - tools.length };
};

/** One line of at most 300 characters; the caller quotes a server's text. */
const sentenceOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${text}${cause}`.replaceAll(/\s+/g, " ").trim().slice(0, 300);
};
