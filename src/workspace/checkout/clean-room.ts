/**
 * A bare repository of the host's own beside each conversation that proposes changes: what goes out of it was checked
 * on its way in, and every commit in it was made here. No command of an agent ever sees it; git runs in it inside the
 * sandbox all the same, without a network and as the user of the repository's mirror.
 */

import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Log } from "../../ports/host.ts";
import { type Layout, objectsMount, SEEN } from "../layout.ts";
import { type Answer, mapGit } from "../mirror/generation.ts";
import { committer, createGit, type GitResult, seenAt } from "../mirror/git.ts";
import { type ChangedFile, type CommitPlan, type Committed, MAX_PACK } from "../mirror/outgoing.ts";
import { writeBareSkeleton } from "../mirror/skeleton.ts";
import { repositorySlot } from "../slots.ts";
import type { WorkspaceParts } from "../parts.ts";
import { handOver, makeAside } from "../aside.ts";
import type { Workspace } from "./record.ts";
import { stepPolicy } from "../step.ts";

export interface CleanRoom {
  /** Takes a pack whose objects are sound and whose links lead somewhere; any other is refused. */
  take(pack: Uint8Array, signal: AbortSignal): Promise<Answer<null>>;
  /** The files in which a tree differs from a commit, the largest changes first. */
  differences(from: string, tree: string, signal: AbortSignal): Promise<Answer<readonly ChangedFile[]>>;
  commit(plan: CommitPlan, signal: AbortSignal): Promise<Answer<Committed>>;
  named(name: string): Promise<Answer<Committed | null>>;
  pack(commit: Committed, signal: AbortSignal): Promise<Answer<Uint8Array>>;
  /** What of trees a commit does not have. */
  packTrees(trees: readonly string[], base: string, signal: AbortSignal): Promise<Answer<Uint8Array>>;
  /** What git says of what was taken; `most`: the first so many bytes are enough. */
  ask(
    args: readonly string[],
    more: { readonly stdin?: string; readonly most?: number; readonly signal: AbortSignal },
  ): Promise<Answer<string>>;
  /** When a commit was made. */
  madeAt(commit: string, signal: AbortSignal): Promise<Answer<Millis>>;
  /** Whether a commit was made here. */
  has(commit: string): Promise<boolean>;
}

const TIMEOUT = 5 * 60_000;
const ERRANDS = "refs/errands/";
/** What the commits of an errand stand on. */
const PARENTS = "refs/parents/";

export const openCleanRoom = async (
  world: WorkspaceParts,
  log: Log,
  id: ConversationId,
  workspace: Workspace,
): Promise<Answer<CleanRoom>> => {
  const { sandbox, layout } = world;
  const directory = roomOf(layout, id);
  const slot = repositorySlot(workspace.key);
  await ensure(world, directory, workspace.commit, slot);
  const room = { source: directory, target: SEEN.mirror, write: true };
  const objects = objectsMount(layout.generation(workspace.key, workspace.generation));
  const seen = seenAt(sandbox, room);
  const policy = stepPolicy(sandbox, [room, objects], slot);
  const run = createGit(sandbox, log);
  const git = (
    args: readonly string[],
    more: {
      readonly stdin?: string | Uint8Array;
      readonly env?: Readonly<Record<string, string>>;
      readonly most?: number;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<GitResult> =>
    run({
      policy,
      directory: seen,
      args,
      timeout: TIMEOUT,
      ...more,
      env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: seenAt(sandbox, objects), ...more.env },
    });

  /** Null where there is none of that name. */
  const named = async (name: string): Promise<Answer<Committed | null>> => {
    const format = "--format=%(refname) %(objectname) %(parent)";
    const args = ["for-each-ref", format, `${ERRANDS}${name}`, `${PARENTS}${name}`];
    return mapGit(await git(args), (text) => {
      const refs = new Map(text.split("\n").map((line) => [line.replace(/ .*/, ""), line.split(" ")]));
      const [, commit = "", parent = ""] = refs.get(`${ERRANDS}${name}`) ?? [];
      const [, below = parent] = refs.get(`${PARENTS}${name}`) ?? [];
      return commit === "" ? null : { commit, parent: below };
    });
  };

  /** `revisions`: as rev-list reads them, a line each. */
  const packed = async (revisions: readonly string[], signal: AbortSignal): Promise<Answer<Uint8Array>> => {
    const args = ["pack-objects", "--revs", "--quiet", `${seen}/outgoing`];
    const made = await git(args, { stdin: `${revisions.join("\n")}\n`, signal });
    if (made.kind !== "done") return made;
    const name = `outgoing-${made.text.trim()}`;
    const got = await sandbox.get(policy, `${seen}/${name}.pack`, MAX_PACK);
    await Promise.all(
      ["pack", "idx", "rev"].map((end) => rm(join(directory, `${name}.${end}`), { force: true })),
    );
    return got.kind === "file"
      ? { kind: "done", value: got.bytes }
      : { kind: "trouble", trouble: { kind: "host", reason: got.message } };
  };

  const value: CleanRoom = {
    take: async (pack, signal) =>
      mapGit(await git(["index-pack", "--strict", "--stdin"], { stdin: pack, signal }), () => null),
    differences: async (from, tree, signal) => {
      const args = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];
      return mapGit(await git([...args, from, tree], { signal }), filesIn);
    },
    madeAt: async (commit, signal) =>
      mapGit(
        await git(["show", "--no-patch", "--format=%ct", commit], { signal }),
        (text) => Number(text) * 1_000,
      ),
    commit: async ({ name, commits, parent, author, at }, signal) => {
      const env = committer(author, `${Math.floor(at / 1_000)} +0000`);
      const stands = await git(["rev-parse", `${parent}^{tree}`], { signal });
      if (stands.kind !== "done") return stands;
      const known = commits.findLastIndex(({ tree }) => tree === stands.text.trim());
      let commit = parent;
      for (const { tree, message } of commits.slice(Math.min(known + 1, commits.length - 1))) {
        const made = await git(["commit-tree", tree, "-p", commit], { stdin: message, signal, env });
        if (made.kind !== "done") return made;
        commit = made.text.trim();
      }
      // The errand's own name comes last: where it is found, the other is there.
      for (const [object, ref] of [
        [parent, `${PARENTS}${name}`],
        [commit, `${ERRANDS}${name}`],
      ] as const) {
        const named = await git(["update-ref", ref, object], { signal });
        if (named.kind !== "done") return named;
      }
      return { kind: "done", value: { commit, parent } };
    },
    named,
    pack: ({ commit, parent }, signal) => packed([commit, `^${parent}`], signal),
    packTrees: (trees, base, signal) => packed([...trees, `^${base}^{tree}`], signal),
    ask: async (args, more) => mapGit(await git(args, more), (text) => text),
    has: async (commit) => {
      const listed = await git(["for-each-ref", "--format=%(objectname)", ERRANDS]);
      return listed.kind === "done" && listed.text.split("\n").includes(commit);
    },
  };
  return { kind: "done", value };
};

export const roomOf = (layout: Layout, id: ConversationId): string => join(layout.thread(id), "outgoing.git");

/** Made aside and renamed into place: half of one is never found. */
const ensure = async (
  { sandbox, layout }: WorkspaceParts,
  directory: string,
  commit: string,
  slot: number,
): Promise<void> => {
  if ((await lstat(directory).catch(() => null))?.isDirectory() === true) return;
  const aside = await makeAside(layout, "outgoing");
  try {
    await writeBareSkeleton(aside, commit);
    await handOver(sandbox, aside, slot);
    await mkdir(dirname(directory), { recursive: true });
    await rename(aside, directory);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
};

/** `added TAB removed TAB path NUL`, with dashes for what has no lines. */
const filesIn = (text: string): readonly ChangedFile[] =>
  text
    .split("\0")
    .flatMap((line): readonly ChangedFile[] => {
      const [, added = "", removed = "", path = ""] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(line) ?? [];
      return path === "" ? [] : [{ path, added: lines(added), removed: lines(removed) }];
    })
    .toSorted((a, b) => size(b) - size(a));

const lines = (digits: string): number | null => (digits === "-" ? null : Number(digits));

const size = ({ added, removed }: ChangedFile): number => (added ?? 1_000_000) + (removed ?? 0);
