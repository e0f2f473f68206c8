/** Doctor starts each server of PARLEY_MCP and lists its tools. */

import { createOutward } from "../../../sandbox/egress/outward.ts";
import type { DoctorCore } from "../../feature.ts";
import { openConnection } from "./connection.ts";
import type { McpEntry } from "./entry.ts";
import type { McpFile } from "./mcp-file.ts";
import { createTokens } from "./tokens.ts";
import { error, type Finding, invalid, judged } from "../../ports/finding.ts";

type Parts = Pick<DoctorCore, "sandbox" | "data" | "reach">;

export async function* mcpFindings(read: McpFile, core: Parts): AsyncGenerator<Finding> {
  if (read.kind === "invalid") {
    yield* invalid("mcp", read.problems);
    return;
  }
  for (const entry of read.servers)
    if (core.sandbox !== null || entry.way.kind === "http") yield await tried(entry, core);
}

const tried = async (entry: McpEntry, { sandbox, data, reach }: Parts): Promise<Finding> => {
  const { name, reads } = entry;
  const secrets = [...entry.secrets];
  try {
    const connection = await openConnection(entry, {
      sandbox: sandbox ?? NO_SANDBOX,
      clock: { now: Date.now },
      outward: createOutward(reach),
      tokens: createTokens(data, (secret) => secrets.push(secret)),
    });
    const { tools, unnamed } = await connection.tools();
    await connection.close();
    const reading = tools.filter((tool) => reads.includes(tool.name)).length;
    const left = unnamed === 0 ? "" : `, ${unnamed} ignored because of their names`;
    const unknown = reads.filter((one) => !tools.some((tool) => tool.name === one));
    const lost = unknown.length === 0 ? "" : `; no tool named ${unknown.join(", ")}`;
    const found = `${name}: ${tools.length} tools, ${reading} of them read-only${left}${lost}`;
    return judged(unknown.length === 0, "mcp", found, "Correct the list `read` in the file.");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const shown = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), why);
    return error("mcp", `${name}: ${shown}`, "Try the command or the address by hand (docs/mcp.md).");
  }
};

const NO_SANDBOX: NonNullable<Parts["sandbox"]> = {
  start: () => Promise.resolve({ kind: "failed", reason: "there is no sandbox" }),
};
