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

const ORDINARY = 64_123;
const asRoot = process.getuid?.() === 0;
/** Uids of this test process's own: a fork bomb here must not use up the processes of a command in another test. */
const uidBase = 200_000 + (process.pid % 10_000) * 10;
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
  /** A process of the sandbox's host: what commands must not reach. */
  readonly victim: ChildProcess;
  policy(profile: Policy["profile"], network?: Policy["network"]): Policy;
  run(profile: Policy["profile"], argv: readonly string[], rest?: Partial<RunRequest>): Promise<RunResult>;
}

interface Kind {
  readonly name: string;
  readonly expected: Tier;
  readonly ordinary: boolean;
  readonly deny: "namespaces" | "landlock" | null;
  readonly delegated?: boolean;
}

const KINDS: readonly Kind[] = [
  ...(asRoot ? [{ name: "root", expected: "T0", ordinary: false, deny: null } as const] : []),
  ...(asRoot
    ? [{ name: "root without namespaces", expected: "T0", ordinary: false, deny: "namespaces" } as const]
    : []),
  { name: "a user", expected: "T1", ordinary: true, deny: null },
  ...(asRoot
    ? [{ name: "a user with groups", expected: "T1", ordinary: true, deny: null, delegated: true } as const]
    : []),
  { name: "a user without namespaces", expected: "T2", ordinary: true, deny: "namespaces" },
  { name: "no Landlock", expected: "T3", ordinary: !asRoot, deny: "landlock" },
];

/**
 * Declares `body` once for each tier that `wanted` names; the world is there when the tests run. With bounds of its
 * own, T1 also where the user was given control groups.
 */
export const describeTiers = (
  wanted: readonly Tier[],
  body: (world: () => World) => void,
  bounds: Bounds | null = null,
): void => {
  for (const kind of KINDS.filter((each) => wanted.includes(each.expected))) {
    if (kind.delegated === true && bounds === null) continue;
    const delegated = kind.delegated === true ? delegateGroups(ORDINARY, `parley-test-${process.pid}`) : null;
    const reason =
      kind.deny !== null && compiler === undefined
        ? "no C compiler for the test's helper"
        : kind.delegated === true && delegated === null
          ? "no control groups to hand on"
          : null;
    if (reason !== null) console.log(`skipped: ${kind.expected} (${kind.name}): ${reason}`);
    describe.skipIf(reason !== null)(`${kind.expected}, ${kind.name}`, () => {
      let world: World | null = null;
      beforeAll(async () => {
        world = await openWorld(kind, delegated?.through ?? [], bounds);
      });
      afterAll(async () => {
        if (world === null) return;
        await world.sandbox.close();
        const gone = once(world.victim, "exit");
        world.victim.kill("SIGKILL");
        await gone;
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

const openWorld = async (kind: Kind, inside: readonly string[], bounds: Bounds | null): Promise<World> => {
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
    bounds: bounds ?? {},
    egress,
  });
  const work = sandbox.probe.mounts ? "/work" : join(folder, "work");
  const policy: World["policy"] = (profile, network = "none") => ({
    profile,
    network,
    mounts: [{ source: join(folder, "work"), target: "/work", write: profile !== "restricted" }],
    cwd: work,
    identity: 7,
  });
  return {
    name: kind.name,
    expected: kind.expected,
    sandbox,
    launcher,
    through,
    folder,
    work,
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
  if (what === null || compiler === undefined) return [];
  const program = join(folder, "deny");
  await promisify(execFile)(compiler, ["-O2", "-static", join(import.meta.dirname, "deny.c"), "-o", program]);
  return [program, what];
};
