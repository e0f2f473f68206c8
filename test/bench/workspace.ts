/**
 * What conversations cost beside a repository of about 1 GB whose blobs do not compress.
 *
 * The real workspaces over the real sandbox in a data directory of their own, a conversation after another as they
 * come. Bytes are what `du` counts as allocated, after 1,000 Restricted conversations less after the first: the
 * first pays for the mirror and the shared tree. Ready is from opening a later conversation until `bash -c true` has
 * ended in it. A private checkout is what the first approval makes: all files of the commit, so 1 GB of writing.
 */

import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Permission } from "../../src/machine/vocabulary.ts";
import type { Workspaces } from "../../src/ports/workspaces.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { systemClock } from "../../src/app/system-clock.ts";
import type { CommandPlaces } from "../../src/workspace/checkout/policy.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import { conversationOf } from "../store/plain.ts";
import type { Bench } from "./bench.ts";
import { atMost, type Figure, measured, skipped } from "./figure.ts";
import { git } from "./repository.ts";
import { temporary } from "./temporary.ts";

const NEEDED_GB = 6;

export const workspaceBench: Bench = {
  name: "workspace",
  what: "checkouts of a 1 GB repository",
  run: async (scale, note) => {
    const size =
      scale === "tiny"
        ? { files: 20, conversations: 5, checkouts: 1 }
        : { files: 4_000, conversations: 1_000, checkouts: 2 };
    const disk = await statfs(tmpdir());
    const freeGB = (disk.bavail * disk.bsize) / 2 ** 30;
    if (scale === "full" && freeGB < NEEDED_GB) {
      return [
        skipped("a 1 GB repository", `${tmpdir()} has ${freeGB.toFixed(1)} GB free, ${NEEDED_GB} are needed`),
      ];
    }
    await using place = await temporary();
    const located = await locateLauncher(join(place.path, "bin"));
    if (located.kind === "failed") return [skipped("workspaces", located.reason)];
    const sandbox = await createSandbox({ launcher: located.path });
    try {
      if (sandbox.probe.refusal !== null) return [skipped("workspaces", sandbox.probe.refusal)];
      const data = join(place.path, "data");
      const deps = { directory: data, sandbox, clock: systemClock, log: silentLog };
      note(`making a repository of ${size.files} files of 256 KiB`);
      const repo = await bigRepository(join(place.path, "repo"), size.files);
      return await measureAll({ sandbox, workspaces: createWorkspaces(deps), data, repo, note }, size);
    } finally {
      await sandbox.close();
    }
  },
};

interface Stage {
  readonly sandbox: Sandbox;
  readonly workspaces: Workspaces & CommandPlaces;
  readonly data: string;
  readonly repo: string;
  readonly note: (line: string) => void;
}

const measureAll = async (
  stage: Stage,
  size: { readonly conversations: number; readonly checkouts: number },
): Promise<readonly Figure[]> => {
  const { data, note } = stage;
  note("the first conversation: mirror and shared tree");
  const first = await ready(stage, "c-bench-0");
  const before = await allocated(data);
  const times: number[] = [];
  for (let n = 1; n <= size.conversations; n++) {
    times.push(await ready(stage, `c-bench-${n}`));
    if (n % 200 === 0) note(`${n} conversations`);
  }
  const added = (await allocated(data)) - before;
  const checkouts: number[] = [];
  for (let n = 1; n <= size.checkouts; n++) {
    note(`private checkout ${n}`);
    checkouts.push(await runIn(stage, `c-bench-${n}`, "unrestricted"));
    await rm(join(data, "threads", `c-bench-${n}`, "work"), { recursive: true, force: true });
  }
  return [
    measured("first conversation's first command", "ms", [first]),
    measured("second conversation's first command", "ms", times.slice(0, 1), atMost(1_000)),
    measured("later conversations' first command", "ms", times, atMost(1_000, "p99")),
    measured(
      `added by ${size.conversations.toLocaleString("en-US")} Restricted conversations`,
      "MB",
      [added / 1e6],
      atMost(100),
    ),
    measured("private checkout and first command", "ms", checkouts),
  ];
};

/** Milliseconds from opening the conversation to the end of its first command. */
const ready = async (stage: Stage, id: ConversationId): Promise<number> => {
  const from = performance.now();
  const opened = await stage.workspaces.open(
    conversationOf(id, { repo: { kind: "path", location: stage.repo } }),
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  if (opened.kind !== "ready") throw new Error(`not opened: ${JSON.stringify(opened)}`);
  await runIn(stage, id, "restricted");
  return performance.now() - from;
};

const runIn = async (
  { workspaces, sandbox }: Stage,
  id: ConversationId,
  permission: Permission,
): Promise<number> => {
  const from = performance.now();
  const place = await workspaces.policy(id, permission);
  if (place.kind === "failed") throw new Error(place.message);
  const ran = await sandbox.run({
    policy: place.policy,
    argv: ["/bin/bash", "--noprofile", "--norc", "-c", "true"],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: place.home, ...place.extraEnv },
    timeoutMs: 60_000,
    keep: { head: 4096, tail: 4096 },
  });
  if (ran.kind !== "exited" || ran.code !== 0) throw new Error(`the command ended as ${JSON.stringify(ran)}`);
  return performance.now() - from;
};

const allocated = async (directory: string): Promise<number> => {
  const { stdout } = await promisify(execFile)("du", ["--summarize", "--block-size=1", directory]);
  return Number.parseInt(stdout, 10);
};

const FILE = 256 * 1024;

/** One commit of `files` files of random bytes, brought in without a work tree to save the space. */
const bigRepository = async (path: string, files: number): Promise<string> => {
  await git(tmpdir(), "init", "--quiet", "--initial-branch", "main", path);
  const child = spawn("git", ["-c", "core.compression=0", "fast-import", "--quiet"], {
    cwd: path,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const gone = once(child, "exit");
  const write = async (part: string | Buffer): Promise<void> => {
    if (!child.stdin.write(part)) await once(child.stdin, "drain");
  };
  await write("commit refs/heads/main\ncommitter Ada <ada@example.org> 1700000000 +0000\ndata 4\nbig\n");
  for (let n = 0; n < files; n++) {
    await write(`M 100644 inline d${n % 50}/file-${n}.bin\ndata ${FILE}\n`);
    await write(randomBytes(FILE));
    await write("\n");
  }
  child.stdin.end();
  await finished(child.stdin);
  const [code] = await gone;
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`);
  return path;
};
