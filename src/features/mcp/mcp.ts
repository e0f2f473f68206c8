/** The door of the client: servers, and the two tools over them. Loaded where the operator names a file of servers. */

import { openConnection, type ServerAccess } from "./connection.ts";
import type { Tool } from "../../tools/tool.ts";
import { createMcpCalls } from "./calls.ts";
import { createServers, type Servers } from "./servers.ts";

export interface Mcp {
  readonly tools: readonly Tool[];
  readonly servers: Servers;
}

export const createMcp = (
  deps: Omit<Parameters<typeof createServers>[0], "open"> &
    Omit<Parameters<typeof createMcpCalls>[0], "servers"> &
    ServerAccess,
): Mcp => {
  const servers = createServers({ ...deps, open: (entry) => openConnection(entry, deps) });
  return { servers, tools: createMcpCalls({ ...deps, servers }) };
};
