/** A tier of this machine for tests and benchmarks: a sandbox, its host's folder, and a victim beside it. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { locateLauncher } from "../../sandbox/locate.ts";
import { type Bounds, createSandbox } from "../../sandbox/server.ts";
import type { SandboxPolicy, RunRequest, RunResult, Sandbox, Tier } from "../../sandbox/types.ts";
import { buildsFolder } from "../scratch.ts";
import { openEgress } from "./egress/client.ts";

const asRoot = process.getuid?.() === 0;
/** Uids of this test process's own: a fork bomb here must not use up the processes of a command in another test. */
const uidBase = 200_000 + (process.pid % 10_000) * 10;
export const ORDINARY = 310_000 + (process.pid % 10_000);
const IDENTITY = 7;
const COMPILERS = ["/usr/bin/musl-gcc", "/usr/bin/cc"] as const;
const compiler = COMPILERS.find((path) => existsSync(path));

export interface World {
  readonly name: string;
  readonly expected: Tier;
  readonly sandbox: Sandbox;
  readonly launcher: string;
  /** A command that runs another with the same rights as the sandbox's host has here. */
  readonly through: readonly string[];
  /** A folder that belongs to the sandbox's host, with `work/` in it. */
  readonly folder: string;
  /** `work/` as commands see it. */
  readonly work: string;
  /** At T0: the uid that `policy` gives commands. */
  readonly uid: number;
  readonly uidBase: number;
  /** Every uid that commands may run as here, of nobody else but this world's own processes. */
  readonly uids: readonly number[];
  /** A process of the sandbox's host: what commands must not reach. */
  readonly victim: ChildProcess;
  policy(profile: SandboxPolicy["profile"], network?: SandboxPolicy["network"]): SandboxPolicy;
  run(
    profile: SandboxPolicy["profile"],
    argv: readonly string[],
    rest?: Partial<RunRequest>,
  ): Promise<RunResult>;
  close(): Promise<void>;
}

export interface Kind {
  readonly name: string;
  readonly expected: Tier;
  readonly ordinary: boolean;
  readonly deny: readonly ("namespaces" | "landlock" | `abi${number}`)[];
  /** Only shown to tests that ask for it. */
  readonly more?: More;
}

/** `groups`: a user who was given control groups. `kernels`: older ones, by their Landlock ABI. */
export type More = "groups" | "kernels";

const asRootOnly = (kind: Kind): readonly Kind[] => (asRoot ? [kind] : []);

export const KINDS: readonly Kind[] = [
  ...asRootOnly({ name: "root", expected: "T0", ordinary: false, deny: [] }),
  ...asRootOnly({ name: "root without namespaces", expected: "T0", ordinary: false, deny: ["namespaces"] }),
  { name: "a user", expected: "T1", ordinary: true, deny: [] },
  ...asRootOnly({ name: "a user with groups", expected: "T1", ordinary: true, deny: [], more: "groups" }),
  { name: "a user without namespaces", expected: "T2", ordinary: true, deny: ["namespaces"] },
  { name: "no Landlock", expected: "T3", ordinary: !asRoot, deny: ["landlock"] },
  ...asRootOnly({ name: "root, ABI 2", expected: "T0", ordinary: false, deny: ["abi2"], more: "kernels" }),
  ...asRootOnly({
    name: "root without namespaces, ABI 2",
    expected: "T0",
    ordinary: false,
    deny: ["abi2", "namespaces"],
    more: "kernels",
  }),
  { name: "a user, ABI 1", expected: "T1", ordinary: true, deny: ["abi1"], more: "kernels" },
  {
    name: "a user without namespaces, ABI 6",
    expected: "T2",
    ordinary: true,
    deny: ["abi6", "namespaces"],
    more: "kernels",
  },
  {
    name: "a user without namespaces, ABI 5",
    expected: "T3",
    ordinary: true,
    deny: ["abi5", "namespaces"],
    more: "kernels",
  },
];

export const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8" } as const;

/** Why this machine cannot show that tier, or null. */
export const missingFor = ({ deny }: Kind): string | null =>
  deny.length > 0 && compiler === undefined ? "no C compiler for the test's helper" : null;

/** Everything of a tier, with a sandbox of its own; `inside` is a command that starts its server. */
export const openWorld = async (
  kind: Kind,
  inside: readonly string[],
  bounds: Partial<Bounds>,
): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-tier-"));
  const located = await locateLauncher(join(folder, "bin"));
  if (located.kind === "failed") throw new Error(located.reason);
  // A copy, because this repository may itself lie where the tests mount something.
  const launcher = join(folder, "launcher");
  copyFileSync(located.path, launcher);
  const through = [...inside, ...(kind.ordinary && asRoot ? becomeOrdinary() : []), ...(await denying(kind))];
  const owner = kind.ordinary && asRoot ? ORDINARY : (process.getuid?.() ?? 0);
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "work", "note.txt"), "first line\n");
  for (const path of ["", "work", "work/note.txt"]) chownSync(join(folder, path), owner, owner);
  const victim = spawn(through[0] ?? "/usr/bin/sleep", [...through, "/usr/bin/sleep", "1000"].slice(1), {
    stdio: "ignore",
  });
  await once(victim, "spawn");
  const egress = await openEgress();
  for (const path of [egress.directory, join(egress.directory, "s")]) chownSync(path, owner, owner);
  const sandbox = await createSandbox({
    launcher,
    through,
    uidBase,
    acceptOpen: true,
    acceptShared: true,
    bounds,
    egress,
  });
  const work = sandbox.probe.mounts ? "/work" : join(folder, "work");
  const policy: World["policy"] = (profile, network = "none") => ({
    profile,
    network,
    mounts: [{ source: join(folder, "work"), target: "/work", write: profile !== "restricted" }],
    cwd: work,
    identity: IDENTITY,
  });
  return {
    name: kind.name,
    expected: kind.expected,
    sandbox,
    launcher,
    through,
    folder,
    work,
    uid: uidBase + IDENTITY,
    uidBase,
    uids: kind.ordinary ? [owner] : Array.from({ length: 10 }, (_, identity) => uidBase + identity),
    victim,
    policy,
    run: (profile, argv, more = {}) =>
      sandbox.run({
        policy: policy(profile),
        argv,
        env: ENV,
        timeoutMs: 120_000,
        keep: { head: 64 * 1024, tail: 1024 },
        ...more,
      }),
    close: async () => {
      await sandbox.close();
      if (victim.exitCode === null && victim.signalCode === null) {
        const gone = once(victim, "exit");
        victim.kill("SIGKILL");
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const becomeOrdinary = (): readonly string[] => [
  "/usr/bin/setpriv",
  `--reuid=${ORDINARY}`,
  `--regid=${ORDINARY}`,
  "--clear-groups",
];

/** What root is left with by Docker's default profile: with it there are no namespaces, and not only those. */
const DOCKER =
  "chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,setfcap,net_bind_service,net_raw,sys_chroot,mknod,audit_write";

const denying = async ({ deny, ordinary }: Kind): Promise<readonly string[]> => {
  const contained = !ordinary && deny.includes("namespaces");
  const rest = contained ? deny.filter((each) => each !== "namespaces") : deny;
  const capabilities = DOCKER.replaceAll(/^|,/g, (found) => `${found}+`);
  return [
    ...(await denier(rest)),
    ...(contained ? ["/usr/bin/setpriv", `--bounding-set=-all,${capabilities}`, "--inh-caps=-all"] : []),
  ];
};

/** The helper that takes away (deny.c), once for each; built once for a machine and its source. */
const denier = async (what: Kind["deny"]): Promise<readonly string[]> => {
  if (what.length === 0 || compiler === undefined) return [];
  const program = await buildDenier(compiler);
  return what.flatMap((each) => [program, each]);
};

const buildDenier = async (cc: string): Promise<string> => {
  const source = join(import.meta.dirname, "deny.c");
  const hash = createHash("sha256").update(readFileSync(source)).digest("hex");
  const path = join(buildsFolder(), `parley-deny-${hash.slice(0, 16)}`);
  if (existsSync(path)) return path;
  const temporary = `${path}.${process.pid}`;
  await promisify(execFile)(cc, ["-O2", "-static", source, "-o", temporary]);
  renameSync(temporary, path);
  return path;
};
