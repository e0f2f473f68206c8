/** Whether the port of a server is free, or Parley itself has it already. */

import { once } from "node:events";
import { createServer } from "node:net";
import { z } from "zod";
import { error, type Finding, ok } from "./finding.ts";

const PATIENCE = 5_000;

export interface Place {
  readonly what: string;
  readonly host: string;
  readonly port: number;
  /** The setting that names the port. */
  readonly setting: string;
}

export const portFinding = async ({ what, host, port, setting }: Place): Promise<Finding> => {
  const where = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const code = await tryPort(host, port);
  if (code === null) return ok(what, port === 0 ? "any free port" : `${where} is free`);
  if (code === "EADDRINUSE") {
    const version = await parleyAt(where);
    return version === null
      ? error(what, `another process has ${where}`, `Stop it, or set ${setting} to another port.`)
      : ok(what, `${where} is in use by Parley itself (${version})`);
  }
  if (code === "EACCES")
    return error(what, `${where} is not allowed to this user`, `Set ${setting} above 1023.`);
  return error(
    what,
    `nothing can listen on ${where} (${code})`,
    "Set PARLEY_HOST to an address of this machine.",
  );
};

/** The system's name for what is wrong; null where nothing is. */
const tryPort = async (host: string, port: number): Promise<string | null> => {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    const closed = once(server, "close");
    server.close();
    await closed;
    return null;
  } catch (cause) {
    return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
  }
};

const health = z.object({ version: z.string(), sandbox: z.object({ tier: z.string() }) });

/** Its version; null where something else answers, or nothing. */
const parleyAt = async (where: string): Promise<string | null> => {
  try {
    const answer = await fetch(`http://${where}/healthz`, { signal: AbortSignal.timeout(PATIENCE) });
    return health.parse(await answer.json()).version;
  } catch {
    return null;
  }
};
