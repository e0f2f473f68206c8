import * as z from "zod";
import type { Millis, PersonId } from "../../machine/id.ts";
import type { Done, Log } from "../../ports/host.ts";
import type { Rows } from "../../ports/rows.ts";
import { createRead } from "../../store/base/codec.ts";
import { personIdSchema } from "../../store/schema/id.ts";

export interface TestSecretRow {
  /** Host and path, or the path of a local repository. */
  readonly repo: string;
  readonly name: string;
  readonly sealed: string;
  /** Null if the person was erased. */
  readonly by: PersonId | null;
  readonly at: Millis;
}

export interface TestSecretRows {
  of(repo: string): readonly TestSecretRow[];
  all(): readonly TestSecretRow[];
  put(row: TestSecretRow): Promise<Done>;
  remove(repo: string, name: string): Promise<Done>;
}

const secretRow = z.object({
  repo: z.string(),
  name: z.string(),
  sealed: z.string(),
  by: personIdSchema.nullable(),
  at: z.number(),
});

export const testSecretReader = (
  rows: Pick<Rows, "select">,
  log: Log,
): Pick<TestSecretRows, "of" | "all"> => {
  const read = createRead(log);
  const selectRepo = rows.select(`${SECRETS} WHERE repo = @repo ORDER BY name`);
  const selectAll = rows.select(`${SECRETS} ORDER BY repo, name`);
  const parsed = (found: readonly unknown[]) => read.all(secretRow, found, { table: "test_secrets" });
  return { of: (repo) => parsed(selectRepo({ repo })), all: () => parsed(selectAll({})) };
};

export const createTestSecretRows = (rows: Rows, log: Log): TestSecretRows => ({
  ...testSecretReader(rows, log),
  put: (row) => rows.write([{ sql: PUT, values: { ...row } }]),
  remove: (repo, name) => rows.write([{ sql: REMOVE, values: { repo, name } }]),
});

const SECRETS = "SELECT repo, name, sealed, set_by AS by, at FROM test_secrets";
const PUT = `INSERT INTO test_secrets (repo, name, sealed, set_by, at) VALUES (@repo, @name, @sealed, @by, @at)
  ON CONFLICT (repo, name) DO UPDATE SET sealed = excluded.sealed, set_by = excluded.set_by, at = excluded.at`;
const REMOVE = "DELETE FROM test_secrets WHERE repo = @repo AND name = @name";
