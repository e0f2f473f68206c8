import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Mount, SandboxPolicy, Sandbox } from "../../../sandbox/types.ts";
import type { GitProxy, GitProxies } from "../../ports/forge.ts";
import { openPlain } from "../disk/durable.ts";
import { SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { InTheWay } from "../run/git-trouble.ts";
import type { RepositorySource } from "./source.ts";

export interface Remote {
  readonly address: string;
  /** The only `host:port` that git may reach, or the port of the git proxy. */
  readonly network: Pick<SandboxPolicy, "network" | "egressTo" | "door">;
  readonly mounts: readonly Mount[];
  readonly config: Readonly<Record<string, string>>;
  readonly options: readonly string[];
  /** Whether a detached HEAD is fetched too: for the console's own repository, whose work tree the person sees. */
  readonly takesDetached: boolean;
}

/** If the proxy refused a request, the refusal is thrown as the reason. */
export const withDoor = async <T>(
  doors: GitProxies | null,
  source: RepositorySource,
  work: (door: GitProxy | null) => Promise<T>,
): Promise<T> => {
  const door =
    source.kind === "path" || doors === null ? null : await doors.open({ kind: "url", location: source.url });
  try {
    return await work(door);
  } catch (error) {
    const refusal = error instanceof InTheWay ? (door?.refusal() ?? null) : null;
    throw refusal === null ? error : new InTheWay(refusal);
  } finally {
    await door?.close();
  }
};

export const reach = async (
  sandbox: Sandbox,
  source: RepositorySource,
  certificates: string | null,
  door: GitProxy | null,
): Promise<Remote> => {
  if (door !== null) return throughDoor(door);
  if (source.kind === "url") return overNetwork(sandbox, source, certificates);
  const { common, inside } = await inspectLocal(source.path);
  const mount = { source: common, target: SANDBOX_PATHS.source, write: false };
  const seen = sandboxPathOf(sandbox, mount);
  return {
    address: inside === "" ? seen : `${seen}/${inside}`,
    network: { network: "none" },
    mounts: [mount],
    config: { "protocol.file.allow": "always" },
    /* The serving side lacks our configuration and refuses another user's directory. New deltas cost more than they save. */
    options: ["--upload-pack=git -c safe.directory=* -c pack.window=0 upload-pack"],
    takesDetached: true,
  };
};

const throughDoor = ({ port, address, config }: GitProxy): Remote => ({
  address,
  network: { network: "egress", egressTo: [], door: port },
  mounts: [],
  config,
  options: [],
  takesDetached: false,
});

const overNetwork = (
  sandbox: Sandbox,
  source: Extract<RepositorySource, { kind: "url" }>,
  certificates: string | null,
): Remote => {
  const mount = { source: certificates ?? "", target: SANDBOX_PATHS.certificates, write: false };
  const trust = certificates === null ? {} : { "http.sslCAInfo": sandboxPathOf(sandbox, mount) };
  return {
    address: source.url,
    network: { network: "egress", egressTo: [`${source.host}:${source.port}`] },
    mounts: certificates === null ? [] : [mount],
    config: { [`protocol.${source.transport}.allow`]: "always", ...trust },
    options: [],
    takesDetached: false,
  };
};

interface LocalRepository {
  /** Shared by all worktrees. */
  readonly common: string;
  /** Path of HEAD below `common`; empty for the main worktree. */
  readonly inside: string;
}

/** Reads a few small files, follows no link and runs nothing. Git sees only the directory found here, mounted read-only. */
const inspectLocal = async (path: string): Promise<LocalRepository> => {
  const root = await realpath(path).catch(() => null);
  if (root === null) throw new InTheWay({ kind: "notFound" });
  const dot = join(root, ".git");
  const kind = await kindOf(dot);
  if (kind === "directory") return wholeRepository(dot);
  if (kind === "file") return worktree(root);
  if (kind === "other") throw new InTheWay({ kind: "notGit" });
  return wholeRepository(root);
};

const wholeRepository = async (directory: string): Promise<LocalRepository> => {
  const parts = await Promise.all(["HEAD", "objects", "refs"].map((name) => kindOf(join(directory, name))));
  if (parts.join() !== "file,directory,directory") throw new InTheWay({ kind: "notGit" });
  if ((await kindOf(join(directory, "objects/info/alternates"))) !== "missing")
    throw new InTheWay({ kind: "borrows" });
  return { common: directory, inside: "" };
};

/** Anyone can write a `.git` file, so the repository must list this worktree: a planted file opens no other repository. */
const worktree = async (root: string): Promise<LocalRepository> => {
  const link = /^gitdir: (.+)\n?$/.exec((await readSmall(join(root, ".git"))) ?? "")?.[1];
  if (link === undefined) throw new InTheWay({ kind: "notGit" });
  const directory = resolve(root, link);
  const worktrees = dirname(directory);
  const back = await readSmall(join(directory, "gitdir"));
  const real = await realpath(directory).catch(() => null);
  const known = back !== null && resolve(directory, back.trimEnd()) === join(root, ".git");
  if (!known || real !== directory || basename(worktrees) !== "worktrees")
    throw new InTheWay({ kind: "stranger" });
  const { common } = await wholeRepository(dirname(worktrees));
  return { common, inside: `worktrees/${basename(directory)}` };
};

const kindOf = async (path: string): Promise<"file" | "directory" | "other" | "missing"> => {
  const found = await lstat(path).catch(() => null);
  if (found === null) return "missing";
  if (found.isFile()) return "file";
  return found.isDirectory() ? "directory" : "other";
};

const MAX_SMALL = 4096;

/** Null if the file is not regular, cannot be read, or is longer than a path can be. */
const readSmall = async (path: string): Promise<string | null> => {
  try {
    await using file = await openPlain(path, MAX_SMALL);
    return (await file?.readFile("utf8")) ?? null;
  } catch {
    return null;
  }
};
