/** What doctor says of the servers of PARLEY_MCP: each is begun and asked for its tools. */

import { createOutward } from "../../../../sandbox/egress/outward.ts";
import { reachOf } from "../../outward.ts";
import type { Sandbox } from "../../../../sandbox/types.ts";
import { serversOf } from "../../mcp.ts";
import type { Config } from "../../settings/config.ts";
import type { McpEntry } from "../../../tools/mcp/entry.ts";
import { error, type Finding, invalid, judged } from "../../../ports/finding.ts";

export async function* mcpFindings(
  config: Config,
  sandbox: Pick<Sandbox, "start"> | null,
): AsyncGenerator<Finding> {
  const read = await serversOf(config);
  if (read.kind === "invalid") {
    yield* invalid("mcp", read.problems);
    return;
  }
  for (const entry of read.servers)
    if (sandbox !== null || entry.way.kind === "http") yield await tried(entry, config, sandbox);
}

const tried = async (
  entry: McpEntry,
  config: Config,
  sandbox: Pick<Sandbox, "start"> | null,
): Promise<Finding> => {
  const { openConnection } = await import("../../../tools/mcp/connection.ts");
  const { createTokens } = await import("../../../tools/mcp/tokens.ts");
  const { name, reads } = entry;
  const secrets = [...entry.secrets];
  try {
    const connection = await openConnection(entry, {
      sandbox: sandbox ?? NO_SANDBOX,
      clock: { now: Date.now },
      outward: createOutward(reachOf(config)),
      tokens: createTokens(config.PARLEY_DATA, (secret) => secrets.push(secret)),
    });
    const { tools, unnamed } = await connection.tools();
    await connection.close();
    const reading = tools.filter((tool) => reads.includes(tool.name)).length;
    const left = unnamed === 0 ? "" : `, ${unnamed} left out for their names`;
    const unknown = reads.filter((one) => !tools.some((tool) => tool.name === one));
    const lost = unknown.length === 0 ? "" : `; it has no ${unknown.join(", ")}`;
    const found = `${name}: ${tools.length} tools, of which ${reading} read${left}${lost}`;
    return judged(unknown.length === 0, "mcp", found, "Correct the list of what reads in the file.");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const shown = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), why);
    return error(
      "mcp",
      `${name}: ${shown}`,
      "Try its command or address by hand; docs/mcp.md says what it may need.",
    );
  }
};

const NO_SANDBOX: Pick<Sandbox, "start"> = {
  start: () => Promise.resolve({ kind: "failed", reason: "there is no sandbox" }),
};
