/**
 * A PostgreSQL of Debian, or the one whose programs are in the folder of TEST_POSTGRES, on a socket of its own in a scratch
 * directory; it ends with the process that started it.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";

export interface Postgres {
  /** Address of a new, empty database. */
  create(): Promise<string>;
  /** Where its socket is. */
  readonly directory: string;
  /** Its files. */
  readonly data: string;
  /** Carries out a command as its user, with its programs. Throws where that fails. */
  shell(command: string): void;
  /** Another server that follows this one. */
  follow(): Promise<Postgres>;
  stop(signal?: Signal): Promise<void>;
  start(...settings: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/** INT is an orderly end, QUIT that of a crash. */
type Signal = "INT" | "QUIT";

/** Ends the server where it is told to, and for good, with its files, where the one who started it is gone. */
const KEEPER =
  'last=$1; shift; "$@" & server=$!; read -r signal; kill -s "${signal:-$last}" $server; wait $server; [ -n "$signal" ] || rm -rf "$0"';

const DEBIAN = "/usr/lib/postgresql";

const programs = (): string | null => {
  const named = process.env["TEST_POSTGRES"];
  if (named !== undefined) return named;
  if (!existsSync(DEBIAN)) return null;
  const [newest] = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a));
  return newest === undefined || !existsSync(join(DEBIAN, newest, "bin/initdb"))
    ? null
    : join(DEBIAN, newest, "bin");
};

/** Whether it is installed, with a program that not every distribution has. */
export const hasPostgres = (program: string): boolean => {
  const bin = programs();
  return bin !== null && existsSync(join(bin, program));
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
  const directory = place();
  const data = join(directory, "data");
  carryOut(bin, directory, ["initdb", "-D", data, ...CLUSTER]);
  return serve(bin, directory, first);
};

const CLUSTER = ["-U", "parley", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"];

/** The files in `directory`/data. */
const serve = async (bin: string, directory: string, first: readonly string[]): Promise<Postgres> => {
  const data = join(directory, "data");
  const shell = (command: string): void => carryOut(bin, directory, ["sh", "-c", command]);
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
    server = keep(directory, command);
    await answering(directory);
  };
  await start(...first);

  let count = 0;
  return {
    directory,
    data,
    create: async () => {
      const name = `parley_${count++}`;
      await asked(directory, `CREATE DATABASE ${name}`);
      return addressOf(directory, name);
    },
    shell,
    follow: async () => {
      const beside = place();
      shell(`pg_basebackup --write-recovery-conf --checkpoint=fast -D ${beside}/data`);
      return serve(bin, beside, first);
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

/** A server that ends with the signal that its standard input says, or, with this process, by `last`. */
export const keep = (directory: string, command: readonly string[], last = "QUIT"): ChildProcess => {
  const child = spawn("sh", ["-c", KEEPER, directory, last, ...command], {
    cwd: directory,
    ...unprivileged(),
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  return child;
};

/** An empty directory of its user. */
export const place = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "parley-pg-"));
  const user = unprivileged();
  if (user !== null) chownSync(directory, user.uid, user.gid);
  chmodSync(directory, 0o755);
  return directory;
};

const carryOut = (bin: string, directory: string, [program = "", ...args]: readonly string[]): void => {
  const env = { PATH: `${bin}:${process.env["PATH"]}`, PGHOST: directory, PGUSER: "parley", LC_ALL: "C" };
  const run = spawnSync(program, args, { cwd: directory, ...unprivileged(), env, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${program}: ${run.error?.message ?? run.stderr}`);
};

/** PostgreSQL refuses to run as root. */
const unprivileged = (): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  return { uid: idOf("-u"), gid: idOf("-g") };
};

/** That of nobody where Debian's package, which makes the user, is not installed. */
const idOf = (which: "-u" | "-g"): number => {
  const found = spawnSync("id", [which, "postgres"], { encoding: "utf8" });
  return found.status === 0 ? Number(found.stdout) : 65_534;
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
