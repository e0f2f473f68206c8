import { createOutward } from "../../../sandbox/egress/outward.ts";
import type { Core } from "../../feature.ts";
import type { Conversation } from "../../ports/conversation.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import { createRedactor } from "../../text/secrets/known-values.ts";
import type { McpEntry } from "./entry.ts";
import type { ToolServers } from "./ports.ts";
import { createTokens } from "./tokens.ts";
import { openConnection, type ServerAccess } from "./connection.ts";
import { createTrackerLinks } from "./tracker-links.ts";
import type { Tool } from "../../tools/tool.ts";
import { createMcpCalls } from "./calls.ts";
import { createServers, type Servers } from "./servers.ts";

export interface McpContext extends Pick<Core, "operator"> {
  readonly servers: ToolServers;
}

type Parts = Pick<
  Core,
  | "ledger"
  | "chat"
  | "notes"
  | "sandbox"
  | "takePicture"
  | "secrets"
  | "data"
  | "reach"
  | "operator"
  | "clock"
  | "log"
>;

export const openMcp = (entries: readonly McpEntry[], core: Parts) => {
  const { secrets, data, reach, operator } = core;
  // The list of the host grows, and a redactor reads the list itself; a copy would miss later secrets.
  const known = createRedactor(secrets);
  let learned: readonly string[] = [];
  let received = createRedactor(learned);
  const mask = (text: string): string => maskSecrets(received.text(known.text(text)));
  const tokens = createTokens(data, (secret) => {
    learned = [...learned.filter((one) => one !== secret), secret].slice(-LEARNED);
    received = createRedactor(learned);
  });
  const { tools, servers } = createMcp({
    ...core,
    entries,
    tokens,
    outward: createOutward(reach),
    mask,
    enabled: enabledFor(entries, core),
  });
  const readLinks = createTrackerLinks({
    ...core,
    servers,
    entries,
    mask,
  });
  const own: McpContext = { servers, operator };
  return { own, tools, readLinks, servers: servers.names, close: () => servers.close() };
};

/** Tokens received later are masked like the tokens of the file; the newest are kept. */
const LEARNED = 100;

/**
 * Servers that are switched on in the channel. The console belongs to the operator, so all listed servers are on; for clients
 * of the gateway all are off.
 */
const enabledFor =
  (entries: readonly McpEntry[], { ledger, chat }: Pick<Parts, "ledger" | "chat">) =>
  ({ id, surface }: Conversation): readonly McpEntry[] => {
    if (surface === "console") return entries;
    const thread = ledger.thread(id);
    const channel = thread === null ? null : chat.channel(thread.surface, thread.place);
    return channel?.servers.flatMap((one) => entries.filter(({ name }) => name === one)) ?? [];
  };

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
