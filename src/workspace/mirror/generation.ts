/** Each operation runs git once in the `fetch` profile, which sees only this directory and the remote. */

import type { Mount, SandboxPolicy } from "../../../sandbox/types.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import type { Hooks } from "../run/shared-work.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { type Layout, SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { createMeter } from "../run/progress.ts";
import { attemptGit, BrokenOff, InTheWay } from "../run/git-trouble.ts";
import { repositorySlot } from "../disk/slots.ts";
import { runStep } from "../run/step.ts";
import { type GitRequest, runGit } from "../run/git.ts";
import { type BranchTip, DETACHED, type Listing, namedTip, readListing, readRefs, type Ref } from "./refs.ts";
import type { Remote } from "./remote.ts";

const LIST_TIMEOUT = 2 * 60_000;
const FETCH_TIMEOUT = 60 * 60_000;
const SHORT_TIMEOUT = 10 * 60_000;

export interface BareRepository {
  readonly directory: string;
  readonly slot: number;
}

export const bareOf = (
  layout: Layout,
  { key, generation }: { readonly key: string; readonly generation: number },
): BareRepository => ({ directory: layout.generation(key, generation), slot: repositorySlot(key) });

export interface TreeEntry {
  /** Six octal digits. */
  readonly mode: string;
  readonly type: string;
  readonly id: string;
  /** Null if the entry is no blob. */
  readonly size: number | null;
  readonly path: string;
}

interface Fetch {
  readonly detached: boolean;
  readonly borrow: string | null;
}

export type GenerationDeps = Pick<WorkspaceContext, "sandbox" | "clock" | "log" | "maxFetchBytes">;

export type Generations = ReturnType<typeof createGenerations>;

export const createGenerations = (deps: GenerationDeps) => {
  const { sandbox, log } = deps;
  const git = (request: GitRequest): Promise<string> => runGit(deps, request);
  const own = (
    bare: BareRepository,
    mounts: readonly Mount[] = [],
    network: Remote["network"] = { network: "none" },
  ) => {
    const mirror = { source: bare.directory, target: SANDBOX_PATHS.mirror, write: true };
    const directory = sandboxPathOf(sandbox, mirror);
    const all = [mirror, ...mounts];
    const policy: SandboxPolicy = {
      profile: "fetch",
      ...network,
      mounts: all,
      cwd: directory,
      identity: bare.slot,
    };
    return { policy, directory };
  };
  const lent = (borrow: string | null) => {
    if (borrow === null) return { mounts: [], env: {} };
    const lender = { source: borrow, target: SANDBOX_PATHS.previous, write: false };
    const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: `${sandboxPathOf(sandbox, lender)}/objects` };
    return { mounts: [lender], env };
  };
  const quick = (bare: BareRepository, ...args: readonly string[]): Promise<string> =>
    git({ ...own(bare), args, timeout: SHORT_TIMEOUT });

  const receive = async (
    bare: BareRepository,
    remote: Remote,
    { args, mounts, env }: Pick<GitRequest, "args" | "env"> & { readonly mounts: readonly Mount[] },
    hooks: Hooks,
  ): Promise<void> => {
    const tooLarge = new AbortController();
    const onOutput = createMeter(deps.clock, hooks.onProgress, (bytes) => {
      if (bytes > deps.maxFetchBytes) tooLarge.abort();
    });
    const signal = AbortSignal.any([hooks.signal, tooLarge.signal]);
    const place = own(bare, [...remote.mounts, ...mounts], remote.network);
    const how = {
      config: remote.config,
      ...omitUndefined({ env }),
      timeout: FETCH_TIMEOUT,
      signal,
      onOutput,
    };
    await git({ ...place, args, ...how }).catch((error: unknown) => {
      const isTooLarge = error instanceof BrokenOff && !hooks.signal.aborted;
      throw isTooLarge ? new InTheWay({ kind: "tooLarge", limit: deps.maxFetchBytes }) : error;
    });
  };

  return {
    list: async (remote: Remote, slot: number, signal: AbortSignal): Promise<Listing> => {
      const { mounts, options, address, config, network } = remote;
      const policy: SandboxPolicy = { profile: "fetch", ...network, mounts, cwd: "/", identity: slot };
      const refs = ["HEAD", "refs/heads/*", "refs/tags/*"];
      const args = ["ls-remote", "--symref", ...options, "--", address, ...refs];
      const how = { config, timeout: LIST_TIMEOUT, signal };
      return readListing(await git({ policy, directory: "/dev/null", args, ...how }));
    },

    /** Faster than a fetch: git checks completeness while it writes the pack, instead of reading the whole history again. */
    clone: (bare: BareRepository, remote: Remote, hooks: Hooks): Promise<void> => {
      const { directory } = own(bare);
      const args = [...CLONE, ...remote.options, "--", remote.address, directory];
      return receive(bare, remote, { args, mounts: [], env: {} }, hooks);
    },

    /** `borrow`: another generation whose objects are not transferred again. */
    fetch: (
      bare: BareRepository,
      remote: Remote,
      { detached, borrow }: Fetch,
      hooks: Hooks,
    ): Promise<void> => {
      const refspecs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
      if (detached) refspecs.push(`+HEAD:${DETACHED}`);
      const args = [...FETCH, ...remote.options, "--", remote.address, ...refspecs];
      return receive(bare, remote, { args, ...lent(borrow) }, hooks);
    },

    /** Copies the objects that branches and tags reach from `borrow`, and drops all others. */
    gather: async (bare: BareRepository, borrow: string, signal: AbortSignal): Promise<void> => {
      const { mounts, env } = lent(borrow);
      const args = ["-c", "repack.writeBitmaps=false", "repack", "-a", "-d", "-q"];
      await git({ ...own(bare, mounts), args, env, timeout: FETCH_TIMEOUT, signal });
    },

    refs: async (bare: BareRepository): Promise<readonly Ref[]> => {
      const format = "--format=%(objectname) %(refname)";
      return readRefs(await quick(bare, "for-each-ref", format, "refs/heads", "refs/tags", DETACHED));
    },

    /** Returns the tip of the default branch if `name` is absent. */
    chosen: async (
      bare: BareRepository,
      name: string | undefined,
      tip: BranchTip | null,
    ): Promise<BranchTip> => {
      if (name === undefined) {
        if (tip === null) throw new InTheWay({ kind: "noBranch" });
        return tip;
      }
      const format = "--format=%(objecttype) %(objectname) %(*objecttype) %(*objectname) %(refname)";
      const listed = await quick(bare, "for-each-ref", format, `refs/tags/${name}`, `refs/heads/${name}`);
      const named = namedTip(listed, name);
      if (named === null) throw new InTheWay({ kind: "noRef", ref: name });
      return named;
    },

    /** Whether an object that `tips` reached is no longer reached by any branch or tag. */
    lost: async (bare: BareRepository, tips: readonly Ref[], signal: AbortSignal): Promise<boolean> => {
      const args = [..."rev-list --objects --stdin --not --branches --tags".split(" "), `--glob=${DETACHED}`];
      const stdin = tips.map((ref) => `${ref.id}\n`).join("");
      return (await git({ ...own(bare), args, stdin, timeout: SHORT_TIMEOUT, signal, most: 4_096 })) !== "";
    },

    /** Sets the default branch, for checkouts made from this generation. */
    point: (bare: BareRepository, branch: string): Promise<string> =>
      quick(bare, "symbolic-ref", "HEAD", branch),

    /** Removes the address that a clone stores: it may be a temporary proxy. */
    forget: (bare: BareRepository): Promise<string> =>
      quick(bare, "config", "--remove-section", "remote.origin"),

    /** Creates a ref for a conversation's base, so that not even a manual collection removes it (D28). */
    keep: (bare: BareRepository, id: string, commit: string): Promise<string> =>
      quick(bare, "update-ref", `refs/parley/threads/${id}`, commit),

    release: (bare: BareRepository, id: string): Promise<string> =>
      quick(bare, "update-ref", "-d", `refs/parley/threads/${id}`),

    /** Returns the root's entries if `paths` is empty. */
    entries: async (
      bare: BareRepository,
      commit: string,
      paths: readonly string[],
    ): Promise<readonly TreeEntry[]> => {
      const below = paths.length === 0 ? [] : ["--", ...paths];
      return readEntries(await quick(bare, "ls-tree", "-z", "-l", "--full-tree", commit, ...below));
    },

    blob: (bare: BareRepository, id: string): Promise<string> => quick(bare, "cat-file", "blob", id),

    tidy: async ({ directory, slot }: BareRepository): Promise<void> => {
      const given = [{ source: directory, target: SANDBOX_PATHS.mirror, write: true }] as const;
      const step = { script: 'rm -f -- "$1"/objects/pack/tmp_*', given, slot, timeout: SHORT_TIMEOUT };
      const ran = await attemptGit(() => runStep(sandbox, step));
      if (ran.kind !== "done" || ran.value.code !== 0)
        log.warn("mirror: files of an interrupted fetch not removed");
    },
  };
};

/** A local repository may have a shallow history; a checkout is then cut at the same place. */
const FETCH =
  "fetch --progress --prune --no-tags --no-write-fetch-head --no-recurse-submodules --update-shallow".split(
    " ",
  );

/** `--no-local`: files of another user's repository are never linked, and only reachable objects are copied. */
const CLONE = "clone --progress --bare --no-local --template=".split(" ");

/** Format: `mode type id size TAB path NUL`. */
const readEntries = (text: string): readonly TreeEntry[] =>
  text.split("\0").flatMap((line) => {
    const [, mode, type, id, size, path] = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
    return mode === undefined || type === undefined || id === undefined || path === undefined
      ? []
      : [{ mode, type, id, size: size === undefined || size === "-" ? null : Number(size), path }];
  });
