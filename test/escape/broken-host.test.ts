/**
 * The bad input of the sandbox that is the host itself: a kernel or a container that refuses one of the steps, a read-only
 * root, no /proc, no room for a process. Either a tier holds, or nothing runs and the reason is said.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSandbox } from "../../sandbox/server.ts";
import type { Probe, RunResult, Sandbox } from "../../sandbox/types.ts";
import { type Arena, CANARY, describeArena, type Profile, said } from "./arena/arena.ts";
import { noCompiler } from "./arena/attack.ts";
import { descendants, fingerprint } from "./arena/traces.ts";

const EPERM = 1;
const ENOSYS = 38;

/** Every call that the launcher makes to confine, and what kernels and containers answer that do not let it. */
const STEPS: readonly (readonly [string, number])[] = [
  ["landlock_create_ruleset", ENOSYS],
  ["landlock_create_ruleset", 95 /* EOPNOTSUPP: built in and switched off */],
  ["landlock_add_rule", EPERM],
  ["landlock_restrict_self", EPERM],
  ["filter", 22],
  ["no_new_privs", 22],
  ["dumpable", EPERM],
  ["pdeathsig", EPERM],
  ["subreaper", EPERM],
  ["capset", EPERM],
  ["setresuid", EPERM],
  ["setresgid", EPERM],
  ["setgroups", EPERM],
  ["unshare", EPERM],
  ["setns", EPERM],
  ["pivot_root", EPERM],
  ["umount2", EPERM],
  ["mount_setattr", ENOSYS],
  ["open_tree", ENOSYS],
  ["move_mount", EPERM],
  ["fsopen", EPERM],
  ["fsmount", EPERM],
  ["close_range", ENOSYS],
  ["openat2", ENOSYS],
  ["clone3", ENOSYS],
  ["setsid", EPERM],
  ["limits", EPERM],
  ["setpriority", EPERM],
];

/** Programs between the bot and the launcher: `outer` runs before the tier's own user and kernel, `inner` after. */
interface Between {
  readonly outer?: readonly string[];
  readonly inner?: readonly string[];
}

interface Outcome {
  readonly probe: Probe;
  readonly kind: "held" | "refused";
  /** Why nothing ran; empty when it held. */
  readonly reason: string;
}

/** Starts the sandbox there; what it promises must hold, and what it does not promise must not run. */
const tryOn = async (arena: Arena, { outer = [], inner = [] }: Between): Promise<Outcome> => {
  const through = [...outer, ...(arena.options.through ?? []), ...inner];
  const sandbox = await createSandbox({ ...arena.options, through });
  try {
    const outcome = await judge(arena, sandbox);
    expect(outcome.kind === "held").toBe(outcome.reason === "");
    return outcome;
  } finally {
    await sandbox.close();
  }
};

const judge = async (arena: Arena, sandbox: Sandbox): Promise<Outcome> => {
  const { work, host, env, attackProgram, policy } = arena;
  const { probe } = sandbox;
  const victim = await arena.victim();
  const before = fingerprint(host);
  const attacks = `echo ran; cat ${env} $PWD/../../../../.env; chmod 777 ${env}; kill -9 ${victim.pid}; exec 3<>/dev/tcp/127.0.0.1/1; ${attackProgram} unnamed ${env}; ${attackProgram} write ${env} ${host}`;
  const run = (profile: Profile, script: string): Promise<RunResult> =>
    sandbox.run({
      policy: policy(profile, { cwd: probe.mounts ? "/work" : work }),
      argv: ["/bin/bash", "-c", script],
      env: { PATH: "/usr/bin:/bin" },
      timeoutMs: 120_000,
      keep: { head: 64 * 1024, tail: 0 },
    });
  const reading = await run("restricted", `${attacks}; echo x > made; echo x > ${work}/made; exit 7`);
  expect(fingerprint(host)).toEqual(before);
  // Where nothing is confined, which is said in every conversation (D3), there is nothing to hold.
  const writing = probe.tier === "T3" ? reading : await run("unrestricted", `${attacks}; exit 7`);
  for (const result of [reading, writing]) {
    expect(said(result)).not.toContain(CANARY);
    expect(said(result)).not.toContain("through");
  }
  expect(readFileSync(env, "utf8")).toContain(CANARY);
  expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
  if (reading.kind === "failed") return { probe, kind: "refused", reason: reading.reason };
  expect(probe.restricted).toBe(true);
  expect(reading).toMatchObject({ kind: "exited", code: 7 });
  expect(said(reading)).toMatch(/^ran\n/);
  return { probe, kind: "held", reason: "" };
};

const inMounts = (script: string): readonly string[] => [
  "/usr/bin/unshare",
  "--mount",
  "--propagation=private",
  "/bin/sh",
  "-c",
  // Not exec: somebody must stay in the namespace that the server leaves for one of its own.
  `${script} && "$@"`,
  "sh",
];

/** What Docker leaves to root by default. */
const DOCKER =
  "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap";

const asRoot = process.getuid?.() === 0;

describeArena((arena) => {
  it("49, 50 whichever step of the confinement is refused, Restricted holds or nothing runs and the reason is said", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const held: string[] = [];
    for (const [call, error] of STEPS) {
      const { kind, probe } = await tryOn(arena(), {
        inner: [arena().attackProgram, "without", call, String(error)],
      });
      if (kind === "held") held.push(call);
      // What Docker's seccomp profile refuses with SYS_ADMIN, too; doctor tells the remedy by it.
      if (call === "pivot_root" && arena().world.sandbox.probe.mounts)
        expect(probe.whyNoMounts).toBe("pivot_root: Operation not permitted");
    }
    // Without these nothing is held, whoever starts it; with the others' help some tier is.
    expect(held.filter((call) => NEEDED.includes(call))).toEqual([]);
    expect(held).toEqual(expect.arrayContaining(["openat2", "clone3"]));
  });

  it("50 in a container with Docker's capabilities and system calls the tier below holds", async ({
    skip,
  }) => {
    if (noCompiler !== null) return skip(noCompiler);
    const { attackProgram } = arena();
    const inner = [
      ...["unshare", "setns", "open_tree", "move_mount", "fsopen", "mount_setattr", "umount2"].flatMap(
        (call) => [attackProgram, "without", call, String(EPERM)],
      ),
      attackProgram,
      "without",
      "clone3",
      String(ENOSYS),
    ];
    const outer = asRoot ? ["/usr/bin/setpriv", "--bounding-set", DOCKER] : [];
    const outcome = await tryOn(arena(), { outer, inner });
    expect([outcome.probe.tier, outcome.probe.mounts]).toEqual([arena().tier === "T0" ? "T0" : "T2", false]);
    expect(outcome.probe.restricted).toBe(true);
    // A data directory below a 0700 home is out of the uid's reach there, which is said.
    if (arena().world.name === "root")
      expect(outcome.reason).toMatch(/working directory .*: Permission denied/);
    else expect(outcome.kind).toBe("held");
  });

  it("50 on a read-only root Restricted holds, or what is missing is said", async ({ skip }) => {
    if (noCompiler !== null || !asRoot) return skip(noCompiler ?? "only root can show one");
    const { folder } = arena().world;
    const outer = inMounts(`mount --bind ${folder} ${folder} && mount -o remount,bind,ro /`);
    const outcome = await tryOn(arena(), { outer });
    if (arena().world.sandbox.probe.mounts) expect(outcome.kind).toBe("held");
    else expect(outcome.reason).toMatch(/temporary directory/);
  });

  it("50 without /proc Restricted holds, or nothing runs and the reason is said", async ({ skip }) => {
    if (noCompiler !== null || !asRoot) return skip(noCompiler ?? "only root can show it");
    const outcome = await tryOn(arena(), { outer: inMounts("umount -l /proc") });
    // No namespace can be made then: a data directory below a 0700 home is out of the uid's reach, which is said.
    if (arena().world.name === "root")
      expect(outcome.reason).toMatch(/working directory .*: Permission denied/);
    else expect(outcome.kind).toBe("held");
  });

  it("49 when there is no room for another process nothing runs, it is said, and the next command finds room again", async ({
    skip,
  }) => {
    if (arena().tier === "T0") return skip("the kernel sets root no such bound");
    const known = descendants();
    const sandbox = await createSandbox(arena().options);
    const server = descendants().find(
      (pid) => !known.includes(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("serve"),
    );
    // Only its own user, not root without every capability, may set another process's limits.
    const allow = (processes: number): void => {
      const [first, ...rest] = [...(arena().options.through ?? []).slice(0, 4), "/usr/bin/prlimit"];
      execFileSync(first, [...rest, `--pid=${server}`, `--nproc=${processes}:`]);
    };
    const run = (): Promise<RunResult> =>
      sandbox.run({
        policy: arena().policy("unrestricted"),
        argv: ["/bin/bash", "-c", "echo x > ran"],
        env: { PATH: "/usr/bin:/bin" },
        timeoutMs: 120_000,
        keep: { head: 100, tail: 0 },
      });
    const ran = join(arena().work, "ran");
    try {
      allow(1);
      expect(await run()).toEqual({
        kind: "failed",
        reason: expect.stringMatching(/room for another process/),
      });
      expect(existsSync(ran)).toBe(false);
      allow(4000);
      expect(await run()).toMatchObject({ kind: "exited", code: 0 });
      expect(existsSync(ran)).toBe(true);
    } finally {
      rmSync(ran, { force: true });
      await sandbox.close();
    }
  });
});

/** Steps that stand for themselves at every tier. */
const NEEDED: readonly string[] = [
  "landlock_create_ruleset",
  "landlock_add_rule",
  "landlock_restrict_self",
  "filter",
  "no_new_privs",
  "capset",
  "close_range",
  "setsid",
  "limits",
];
