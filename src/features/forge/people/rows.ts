/** Rows of connected people. Every change of tokens compares the version, so that two hosts cannot overwrite each other. */

import * as z from "zod";
import type { Millis, PersonId } from "../../../machine/id.ts";
import type { ChannelAddress } from "../../../ports/channels.ts";
import type { Done, Log } from "../../../ports/host.ts";
import type { Rows } from "../../../ports/rows.ts";
import { createRead } from "../../../store/base/codec.ts";
import { personIdSchema } from "../../../store/schema/id.ts";
import type { ForgeAccount } from "./device-flow.ts";

interface AtForge {
  readonly person: PersonId;
  /** Host of the forge. */
  readonly forge: string;
}

export interface ConnectionRow extends AtForge, ForgeAccount {
  readonly sealed: string;
  readonly ends: Millis | null;
  /** New for each pair of tokens. */
  readonly version: string;
  /** The renewal that is under way, and its begin. */
  readonly lease: string | null;
  readonly leased: Millis | null;
}

export interface SignInRow extends AtForge, ChannelAddress {
  readonly version: string;
  readonly sealed: string;
  readonly pause: Millis;
  readonly ends: Millis;
}

export interface PeopleRows {
  connection(of: AtForge): ConnectionRow | null;
  connections(person: PersonId): readonly ConnectionRow[];
  signIns(): readonly SignInRow[];
  /** Replaces an earlier request of the person. */
  ask(row: SignInRow): Promise<Done>;
  /** Only the request with this version. */
  close(row: SignInRow): Promise<Done>;
  /** Replaces an earlier connection, and closes the request, if it is still open. */
  connect(row: Omit<ConnectionRow, "lease" | "leased">, request: SignInRow, at: Millis): Promise<Done>;
  /** Takes the lease for a renewal, unless another one began after `since`. A reader then sees whose lease it is. */
  lease(row: ConnectionRow, lease: string, at: Millis, since: Millis): Promise<Done>;
  /** Stores the new tokens if the row still has the old ones. */
  renew(row: ConnectionRow, next: Pick<ConnectionRow, "sealed" | "ends" | "version">): Promise<Done>;
  release(row: ConnectionRow, lease: string): Promise<Done>;
  /** `version`: only these tokens; null for any. */
  remove(of: AtForge, version: string | null): Promise<Done>;
}

export const createPeopleRows = (rows: Rows, log: Log): PeopleRows => {
  const read = createRead(log);
  const selectOne = rows.select(`${PEOPLE} WHERE person = @person AND forge = @forge`);
  const selectPerson = rows.select(`${PEOPLE} WHERE person = @person ORDER BY forge`);
  const selectSignIns = rows.select(
    "SELECT person, forge, surface, place, version, sealed, pause, ends FROM forge_sign_ins ORDER BY person, forge",
  );
  const people = (found: readonly unknown[]) => read.all(connectionRow, found, { table: "forge_people" });
  const write = (sql: string, values: Parameters<ReturnType<typeof rows.select>>[0]): Promise<Done> =>
    rows.write([{ sql, values }]);

  return {
    connection: ({ person, forge }) => people(selectOne({ person, forge })).at(0) ?? null,
    connections: (person) => people(selectPerson({ person })),
    signIns: () => read.all(signInRow, selectSignIns({}), { table: "forge_sign_ins" }),
    ask: (row) => write(ASK, { ...row }),
    close: ({ person, forge, version }) => write(CLOSE, { person, forge, version }),
    connect: (row, { version: request }, at) =>
      rows.write([
        { sql: CONNECT, values: { ...row, at, request } },
        { sql: CLOSE, values: { person: row.person, forge: row.forge, version: request } },
      ]),
    lease: ({ person, forge, version }, lease, at, since) =>
      write(LEASE, { person, forge, version, lease, at, since }),
    renew: ({ person, forge, version: old }, { sealed, ends, version }) =>
      write(RENEW, { person, forge, old, sealed, ends, version }),
    release: ({ person, forge, version }, lease) => write(RELEASE, { person, forge, version, lease }),
    remove: ({ person, forge }, version) =>
      version === null
        ? rows.write([
            {
              sql: "DELETE FROM forge_people WHERE person = @person AND forge = @forge",
              values: { person, forge },
            },
            {
              sql: "DELETE FROM forge_sign_ins WHERE person = @person AND forge = @forge",
              values: { person, forge },
            },
          ])
        : write("DELETE FROM forge_people WHERE person = @person AND forge = @forge AND version = @version", {
            person,
            forge,
            version,
          }),
  };
};

const PEOPLE =
  "SELECT person, forge, login, name, email, sealed, ends, version, lease, leased FROM forge_people";

const connectionRow = z.object({
  person: personIdSchema,
  forge: z.string(),
  login: z.string(),
  name: z.string(),
  email: z.string(),
  sealed: z.string(),
  ends: z.number().nullable(),
  version: z.string(),
  lease: z.string().nullable(),
  leased: z.number().nullable(),
});

const signInRow = z.object({
  person: personIdSchema,
  forge: z.string(),
  surface: z.string(),
  place: z.string(),
  version: z.string(),
  sealed: z.string(),
  pause: z.number(),
  ends: z.number(),
});

const ASK = `
  INSERT INTO forge_sign_ins (person, forge, surface, place, version, sealed, pause, ends)
  VALUES (@person, @forge, @surface, @place, @version, @sealed, @pause, @ends)
  ON CONFLICT (person, forge) DO UPDATE SET surface = excluded.surface, place = excluded.place, version = excluded.version,
    sealed = excluded.sealed, pause = excluded.pause, ends = excluded.ends`;
const CLOSE = "DELETE FROM forge_sign_ins WHERE person = @person AND forge = @forge AND version = @version";
/** Nothing is stored for a request that the person has replaced or taken back, or whose person was erased. */
const CONNECT = `
  INSERT INTO forge_people (person, forge, login, name, email, sealed, ends, version, lease, leased, at)
  SELECT @person, @forge, @login, @name, @email, @sealed, @ends, @version, NULL, NULL, @at
  WHERE EXISTS (SELECT 1 FROM forge_sign_ins WHERE person = @person AND forge = @forge AND version = @request)
  ON CONFLICT (person, forge) DO UPDATE SET login = excluded.login, name = excluded.name, email = excluded.email,
    sealed = excluded.sealed, ends = excluded.ends, version = excluded.version, lease = NULL, leased = NULL, at = excluded.at`;
const LEASE = `
  UPDATE forge_people SET lease = @lease, leased = @at
  WHERE person = @person AND forge = @forge AND version = @version AND (lease IS NULL OR leased < @since)`;
const RENEW = `
  UPDATE forge_people SET sealed = @sealed, ends = @ends, version = @version, lease = NULL, leased = NULL
  WHERE person = @person AND forge = @forge AND version = @old`;
const RELEASE = `
  UPDATE forge_people SET lease = NULL, leased = NULL
  WHERE person = @person AND forge = @forge AND version = @version AND lease = @lease`;
