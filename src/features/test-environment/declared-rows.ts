/** Secrets and services that repositories declare, as of their last test. Doctor and lists show what is missing. */

import * as z from "zod";
import { DONE, type Done, type Log } from "../../ports/host.ts";
import type { Rows } from "../../ports/rows.ts";
import { createRead, json } from "../../store/base/codec.ts";
import type { TestDeclaration } from "./declaration.ts";
import { SERVICE_NAMES } from "./services.ts";

export interface DeclaredTests extends Pick<TestDeclaration, "secrets" | "services"> {
  readonly repo: string;
}

export interface DeclaredRows {
  /** Ordered by repository. */
  all(): readonly DeclaredTests[];
  /** Writes only if the declaration changed. */
  keep(declared: DeclaredTests): Promise<Done>;
}

const declaredRow = z.object({
  repo: z.string(),
  secrets: json(z.array(z.string())),
  services: json(z.array(z.enum(SERVICE_NAMES))),
});

export const declaredReader = (rows: Pick<Rows, "select">, log: Log): DeclaredRows["all"] => {
  const read = createRead(log);
  const select = rows.select("SELECT repo, secrets, services FROM test_declarations ORDER BY repo");
  return () => read.all(declaredRow, select({}), { table: "test_declarations" });
};

export const createDeclaredRows = (rows: Rows, log: Log): DeclaredRows => {
  const all = declaredReader(rows, log);
  return {
    all,
    keep: ({ repo, secrets, services }) => {
      const stored = all().find((one) => one.repo === repo) ?? { secrets: [], services: [] };
      const values = { repo, secrets: JSON.stringify(secrets), services: JSON.stringify(services) };
      const isEqual =
        JSON.stringify(stored.secrets) === values.secrets &&
        JSON.stringify(stored.services) === values.services;
      return isEqual ? Promise.resolve(DONE) : rows.write([{ sql: PUT, values }]);
    },
  };
};

const PUT = `INSERT INTO test_declarations (repo, secrets, services) VALUES (@repo, @secrets, @services)
  ON CONFLICT (repo) DO UPDATE SET secrets = excluded.secrets, services = excluded.services`;
