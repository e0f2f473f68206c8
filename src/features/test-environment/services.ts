/** Services for tests: programs of the host that start inside the test's confinement, and end with the test. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const SERVICE_NAMES = ["postgresql", "redis"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Folders whose programs a confined command can run. */
const FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export interface ServicePrograms {
  /** Returns the subfolders of a folder; empty if there is none. */
  readonly list: (folder: string) => readonly string[];
  readonly isProgram: (path: string) => boolean;
}

interface Recipe {
  /** Alternatives of each needed program. */
  readonly programs: readonly (readonly string[])[];
  /** Folders with one subfolder per version, whose programs are in `bin`. */
  readonly versioned: readonly string[];
  readonly install: string;
  /** Variables that the test command receives. */
  readonly env: Readonly<Record<string, string>>;
  /** Bash function body. `paths`: quoted paths of the programs. */
  readonly start: (paths: readonly string[]) => string;
}

const RECIPES: Readonly<Record<ServiceName, Recipe>> = {
  postgresql: {
    programs: [["initdb"], ["postgres"]],
    versioned: ["/usr/lib/postgresql", "/usr/local/lib/postgresql"],
    install: "PostgreSQL's server programs (Debian and Ubuntu: `apt-get install postgresql`)",
    env: {
      PGHOST: "127.0.0.1",
      PGPORT: "5432",
      PGUSER: "test",
      PGDATABASE: "test",
      DATABASE_URL: "postgresql://test@127.0.0.1:5432/test",
    },
    start: ([initdb = "", postgres = ""]) => `
mkdir -m 700 "$all/postgresql"
plain ${initdb} -D "$all/postgresql/data" -U test -A trust -E UTF8 --locale=C --no-sync >"$log" 2>&1 || failed postgresql
printf 'CREATE DATABASE test;\\n' | plain ${postgres} --single -D "$all/postgresql/data" postgres >>"$log" 2>&1 || failed postgresql
plain ${postgres} -D "$all/postgresql/data" -c listen_addresses=127.0.0.1 -c port=5432 -c unix_socket_directories= \\
  -c fsync=off -c shared_buffers=16MB -c max_connections=50 >"$all/postgresql/log" 2>&1 &
log=$all/postgresql/log
ready postgresql $! 'grep -qs "ready to accept connections" "$log"'`,
  },
  redis: {
    programs: [["redis-server", "valkey-server"]],
    versioned: [],
    install: "redis-server or valkey-server (Debian and Ubuntu: `apt-get install redis-server`)",
    env: { REDIS_URL: "redis://127.0.0.1:6379/0" },
    start: ([server = ""]) => `
mkdir -m 700 "$all/redis"
plain ${server} --bind 127.0.0.1 --port 6379 --save '' --appendonly no --dir "$all/redis" --daemonize no >"$log" 2>&1 &
ready redis $! '(exec 3<>/dev/tcp/127.0.0.1/6379) 2>/dev/null'`,
  },
};

export type ServicesResult =
  | {
      readonly kind: "services";
      readonly env: Readonly<Record<string, string>>;
      /** Bash script that runs its argument `$1` beside the services. */
      readonly script: string;
    }
  /** A sentence for people that names the packages to install. */
  | { readonly kind: "missing"; readonly why: string };

export const servicesFor = (
  names: readonly ServiceName[],
  programs: ServicePrograms = HOST_PROGRAMS,
): ServicesResult => {
  const found = names.map((name) => ({ name, paths: findPrograms(name, programs) }));
  const missing = found.filter(({ paths }) => paths === null);
  if (missing.length > 0)
    return { kind: "missing", why: missing.map(({ name }) => notInstalledText(name)).join(" ") };
  const starts = found.map(({ name, paths }) => RECIPES[name].start((paths ?? []).map(quoted)));
  return {
    kind: "services",
    env: Object.assign({}, ...names.map((name) => RECIPES[name].env)),
    script: `${BEGIN}${starts.map((start) => `\nlog=$all/log${start}\n`).join("")}${RUN}`,
  };
};

const notInstalledText = (name: ServiceName): string =>
  `the service ${name} is not installed on this host. The operator installs ${packagesOf(name)}.`;

export const packagesOf = (name: ServiceName): string => RECIPES[name].install;

/** All programs of a service come from one folder, so that their versions agree. Null if a program is missing. */
const findPrograms = (name: ServiceName, { list, isProgram }: ServicePrograms): readonly string[] | null => {
  const { programs, versioned } = RECIPES[name];
  const versions = versioned.flatMap((folder) =>
    list(folder)
      .filter((one) => /^\d{1,3}$/.test(one))
      .toSorted((a, b) => Number(b) - Number(a))
      .map((one) => join(folder, one, "bin")),
  );
  for (const folder of [...versions, ...FOLDERS]) {
    const paths = programs.flatMap((names) =>
      names
        .map((one) => join(folder, one))
        .filter(isProgram)
        .slice(0, 1),
    );
    if (paths.length === programs.length) return paths;
  }
  return null;
};

const HOST_PROGRAMS: ServicePrograms = {
  list: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  isProgram: (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && (found.mode & 0o001) !== 0;
  },
};

const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** `plain` starts a service without the variables of the test, which may be secret. */
const BEGIN = `all=$(mktemp -d "\${TMPDIR:-/tmp}/services-XXXXXX") || exit 127
plain() { env -i PATH="$PATH" HOME="$all" TMPDIR="$all" LANG=C.UTF-8 "$@"; }
failed() { printf 'The test did not run: the service %s did not start.\\n' "$1"; tail -n 15 "$log"; exit 127; }
ready() {
  for _ in {1..1200}; do
    if eval "$3"; then return; fi
    kill -0 "$2" 2>/dev/null || failed "$1"
    sleep 0.1
  done
  failed "$1"
}
`;

const RUN = `
/bin/bash --noprofile --norc -c "$1"
status=$?
kill -QUIT $(jobs -p) 2>/dev/null
exit "$status"
`;
