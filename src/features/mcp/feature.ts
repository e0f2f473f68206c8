/** Tools of MCP servers from the operator's file. Without the file, the client is not loaded. */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import type { ConsoleRequest } from "../../ports/console.ts";
import type { McpEntry } from "./entry.ts";
import type { McpFile } from "./mcp-file.ts";
import type { McpContext } from "./open.ts";
import { NO_SERVERS } from "./ports.ts";

export const serverRequests = (own: () => McpContext): readonly ConsoleRequest[] => [
  {
    method: "get",
    path: "/api/servers",
    does: "Every MCP server with its current tools. Starts servers that do not run, and answers when all have answered.",
    approvers: null,
    answer: async () => (await import("./requests.ts")).listServers(own()),
  },
  {
    method: "post",
    path: "/api/servers/accept",
    does: "Accepts the current tools of a server: `server`, and the `code` of the displayed list.",
    approvers: "accept tools",
    answer: async (request) => (await import("./requests.ts")).acceptServer(own(), request),
  },
];

export const mcp = defineFeature({
  name: "mcp",
  settings: z.object({ PARLEY_MCP: z.string().optional() }),
  read: async ({ PARLEY_MCP: path }, { keyOf }) => {
    const file = await readServers(path, keyOf);
    if (file.kind === "invalid") return file;
    const { servers } = file;
    return {
      kind: "read",
      secrets: servers.flatMap(({ secrets }) => secrets),
      open: async (core) => {
        const { operator } = core;
        if (servers.length === 0) return { own: { servers: NO_SERVERS, operator } };
        const { openMcp } = await import("./open.ts");
        return openMcp(servers, core);
      },
    };
  },
  findings: async function* ({ PARLEY_MCP: path }, core) {
    const file = await readServers(path, core.reading.keyOf);
    if (file.kind === "servers" && file.servers.length === 0) return;
    const { mcpFindings } = await import("./findings.ts");
    yield* mcpFindings(file, core);
  },
  commands: async (own: () => McpContext) => {
    const { toolsCommand } = await import("./command.ts");
    return [toolsCommand(own)];
  },
  requests: serverRequests,
  board: { name: "servers", title: "MCP servers", on: "channels" },
});

const readServers = async (
  path: string | undefined,
  keyOf: (name: string) => string | null,
): Promise<McpFile> => {
  if (path === undefined) return { kind: "servers", servers: NONE };
  const { readMcpFile } = await import("./mcp-file.ts");
  return readMcpFile(path, keyOf);
};

const NONE: readonly McpEntry[] = [];
