/** A data directory, real repositories and the real sandbox for the workspace's tests. */

import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createEgress } from "../../sandbox/egress/egress.ts";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId, Millis } from "../../src/machine/id.ts";
import type { Commits } from "../../src/ports/commits.ts";
import type { ConversationFiles } from "../../src/ports/bot.ts";
import type { Base, RepositoryBinding, Conversation, Repo } from "../../src/ports/conversation.ts";
import type { Clock } from "../../src/ports/host.ts";
import type { Drafts } from "../../src/ports/drafts.ts";
import type {
  CheckoutCopier,
  Citations,
  Mirrors,
  CheckoutParking,
  Workspaces,
} from "../../src/ports/workspaces.ts";
import type { CommandMode, CommandPlaces } from "../../src/workspace/checkout/policy.ts";
import type { ReadAhead } from "../../src/workspace/mirror/ahead.ts";
import type { Changes } from "../../src/ports/outgoing.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import type { WorkspaceDeps } from "../../src/workspace/disk/workspace-context.ts";

const run = promisify(execFile);

/** Runs git as the person who owns the repository would, outside the sandbox and without anybody's configuration. */
export const git = (cwd: string, ...args: readonly string[]): Promise<string> =>
  asOwner(cwd, "git", "-c", "protocol.file.allow=always", ...args);

const asOwner = async (cwd: string, file: string, ...args: readonly string[]): Promise<string> => {
  const who = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" };
  const env = {
    ...process.env,
    ...who,
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  return (await run(file, args, { cwd, env })).stdout.trim();
};

export const commit = async (
  cwd: string,
  files: Readonly<Record<string, string>>,
  message = "change",
): Promise<string> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  return asOwner(cwd, "sh", "-c", COMMIT, message);
};

/** In one process of the test: a worker of a gigabyte takes a while to start one. */
const COMMIT = 'git add --all && git commit --quiet --allow-empty --message "$0" && git rev-parse HEAD';

/** Text that does not compress, the same every time. */
export const noise = (bytes: number): string => {
  const buffer = Buffer.alloc(Math.ceil((bytes * 3) / 16) * 4);
  for (let i = 0; i < buffer.length; i += 4) buffer.writeUInt32LE(Math.imul(i + 1, 2654435761) >>> 0, i);
  return buffer.toString("base64");
};

export interface ManualClock extends Clock {
  advance(by: Millis): void;
}

export const manualClock = (): ManualClock => {
  let now = 1_700_000_000_000;
  return {
    now: () => now,
    after: () => () => undefined,
    advance: (by) => {
      now += by;
    },
  };
};

export interface Opened {
  readonly outcome: Awaited<ReturnType<Workspaces["open"]>>;
  readonly lines: readonly string[];
}

export type All = Workspaces &
  CommandPlaces &
  Citations &
  CheckoutCopier &
  ConversationFiles &
  CheckoutParking & {
    readonly changes: Changes;
    readonly drafts: Drafts;
    readonly commits: Commits;
    readonly readAhead: ReadAhead;
    readonly mirrors: Mirrors;
  };

export interface Scene extends AsyncDisposable {
  /** A directory of the test's own. */
  readonly root: string;
  readonly data: string;
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  readonly workspaces: All;
  /** An empty repository with `main` checked out. */
  repository(name: string): Promise<string>;
  open(id: ConversationId, path: string, more?: Opening): Promise<Opened>;
  /** Opens and answers the base; fails the test with the sentence when that fails. */
  base(id: ConversationId, path: string): Promise<Base>;
  /** Runs a shell command as a tool of the conversation would; answers its status and output. */
  shell(
    id: ConversationId,
    permission: CommandMode,
    script: string,
    workspaces?: CommandPlaces,
  ): Promise<Ran>;
  /** The same data directory in a new process's eyes, perhaps with other settings. */
  restart(settings?: Settings): All;
}

export type Settings = Pick<
  WorkspaceDeps,
  | "maxFetchBytes"
  | "maxPackBytes"
  | "maxCarryBytes"
  | "certificates"
  | "doors"
  | "setUp"
  | "rest"
  | "atRestStep"
  | "draft"
  | "testTimeout"
  | "ownerKnown"
  | "fleet"
  | "attached"
  | "identity"
  | "tests"
> &
  Partial<Pick<WorkspaceDeps, "log" | "sandbox" | "clock">>;

export interface Opening {
  readonly kind?: Repo["kind"];
  readonly base?: Base;
  readonly signal?: AbortSignal;
  readonly workspaces?: Workspaces;
  readonly onProgress?: (line: string) => void;
}

export interface Ran {
  readonly code: number;
  readonly text: string;
}

/** `off`: as on a kernel that cannot hold Restricted. This machine's own addresses are reached, where forges listen. */
export const startSandbox = async (off = false): Promise<Sandbox> => {
  const found = await locateLauncher(join(tmpdir(), "parley-test-bin"));
  if (found.kind === "failed") throw new Error(found.reason);
  const opened = await createEgress({ allow: null, unsafeOpen: ["127.0.0.0/8"] });
  if (opened.kind === "failed") throw new Error(opened.reason);
  return createSandbox({
    launcher: found.path,
    off,
    acceptOpen: true,
    acceptShared: true,
    egress: opened.egress,
  });
};

export const createScene = async (sandbox: Sandbox, first: Settings = {}): Promise<Scene> => {
  const root = await mkdtemp(join(tmpdir(), "parley-workspace-"));
  /* As a home directory often is: what is closed in it closes itself. */
  await chmod(root, 0o755);
  const data = join(root, "data");
  const clock = manualClock();
  const make = (settings: Settings = {}): All =>
    createWorkspaces({
      directory: data,
      sandbox,
      clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ...settings,
    });
  const workspaces = make(first);

  const open: Scene["open"] = async (id, path, more = {}) => {
    const lines: string[] = [];
    const outcome = await (more.workspaces ?? workspaces).open(
      conversation(id, { kind: more.kind ?? "path", location: path }, more.base ?? null),
      {
        signal: more.signal ?? new AbortController().signal,
        onProgress: (line) => {
          lines.push(line);
          more.onProgress?.(line);
        },
      },
    );
    return { outcome, lines };
  };

  return {
    root,
    data,
    sandbox,
    clock,
    workspaces,
    repository: async (name) => {
      const path = join(root, name);
      await mkdir(path, { recursive: true });
      await git(path, "init", "--quiet", "--initial-branch", "main");
      return path;
    },
    open,
    base: async (id, path) => {
      const { outcome } = await open(id, path);
      if (outcome.kind === "ready") return outcome.base;
      throw new Error(outcome.kind === "failed" ? outcome.failure.message : "aborted");
    },
    shell: async (id, permission, script, places = workspaces) => {
      const place = await places.policy(id, permission);
      if (place.kind === "failed") throw new Error(place.message);
      const ran = await sandbox.run({
        policy: place.policy,
        argv: ["/bin/bash", "--noprofile", "--norc", "-c", script],
        env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: place.home, ...place.extraEnv },
        timeoutMs: 60_000,
        keep: { head: 100_000, tail: 100_000 },
      });
      if (ran.kind !== "exited") throw new Error(ran.kind === "failed" ? ran.reason : ran.kind);
      return { code: ran.code, text: Buffer.concat([ran.head, ran.tail]).toString("utf8").trim() };
    },
    restart: make,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
};

export const conversation = (
  id: ConversationId,
  repo: RepositoryBinding,
  base: Base | null,
): Conversation => ({
  id,
  surface: "console",
  title: "",
  repo,
  createdBy: "console:operator",
  createdAt: 0,
  updatedAt: 0,
  prefix: "",
  base,
  origin: null,
});
