/**
 * Connection to the shared database, opened by the first statement and reopened after a loss. Errors of the database and the
 * network are returned; nothing here throws.
 */

import { readFileSync } from "node:fs";
import pg, { type Client, type ClientConfig, type QueryConfig } from "pg";
import * as z from "zod";
import type { WriteFailure } from "../../../ports/host.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";

export interface FleetSettings {
  /** `postgres://` address. */
  readonly database: string;
  readonly password?: string;
  /** PEM file with the root certificates that the database's certificate is checked against. */
  readonly ca?: string;
  readonly name: string;
  readonly version: string;
}

export interface DatabaseDone {
  readonly kind: "done";
}

export interface DatabaseTrouble {
  readonly kind: "trouble";
  /** One sentence with the remedy. */
  readonly why: string;
}

export interface LinkRefusal {
  readonly kind: "refused";
  /** One sentence with the remedy. */
  readonly why: string;
}

export const linkRefusal = (why: string): LinkRefusal => ({ kind: "refused", why });

export interface LinkTrouble extends DatabaseTrouble {
  /**
   * `away`: the database may be available again soon. `unseen`: another host changed a row that this host has not seen.
   * `read_only`, `full` and `value`: this write is refused. `refused`: an operator must act.
   */
  readonly cause: "away" | "unseen" | "read_only" | "full" | "value" | "refused";
  /** Whether the statement might have been executed. */
  readonly isUnknown: boolean;
  readonly remedy: string;
}

export type LinkAnswer = { readonly kind: "rows"; readonly rows: readonly unknown[] } | LinkTrouble;

export interface DatabaseLink {
  /** `name`: name of a frequent statement, so that the database plans the statement only once. */
  ask(text: string, values?: readonly unknown[], name?: string): Promise<LinkAnswer>;
  close(): Promise<void>;
}

export interface Session {
  /** Channel that the connection listens on from the start. */
  readonly channel: string;
  /** Statement that the connection runs before any other. */
  readonly greeting?: string;
  notified(payload: string): void;
  lost(): void;
}

/** The link executes statements one after the other. */
export const createLink = (settings: FleetSettings, session: Session | null = null): DatabaseLink => {
  let client: Promise<Client> | null = null;
  let isClosed = false;

  const connect = (config: ClientConfig): Promise<Client> => {
    const one = new pg.Client(config);
    const connecting = greet(one, session);
    const drop = (): void => {
      if (client !== connecting) return;
      client = null;
      session?.lost();
    };
    one.on("error", drop);
    one.on("end", drop);
    one.on("notification", ({ payload }) => session?.notified(payload ?? ""));
    return connecting;
  };

  const asked: DatabaseLink["ask"] = async (text, values = [], name) => {
    if (isClosed) return trouble("away", "this host closed the connection");
    if (client === null) {
      const read = readConfig(settings);
      if (read.kind === "trouble") return read;
      client = connect(read.config);
    }
    const connecting = client;
    try {
      const one = await connecting;
      const answer = await carriedOut(one, { text, values: [...values], ...omitUndefined({ name }) });
      // A statement without an answer may be answered later, so the connection is closed.
      if (answer.kind === "trouble" && (answer.isUnknown || answer.cause === "read_only")) {
        if (client === connecting) client = null;
        one.connection.stream.destroy();
      }
      return answer;
    } catch (error) {
      if (client === connecting) client = null;
      return troubleOf(error, false);
    }
  };

  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask: (...statement) => {
      const mine = turn.then(() => asked(...statement));
      turn = mine.catch(() => undefined);
      return mine;
    },
    close: async () => {
      isClosed = true;
      const last = client;
      client = null;
      await last?.then((one) => one.end()).catch(() => {});
    },
  };
};

const greet = async (client: Client, session: Session | null): Promise<Client> => {
  try {
    await client.connect();
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    if (Reflect.get(client, "processID") !== pidRow.parse(rows[0]).pid) throw pooled();
    if (session !== null) await client.query(`LISTEN ${session.channel}; ${session.greeting ?? ""}`);
    return client;
  } catch (error) {
    client.connection.stream.destroy();
    throw partsOf(error).code === UNKNOWN_SETTING ? pooled() : error;
  }
};

const carriedOut = async (client: Client, query: QueryConfig): Promise<LinkAnswer> => {
  try {
    // A query with several statements returns several results; only the last result counts.
    const last = [await client.query(query)].flat().at(-1);
    return { kind: "rows", rows: last?.rows ?? [] };
  } catch (error) {
    return troubleOf(error, true);
  }
};

/** Locks and notifications belong to a session, and a connection pooler shares its sessions between clients. */
const POOLED = "a connection pooler answers; PARLEY_DATABASE must name the server itself";
const pooled = (): Error => Object.assign(new Error(POOLED), { severity: "FATAL" });
/** Code that a pooler returns for session settings. A PostgreSQL server knows all settings used here. */
const UNKNOWN_SETTING = "08P01";
const pidRow = z.object({ pid: z.number() });

/** Time limits in milliseconds. A statement takes a few milliseconds; after this limit it counts as lost. */
const CONNECT = 5_000;
const STATEMENT = 10_000;
const ANSWER = 12_000;

/** Reports an invalid address or an unreadable file as `refused`, because only an operator can correct the setting. */
const readConfig = (
  settings: FleetSettings,
): { readonly kind: "read"; readonly config: ClientConfig } | LinkTrouble => {
  try {
    return { kind: "read", config: configOf(settings) };
  } catch (error) {
    return trouble("refused", partsOf(error).message);
  }
};

const configOf = ({ database, password, ca, name }: FleetSettings): ClientConfig => {
  const url = new URL(database);
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname).replace(/^\[|\]$/g, "");
  const isOpen = host.startsWith("/") || url.searchParams.get("sslmode") === "disable";
  return {
    host,
    port: Number(url.searchParams.get("port") ?? (url.port || "5432")),
    user: decodeURIComponent(url.username) || (url.searchParams.get("user") ?? undefined),
    password: password ?? (decodeURIComponent(url.password) || undefined),
    database: decodeURIComponent(url.pathname.slice(1)) || "parley",
    ssl: isOpen ? false : { rejectUnauthorized: true, ...omitUndefined({ ca: ca && readFileSync(ca) }) },
    application_name: `parley ${name}`.slice(0, 63),
    connectionTimeoutMillis: CONNECT,
    statement_timeout: STATEMENT,
    query_timeout: ANSWER,
    idle_in_transaction_session_timeout: STATEMENT,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT,
  };
};

/** An error from the database proves that the statement was not executed, unless the error ended the connection. */
const troubleOf = (error: unknown, wasSent: boolean): LinkTrouble => {
  const { code, severity, message } = partsOf(error);
  const isOfNetwork = severity === "" && !/CERT|SELF_SIGNED|SSL|SASL/.test(`${code} ${message}`);
  const cause = isOfNetwork ? "away" : causeOf(code);
  return trouble(
    cause,
    [code, message].filter((part) => part !== "").join(": "),
    wasSent && severity !== "ERROR",
  );
};

export const trouble = (cause: LinkTrouble["cause"], found: string, isUnknown = false): LinkTrouble => {
  const [what, remedy] = CAUSES[cause];
  return {
    kind: "trouble",
    cause,
    isUnknown,
    why: `The database of PARLEY_DATABASE ${what} (${found}). ${remedy}`,
    remedy,
  };
};

const errorShape = z.object({
  code: z.string().default(""),
  severity: z.string().default(""),
  message: z.string().default(""),
});
const partsOf = (error: unknown): z.output<typeof errorShape> => {
  const parsed = errorShape.safeParse(error);
  return parsed.success ? parsed.data : { code: "", severity: "", message: String(error) };
};

/**
 * Violation of NOT NULL. `putRows` (push.ts) causes this error on purpose: a row that would overwrite an unseen change of
 * another host gets no group.
 */
const NO_VALUE = "23502";

/** Maps classes of SQLSTATE to causes. */
const causeOf = (code: string): LinkTrouble["cause"] => {
  if (code === NO_VALUE) return "unseen";
  if (code === "25006") return "read_only";
  if (code === "53100" || code === "53200") return "full";
  // 25P03: the database ended a transaction that was idle, because this host froze.
  if (/^(08|57|40|53|55|25P03)/.test(code)) return "away";
  return code.startsWith("22") ? "value" : "refused";
};

const CAUSES: Readonly<
  Record<LinkTrouble["cause"], readonly [what: string, remedy: string, WriteFailure["code"]]>
> = {
  away: ["does not answer", "Start the database, or wait until it answers again.", "io"],
  unseen: ["has newer rows", "Try again.", "io"],
  read_only: ["is read-only", "Point PARLEY_DATABASE at the primary.", "read_only"],
  full: ["is full", "Give the database more space.", "disk_full"],
  value: ["cannot store a value", "Remove the value that cannot be stored.", "conflict"],
  refused: ["refuses", "Check the address, the role, the password and the privileges of the role.", "io"],
};

export const linkFailureOf = ({ cause, why }: LinkTrouble): WriteFailure => ({
  kind: "failed",
  code: CAUSES[cause][2],
  message: why,
});
