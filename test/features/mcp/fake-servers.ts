/** Two MCP servers: one with a tool that changed, and one that does not answer. */

import type { ToolServers } from "../../../src/features/mcp/ports.ts";
import type { ServerStatus } from "../../../src/ports/servers.ts";

export const LOOK = {
  kind: "tools",
  tools: [{ name: "get", summary: "Gets.", access: "read", standing: "changed" }],
  unnamed: 0,
  unknown: [],
  code: "1a2b3c4d",
} as const satisfies ServerStatus;

export const fakeServers = (): { readonly servers: ToolServers; readonly accepted: readonly string[] } => {
  const accepted: string[] = [];
  const servers: ToolServers = {
    names: ["linear", "down"],
    look: (server) => Promise.resolve(server === "down" ? { kind: "failed", why: "out of luck" } : LOOK),
    accept: (server, code, by) => {
      if (code !== LOOK.code) return Promise.resolve({ kind: "refused", why: "That is another list." });
      accepted.push(`${server} ${by}`);
      return Promise.resolve({ kind: "done" });
    },
  };
  return { servers, accepted };
};
