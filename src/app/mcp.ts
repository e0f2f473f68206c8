/** The operator's MCP servers, put together. Nothing of it is loaded where PARLEY_MCP names no file. */

import type { ChatStore } from "../ports/chat-rows.ts";
import type { Conversation } from "../ports/conversation.ts";
import { maskSecrets } from "../text/secrets/known-forms.ts";
import { createRedactor } from "../text/secrets/known-values.ts";
import type { Ledger } from "../ports/surface.ts";
import type { McpEntry } from "../tools/mcp/entry.ts";
import type { createMcp, Mcp } from "../tools/mcp/mcp.ts";
import type { McpFile } from "./mcp-file.ts";
import type { Config } from "./settings/config.ts";

export const serversOf = async ({ PARLEY_MCP: path, otherKeys }: Config): Promise<McpFile> => {
  if (path === undefined) return { kind: "servers", servers: [] };
  const { readMcpFile } = await import("./mcp-file.ts");
  return readMcpFile(path, (name) => otherKeys[name] ?? null);
};

interface McpParts
  extends Omit<Parameters<typeof createMcp>[0], "entries" | "enabled" | "mask" | "tokens">,
    Pick<Parts, "ledger" | "chat"> {
  readonly secrets: readonly string[];
  /** Where tokens are kept that are renewed. */
  readonly data: string;
}

interface Parts {
  readonly ledger: Pick<Ledger, "thread">;
  readonly chat: Pick<ChatStore, "channel">;
}

export const openMcp = async (
  entries: readonly McpEntry[],
  { secrets, data, ledger, chat, ...parts }: McpParts,
): Promise<Mcp | null> => {
  if (entries.length === 0) return null;
  const { createMcp: create } = await import("../tools/mcp/mcp.ts");
  const { createTokens } = await import("../tools/mcp/tokens.ts");
  let redactor = createRedactor(secrets);
  let learned: readonly string[] = [];
  const tokens = createTokens(data, (secret) => {
    learned = [...learned.filter((one) => one !== secret), secret].slice(-LEARNED);
    redactor = createRedactor([...secrets, ...learned]);
  });
  return create({
    ...parts,
    entries,
    tokens,
    mask: (text) => maskSecrets(redactor.text(text)),
    enabled: enabledFor(entries, { ledger, chat }),
  });
};

/** Tokens that are had as time goes by are masked as those of the file are. */
const LEARNED = 100;

/** What the channel has switched on. The console is the operator's own, who named them all; the gateway's clients have none. */
const enabledFor =
  (entries: readonly McpEntry[], { ledger, chat }: Parts) =>
  ({ id, surface }: Conversation): readonly McpEntry[] => {
    if (surface === "console") return entries;
    const thread = ledger.thread(id);
    const channel = thread === null ? null : chat.channel(thread.surface, thread.place);
    return channel?.servers.flatMap((one) => entries.filter(({ name }) => name === one)) ?? [];
  };
