/**
 * The tiers that this machine can show: as root with and without namespaces, as an ordinary user with and without
 * them, and a kernel without Landlock. What cannot be shown is skipped with its reason.
 */

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe } from "vitest";
import { delegateGroups } from "./delegated.ts";
import { locateLauncher } from "../../sandbox/locate.ts";
import { type Bounds, createSandbox } from "../../sandbox/server.ts";
import type { Policy, RunRequest, RunResult, Sandbox, Tier } from "../../sandbox/types.ts";
import { openEgress } from "./egress-client.ts";

const asRoot = process.getuid?.() === 0;
/** Uids of this test process's own: a fork bomb here must not use up the processes of a command in another test. */
const uidBase = 200_000 + (process.pid % 10_000) * 10;
const ORDINARY = 310_000 + (process.pid % 10_000);
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
  policy(profile: Policy["profile"], network?: Policy["network"]): Policy;
  run(profile: Policy["profile"], argv: readonly string[], rest?: Partial<RunRequest>): Promise<RunResult>;
}

interface Kind {
  readonly name: string;
  readonly expected: Tier;
  readonly ordinary: boolean;
  readonly deny: readonly ("namespaces" | "landlock" | `abi${number}`)[];
  /** Only shown to tests that ask for it. */
  readonly more?: More;
}

/** `groups`: a user who was given control groups. `kernels`: older ones, by their Landlock ABI. */
type More = "groups" | "kernels";

const asRootOnly = (kind: Kind): readonly Kind[] => (asRoot ? [kind] : []);

const KINDS: readonly Kind[] = [
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

interface Options {
  readonly bounds?: Partial<Bounds>;
  readonly more?: More | null;
  /** A command that starts the sandbox's server under bounds of the test's own (killer.ts). */
  readonly outer?: readonly string[];
}

/** Declares `body` once for each tier that `wanted` names; the world is there when the tests run. */
export const describeTiers = (
  wanted: readonly Tier[],
  body: (world: () => World) => void,
  { bounds = {}, more = null, outer = [] }: Options = {},
): void => {
  for (const kind of KINDS.filter((each) => wanted.includes(each.expected))) {
    if (kind.more !== undefined && kind.more !== more) continue;
    const delegated = kind.more === "groups" ? delegateGroups(ORDINARY, `parley-test-${process.pid}`) : null;
    const reason =
      kind.deny.length > 0 && compiler === undefined
        ? "no C compiler for the test's helper"
        : kind.more === "groups" && delegated === null
          ? "no control groups to hand on"
          : null;
    if (reason !== null) console.log(`skipped: ${kind.expected} (${kind.name}): ${reason}`);
    describe.skipIf(reason !== null)(`${kind.expected}, ${kind.name}`, () => {
      let world: World | null = null;
      beforeAll(async () => {
        world = await openWorld(kind, [...outer, ...(delegated?.through ?? [])], bounds);
      });
      afterAll(async () => {
        if (world === null) return;
        await world.sandbox.close();
        const { victim } = world;
        if (victim.exitCode === null && victim.signalCode === null) {
          const gone = once(victim, "exit");
          victim.kill("SIGKILL");
          await gone;
        }
        rmSync(world.folder, { recursive: true, force: true });
        delegated?.remove();
      });
      body(() => {
        if (world === null) throw new Error("the world is not open");
        return world;
      });
    });
  }
};

export const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8" } as const;

export const textOf = (result: RunResult): string =>
  result.kind === "failed"
    ? `failed: ${result.reason}`
    : Buffer.concat([result.head, result.tail]).toString("utf8");

/** True while a process with this argument runs anywhere on the machine. */
export const isRunning = async (argument: string): Promise<boolean> => {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
  return stdout.includes(argument);
};

const openWorld = async (kind: Kind, inside: readonly string[], bounds: Partial<Bounds>): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-tier-"));
  const located = await locateLauncher(join(folder, "bin"));
  if (located.kind === "failed") throw new Error(located.reason);
  // A copy, because this repository may itself lie where the tests mount something.
  const launcher = join(folder, "launcher");
  copyFileSync(located.path, launcher);
  const through = [
    ...inside,
    ...(kind.ordinary && asRoot ? becomeOrdinary() : []),
    ...(await denying(kind.deny, folder)),
  ];
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
        timeoutMs: 15_000,
        keep: { head: 64 * 1024, tail: 1024 },
        ...more,
      }),
  };
};

const becomeOrdinary = (): readonly string[] => [
  "/usr/bin/setpriv",
  `--reuid=${ORDINARY}`,
  `--regid=${ORDINARY}`,
  "--clear-groups",
];

const denying = async (what: Kind["deny"], folder: string): Promise<readonly string[]> => {
  if (what.length === 0 || compiler === undefined) return [];
  const program = join(folder, "deny");
  await promisify(execFile)(compiler, ["-O2", "-static", join(import.meta.dirname, "deny.c"), "-o", program]);
  return what.flatMap((each) => [program, each]);
};
