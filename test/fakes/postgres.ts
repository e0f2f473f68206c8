/** A PostgreSQL of Debian on a socket of its own in a scratch directory, which ends with the process that started it. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";

export interface Postgres {
  /** Address of a new, empty database. */
  create(): Promise<string>;
  /** Where its socket is. */
  readonly directory: string;
  stop(signal?: Signal): Promise<void>;
  start(...settings: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/** INT is an orderly end, QUIT that of a crash. */
type Signal = "INT" | "QUIT";

/** Ends the server where it is told to, and for good, with its files, where the one who started it is gone. */
const KEEPER =
  '"$@" & server=$!; read -r signal; kill -s "${signal:-QUIT}" $server; wait $server; [ -n "$signal" ] || rm -rf "$0"';

const DEBIAN = "/usr/lib/postgresql";

const programs = (): string | null => {
  if (!existsSync(DEBIAN)) return null;
  const [newest] = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a));
  return newest === undefined || !existsSync(join(DEBIAN, newest, "bin/initdb"))
    ? null
    : join(DEBIAN, newest, "bin");
};

let shared: Promise<Postgres | null> | null = null;

/** One for all test files that a worker runs. */
export const sharedPostgres = (): Promise<Postgres | null> => (shared ??= startPostgres());

/** With `first` as settings. Null, after saying so, where it is not installed. */
export const startPostgres = async (...first: readonly string[]): Promise<Postgres | null> => {
  const bin = programs();
  if (bin === null) {
    process.stderr.write("skipped: PostgreSQL is not installed (apt-get install postgresql)\n");
    return null;
  }
  const directory = mkdtempSync(join(tmpdir(), "parley-pg-"));
  const user = unprivileged();
  if (user !== null) chownSync(directory, user.uid, user.gid);
  chmodSync(directory, 0o755);
  const data = join(directory, "data");
  const run = { cwd: directory, ...user };
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "parley", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"],
    { ...run, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);

  let server: ChildProcess | null = null;
  const stop = async (signal: Signal = "INT"): Promise<void> => {
    const last = server;
    server = null;
    if (last === null) return;
    const ended = once(last, "exit");
    last.ref();
    last.stdin?.end(`${signal}\n`);
    await ended;
  };
  const start = async (...settings: readonly string[]): Promise<void> => {
    const given = [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
    const command = [join(bin, "postgres"), "-D", data, "-k", directory, ...given];
    const child = spawn("sh", ["-c", KEEPER, directory, ...command], {
      ...run,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.unref();
    server = child;
    await answering(directory);
  };
  await start(...first);

  let count = 0;
  return {
    directory,
    create: async () => {
      const name = `parley_${count++}`;
      await asked(directory, `CREATE DATABASE ${name}`);
      return addressOf(directory, name);
    },
    stop,
    start,
    end: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

export const addressOf = (directory: string, name: string): string =>
  `postgres:///${name}?host=${directory}&user=parley`;

const SETTINGS = [
  "listen_addresses=",
  "fsync=off",
  "shared_buffers=16MB",
  "max_connections=40",
  "autovacuum=off",
];

/** PostgreSQL refuses to run as root. */
const unprivileged = (): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const found = spawnSync("id", ["-u", "postgres"], { encoding: "utf8" });
  const uid = found.status === 0 ? Number(found.stdout) : userInfo({ encoding: "utf8" }).uid;
  return { uid, gid: Number(spawnSync("id", ["-g", "postgres"], { encoding: "utf8" }).stdout) };
};

const asked = async (directory: string, text: string): Promise<void> => {
  const client = new pg.Client({ host: directory, user: "parley", database: "postgres" });
  await client.connect();
  await client.query(text);
  await client.end();
};

const answering = async (directory: string): Promise<void> => {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      return await asked(directory, "SELECT 1");
    } catch {
      await setTimeout(25);
    }
  }
  throw new Error("PostgreSQL does not answer");
};
