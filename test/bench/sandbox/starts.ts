/**
 * What Restricted adds to starting `bash -c true`. Like is compared with like: one C program asks the spawn server and
 * waits for its answer, another starts the same command by posix_spawn and waits for it, a third of their kind starts it
 * in other sandboxes; all with one clock, the same environment (HOME and SHELL set, as tools set them), taking turns in
 * one run, a moment apart, and the ratio is formed turn by turn. What a host notices of it is told beside that: there the
 * request is written and the answer read in JavaScript, as tools do it, beside what Node's own spawn takes.
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { encodeLaunch } from "../../../sandbox/protocol.ts";
import { memoryOf } from "../../sandbox/ledger.ts";
import { childrenOf, serversOf } from "../../sandbox/host.ts";
import type { World } from "../../sandbox/world.ts";
import { type Child, launchProgram } from "../child.ts";
import { atMost, type Figure, measured, skipped, summarize } from "../figure.ts";
import { NOTHING, otherSandboxes, THEIRS, whyNot } from "./others.ts";

const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: homedir(),
  SHELL: "/bin/bash",
} as const;
/** Between two starts, in ms: what the one before left is cleared away, and a process waits for the next. */
const MOMENT_MS = 3;
const TIMEOUT_MS = 30_000;
const KEEP = { head: 1024, tail: 1024 } as const;

/** KiB. */
const SUPERVISOR = 100;
/** Of a plain spawn. */
const KEPT = 1.35;

/** Milliseconds from asking to knowing how it ended. */
export const startHere = async ({ sandbox, policy }: World): Promise<number> => {
  const from = performance.now();
  const ran = await sandbox.run({
    policy: policy("restricted"),
    argv: NOTHING,
    env: ENVIRONMENT,
    timeoutMs: TIMEOUT_MS,
    keep: KEEP,
  });
  if (ran.kind !== "exited" || ran.code !== 0) throw new Error(`the command ended as ${JSON.stringify(ran)}`);
  return performance.now() - from;
};

/** The same command by Node, without a sandbox. */
const spawnHere = async (): Promise<number> => {
  const from = performance.now();
  const [program = "", ...args] = NOTHING;
  await once(spawn(program, args, { env: ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"] }), "close");
  return performance.now() - from;
};

const startThere = async (child: Child): Promise<number> => {
  child.write(".");
  return Number(await child.line()) / 1e6;
};

/** The C programs that start commands and say how long each took (spawn.c, ask.c). */
export interface Programs {
  readonly spawn: string;
  readonly ask: string;
}

/** `programs`: null where there is no compiler. */
export const compareStarts = async (
  world: World,
  programs: Programs | null,
  starts: number,
): Promise<readonly Figure[]> => {
  const { expected: tier, name } = world;
  const title = `${tier} (${name})`;
  if (programs === null)
    return [
      measured(`${title}: Restricted, from a host`, "ms", await repeat(starts, world)),
      skipped(`${title}: Restricted / plain`, "no C compiler"),
    ];
  await using plain = launchProgram(programs.spawn, NOTHING, ENVIRONMENT);
  await using asking = launchProgram(programs.ask, [await requestFile(world), ...serverOf(world)], {});
  const others = await openOthers(programs.spawn);
  const theirs: number[] = [];
  const ours: number[] = [];
  const here: number[] = [];
  const spawned: number[] = [];
  for (let n = 0; n < starts; n++) {
    theirs.push(await later(() => startThere(plain)));
    ours.push(await later(() => startThere(asking)));
    here.push(await later(() => startHere(world)));
    spawned.push(await later(spawnHere));
    for (const { each, child, took } of others) {
      const due = Math.floor((n + 1) * each) > Math.floor(n * each) || n === 0;
      if (child !== null && due) took.push(await later(() => startThere(child)));
    }
  }
  for (const { child } of others) await child?.end();
  const base = summarize(theirs).median;
  const added = (list: readonly number[]): number => summarize(list).median - base;
  const ratios = (list: readonly number[], beside: readonly number[]): readonly number[] =>
    list.map((time, n) => time / (beside[n] ?? Infinity));
  return [
    measured(`${title}: Restricted, asked for in C`, "ms", ours, null, {
      "a plain spawn": theirs,
      ...Object.fromEntries(
        others.map(({ name, took, why }) => [name, took.length > 0 ? took : (why ?? "it was not started")]),
      ),
    }),
    measured(`${title}: Restricted / plain, both in C`, "x", ratios(ours, theirs), atMost(KEPT)),
    measured(`${title}: Restricted, from a host`, "ms", here, null, { "a plain spawn": spawned }),
    measured(`${title}: Restricted / plain, both from a host`, "x", ratios(here, spawned), atMost(KEPT)),
    ...others.map((other) =>
      other.took.length === 0
        ? skipped(`${title}: added / added by ${other.name}`, other.why ?? "it was not started")
        : measured(
            `${title}: added / added by ${other.name}, all in C`,
            "x",
            [added(ours) / added(other.took)],
            atMost(tier === "T2" ? other.share.bare : other.share.own),
          ),
    ),
    await supervisorMemory(world, title),
  ];
};

const later = async (start: () => Promise<number>): Promise<number> => {
  await sleep(MOMENT_MS);
  return start();
};

const repeat = async (starts: number, world: World): Promise<readonly number[]> => {
  const took: number[] = [];
  for (let n = 0; n < starts; n++) took.push(await later(() => startHere(world)));
  return took;
};

/** What `startHere` asks, for ask.c. */
const requestFile = async (world: World): Promise<string> => {
  const frame = encodeLaunch(1, {
    verb: "run",
    policy: world.policy("restricted"),
    stdin: false,
    live: false,
    timeoutMs: TIMEOUT_MS,
    keep: KEEP,
    bytes: 0,
    argv: NOTHING,
    env: Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
    pathMount: 0,
    path: "",
  });
  if (frame === null) throw new Error("the request does not fit into a frame");
  const path = join(world.folder, "request");
  await writeFile(path, frame);
  return path;
};

/** A spawn server of its own, as that of the world is started; the bounds are the standard ones. */
const serverOf = ({ through, launcher, uidBase }: World): readonly string[] => [
  ...through,
  launcher,
  "serve",
  String(uidBase),
  "on",
  "2048",
  "512",
  "8192",
];

const openOthers = (program: string) =>
  Promise.all(
    otherSandboxes().map(async ({ command, remedy, ...other }) => {
      const why = await whyNot({ command, remedy });
      const child =
        command === null || why !== null ? null : launchProgram(program, [...command, ...NOTHING], THEIRS);
      return { ...other, why, child, took: new Array<number>() };
    }),
  );

/** Of the process that stays beside a command, while one runs. */
const supervisorMemory = async (world: World, title: string): Promise<Figure> => {
  const up = Promise.withResolvers<void>();
  const abort = new AbortController();
  const running = world.sandbox.run(
    {
      policy: world.policy("restricted"),
      argv: ["/bin/bash", "-c", "echo up; sleep 60"],
      env: ENVIRONMENT,
      timeoutMs: 60_000,
      keep: { head: 9, tail: 0 },
    },
    { onOutput: () => up.resolve(), signal: abort.signal },
  );
  await up.promise;
  const [server] = serversOf(process.pid);
  const sizes = childrenOf(server ?? 0).map(memoryOf);
  abort.abort();
  await running;
  return measured(`${title}: memory of its own of a supervisor`, "KiB", sizes, atMost(SUPERVISOR));
};

/** Null where there is no compiler. */
export const compile = async (directory: string): Promise<Programs | null> => {
  const build = async (name: string): Promise<string> => {
    const program = join(directory, name);
    await promisify(execFile)("cc", ["-O2", "-o", program, join(import.meta.dirname, `${name}.c`)]);
    return program;
  };
  try {
    return { spawn: await build("spawn"), ask: await build("ask") };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};
