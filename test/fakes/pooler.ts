/** PgBouncer of Debian before a PostgreSQL, on a socket of its own. */

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { keep, type Postgres, place } from "./postgres.ts";

export interface Pooler {
  readonly directory: string;
  end(): Promise<void>;
}

export const hasPooler = (): boolean => spawnSync("pgbouncer", ["--version"]).status === 0;

/** `more`: further lines of its settings. */
export const startPooler = async (
  { directory: server }: Postgres,
  mode: "session" | "transaction",
  more = "",
): Promise<Pooler> => {
  const directory = place();
  const settings = join(directory, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
* = host=${server} user=parley
[pgbouncer]
listen_addr =
unix_socket_dir = ${directory}
listen_port = 5432
auth_type = any
pool_mode = ${mode}
${more}
`,
  );
  const child = keep(directory, ["pgbouncer", "-q", settings], "TERM");
  for (let tries = 0; !existsSync(join(directory, ".s.PGSQL.5432")); tries += 1) {
    if (tries > 200) throw new Error("PgBouncer does not come up");
    await setTimeout(25);
  }
  return {
    directory,
    end: async () => {
      const ended = once(child, "exit");
      child.ref();
      child.stdin?.end();
      await ended;
    },
  };
};
