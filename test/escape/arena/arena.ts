/**
 * Where the escapes are tried: a data directory laid out as the product's own with canaries in it, a host process to
 * harm, and a conversation's checkout, at every tier that this machine can show. What an attack did is looked for on
 * the host, never only in its own words.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { SandboxOptions } from "../../../sandbox/server.ts";
import type { SandboxPolicy, RunRequest, RunResult, Tier } from "../../../sandbox/types.ts";
import { describeTiers, textOf } from "../../sandbox/tiers.ts";
import { ENV, type World } from "../../sandbox/world.ts";
import { type Attempts, attemptsIn, buildAttack, noCompiler } from "./attack.ts";

export const CANARY = "canary-5f2e9c";

export interface Arena {
  readonly world: World;
  readonly tier: Tier;
  /** A uid of its own, or namespaces: nothing of the bot's own user is in reach. */
  readonly apart: boolean;
  /** The folder of the bot: below it everything but `work` and `home` is none of the command's business. */
  readonly host: string;
  readonly env: string;
  readonly database: string;
  readonly token: string;
  /** A file of another conversation. */
  readonly other: string;
  /** The conversation's checkout and home on the host, and as commands see them. */
  readonly work: string;
  readonly home: string;
  readonly seenWork: string;
  readonly seenHome: string;
  readonly attackProgram: string;
  /** For a sandbox of a test's own, at this tier and with these uids. */
  readonly options: Pick<SandboxOptions, "launcher" | "through" | "uidBase" | "acceptOpen" | "acceptShared">;
  policy(profile: Profile, more?: Partial<SandboxPolicy>): SandboxPolicy;
  shell(profile: Profile, script: string, more?: Partial<RunRequest>): Promise<RunResult>;
  /** Runs one group of the attack program under the profile. */
  attack(profile: Profile, ...words: readonly string[]): Promise<Attempts>;
  /** Runs the same, with the rights that the bot has, outside the sandbox: what shows that the attack is one. */
  unconfined(...words: readonly string[]): Promise<Attempts>;
  /** Writes a file of the checkout as its owner. */
  plant(name: string, content: string | Uint8Array, mode?: number): string;
  /** A process of the bot with a canary in its environment; gone with the arena. */
  victim(): Promise<ChildProcess & { readonly pid: number }>;
}

export type Profile = "restricted" | "unrestricted" | "draft";

/** The two permissions that people choose between and the draft between them; most attacks must fail in all. */
export const PROFILES: readonly Profile[] = ["restricted", "unrestricted", "draft"];

export const ALL: readonly Tier[] = ["T0", "T1", "T2"];

/** Declares `body` once for each tier; the arena is there when its tests run. */
export const describeArena = (body: (arena: () => Arena) => void, tiers: readonly Tier[] = ALL): void => {
  if (noCompiler !== null) console.log(`skipped: attacks by system call: ${noCompiler}`);
  describeTiers(tiers, (world) => {
    let arena: Arena | null = null;
    const victims: ChildProcess[] = [];
    beforeAll(async () => {
      arena = await open(world(), victims);
    });
    afterAll(() => {
      for (const victim of victims) victim.kill("SIGKILL");
    });
    body(() => {
      if (arena === null) throw new Error("the arena is not open");
      return arena;
    });
  });
};

/** Bash's words and ours, as one text. */
export const said = textOf;

const open = async (world: World, victims: ChildProcess[]): Promise<Arena> => {
  const { sandbox, folder, launcher, through, uid } = world;
  const { identity } = world.policy("restricted");
  const ordinary = through[0]?.endsWith("setpriv") === true;
  const bot = ordinary ? Number(/\d+/.exec(through[1] ?? "")?.[0] ?? "0") : (process.getuid?.() ?? 0);
  const bare = world.expected === "T0" && !sandbox.probe.mounts;
  // Without id-mapped mounts a checkout belongs to the uid of its conversation.
  const mine = bare ? uid : bot;
  const others = bare ? uid + 1 : bot;
  const host = join(folder, "host");
  const file = (path: string, content: string, owner: number, mode = 0o600): string => {
    make(dirname(path), owner, bare ? 0o711 : 0o700);
    writeFileSync(path, content);
    chownSync(path, owner, owner);
    chmodSync(path, mode);
    return path;
  };
  make(host, bot, bare ? 0o711 : 0o700);
  make(join(host, "data"), bot, bare ? 0o711 : 0o700);
  make(join(host, "data/threads"), bot, bare ? 0o711 : 0o700);
  for (const thread of ["mine", "other"]) make(join(host, "data/threads", thread), bot, bare ? 0o711 : 0o700);
  const [work, home] = [join(host, "data/threads/mine/work"), join(host, "data/threads/mine/home")];
  make(work, mine, 0o700);
  make(home, mine, 0o700);
  make(join(host, "data/threads/other/work"), others, 0o700);
  const seen = (path: string, target: string): string => (sandbox.probe.mounts ? target : path);
  const [seenWork, seenHome] = [seen(work, "/work"), seen(home, "/home/agent")];
  const attackProgram = join(folder, "attack");
  if (noCompiler === null) copyFileSync(await buildAttack(), attackProgram);

  const policy: Arena["policy"] = (profile, more = {}) => {
    const write = profile !== "restricted";
    return {
      profile,
      network: "none",
      mounts: [
        { source: work, target: "/work", write },
        ...(write ? [{ source: home, target: "/home/agent", write }] : []),
        // The same name at every tier.
        ...(noCompiler === null ? [{ source: attackProgram, target: attackProgram, write: false }] : []),
      ],
      cwd: seenWork,
      identity,
      ...more,
    };
  };
  const run = (
    profile: Profile,
    argv: readonly string[],
    more: Partial<RunRequest> = {},
  ): Promise<RunResult> =>
    sandbox.run({
      policy: policy(profile),
      argv,
      env: { ...ENV, HOME: profile === "restricted" ? "/tmp" : seenHome },
      timeoutMs: 120_000,
      keep: { head: 256 * 1024, tail: 64 * 1024 },
      ...more,
    });
  return {
    world,
    tier: world.expected,
    apart: world.expected !== "T2",
    host,
    env: file(join(host, ".env"), `KEY=${CANARY}\n`, bot),
    database: file(join(host, "data/parley.sqlite"), `SQLite ${CANARY}\n`, bot),
    token: file(join(host, "data/console-token"), `${CANARY}\n`, bot),
    other: file(join(host, "data/threads/other/work/private.txt"), `${CANARY}\n`, others),
    work,
    home,
    seenWork,
    seenHome,
    attackProgram,
    options: { launcher, through, uidBase: uid - identity, acceptOpen: true, acceptShared: true },
    policy,
    shell: (profile, script, more) =>
      run(profile, ["/bin/bash", "--noprofile", "--norc", "-c", script], more),
    attack: async (profile, ...words) => {
      const result = await run(profile, [attackProgram, ...words]);
      return attemptsIn(textOf(result));
    },
    unconfined: (...words) => outside([...through.slice(0, ordinary ? 4 : 0), attackProgram, ...words]),
    plant: (name, content, mode = 0o644) => {
      const path = join(work, name);
      writeFileSync(path, content);
      chownSync(path, mine, mine);
      chmodSync(path, mode);
      return path;
    },
    victim: async () => {
      const command = [...through.slice(0, ordinary ? 4 : 0), "/usr/bin/sleep", "1000"];
      const child = spawn(command[0] ?? "", command.slice(1), {
        stdio: "ignore",
        env: { SECRET: CANARY },
        detached: true,
      });
      victims.push(child);
      await once(child, "spawn");
      const { pid } = child;
      if (pid === undefined) throw new Error("the victim has no pid");
      // It becomes its user, then another program: only then is it what the attacks are about.
      await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\(sleep\) S/), {
        interval: 2,
      });
      return Object.assign(child, { pid });
    },
  };
};

const make = (path: string, owner: number, mode: number): void => {
  mkdirSync(path, { recursive: true });
  chownSync(path, owner, owner);
  chmodSync(path, mode);
};

const outside = async (command: readonly string[]): Promise<Attempts> => {
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["ignore", "pipe", "ignore"] });
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  await once(child, "close");
  return attemptsIn(Buffer.concat(pieces).toString());
};
