/** A bare repository of checked objects in which the host makes commits. No command of an agent ever sees it. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { type Layout, objectsMount, SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { attemptGit, InTheWay } from "../run/git-trouble.ts";
import { committer, type GitRequest, runGit } from "../run/git.ts";
import type { ChangedFile, CommitPlan, Committed } from "../../ports/outgoing.ts";
import { writeBareSkeleton } from "../mirror/skeleton.ts";
import { repositorySlot } from "../disk/slots.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { chownToSlot, makeStagingDir, putInPlace } from "../disk/staging.ts";
import { isThere } from "../disk/durable.ts";
import type { Workspace } from "./record.ts";
import { stepPolicy } from "../run/step.ts";

const TIMEOUT = 5 * 60_000;
const ERRANDS = "refs/errands/";
const PARENTS = "refs/parents/";

export type CleanRoom = Awaited<ReturnType<typeof openCleanRoom>>;

export const openCleanRoom = async (world: WorkspaceContext, workspace: Workspace) => {
  const { sandbox, layout } = world;
  const directory = roomOf(layout, workspace.id);
  const slot = repositorySlot(workspace.key);
  await ensure(world, directory, workspace.commit, slot);
  const room = { source: directory, target: SANDBOX_PATHS.mirror, write: true };
  const objects = objectsMount(layout.generation(workspace.key, workspace.generation));
  const seen = sandboxPathOf(sandbox, room);
  const policy = stepPolicy(sandbox, [room, objects], slot);
  const ask = (
    args: readonly string[],
    more: Pick<GitRequest, "stdin" | "env" | "most" | "exact" | "signal"> = {},
  ): Promise<string> =>
    runGit(world, {
      policy,
      directory: seen,
      args,
      timeout: TIMEOUT,
      ...more,
      env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: sandboxPathOf(sandbox, objects), ...more.env },
    });

  /** `revisions`: lines as `rev-list` reads them. */
  const packed = async (revisions: readonly string[], signal: AbortSignal): Promise<Uint8Array> => {
    const args = ["pack-objects", "--revs", "--quiet", `${seen}/outgoing`];
    const made = await ask(args, { stdin: `${revisions.join("\n")}\n`, signal });
    const name = `outgoing-${made.trim()}`;
    const got = await sandbox.get(policy, `${seen}/${name}.pack`, world.maxPackBytes);
    await Promise.all(
      ["pack", "idx", "rev"].map((end) => rm(join(directory, `${name}.${end}`), { force: true })),
    );
    if (got.kind === "error") throw new InTheWay({ kind: "host", reason: got.message });
    return got.bytes;
  };

  return {
    workspace,
    /** Rejects a pack with invalid or missing objects. */
    take: async (pack: Uint8Array, signal: AbortSignal): Promise<void> => {
      await ask(["index-pack", "--strict", "--stdin"], { stdin: pack, signal });
    },
    /** Returns the largest changes first. */
    differences: async (from: string, tree: string, signal: AbortSignal): Promise<readonly ChangedFile[]> => {
      const args = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];
      const said = await ask([...args, from, tree], { signal });
      const files = said.split("\0").flatMap((field) => countedIn(field) ?? []);
      return files.toSorted((a, b) => size(b) - size(a));
    },
    madeAt: async (commit: string, signal: AbortSignal): Promise<Millis> =>
      Number(await ask(["show", "--no-patch", "--format=%ct", commit], { signal })) * 1_000,
    commit: async (
      { name, commits, parent, author, committer: by = author, at }: CommitPlan,
      signal: AbortSignal,
    ): Promise<Committed> => {
      const env = committer(by, `${Math.floor(at / 1_000)} +0000`, author);
      const stands = (await ask(["rev-parse", `${parent}^{tree}`], { signal })).trim();
      const known = commits.findLastIndex(({ tree }) => tree === stands);
      let commit = parent;
      for (const { tree, message } of commits.slice(Math.min(known + 1, commits.length - 1))) {
        const made = await ask(["commit-tree", tree, "-p", commit], { stdin: message, signal, env });
        commit = made.trim();
      }
      // The errand's ref is written last: if it exists, the parent's ref exists too.
      await ask(["update-ref", `${PARENTS}${name}`, parent], { signal });
      await ask(["update-ref", `${ERRANDS}${name}`, commit], { signal });
      return { commit, parent };
    },
    named: async (name: string): Promise<Committed | null> => {
      const format = "--format=%(refname) %(objectname) %(parent)";
      const text = await ask(["for-each-ref", format, `${ERRANDS}${name}`, `${PARENTS}${name}`]);
      const refs = new Map(text.split("\n").map((line) => [line.replace(/ .*/, ""), line.split(" ")]));
      const [, commit = "", parent = ""] = refs.get(`${ERRANDS}${name}`) ?? [];
      const [, below = parent] = refs.get(`${PARENTS}${name}`) ?? [];
      return commit === "" ? null : { commit, parent: below };
    },
    pack: ({ commit, parent }: Committed, signal: AbortSignal): Promise<Uint8Array> =>
      packed([commit, `^${parent}`], signal),
    packTrees: (trees: readonly string[], base: string, signal: AbortSignal): Promise<Uint8Array> =>
      packed([...trees, `^${base}^{tree}`], signal),
    ask,
    /** Whether the host made the commit here. */
    has: async (commit: string): Promise<boolean> => {
      const listed = await attemptGit(() => ask(["for-each-ref", "--format=%(objectname)", ERRANDS]));
      return listed.kind === "done" && listed.value.split("\n").includes(commit);
    },
  };
};

export const roomOf = (layout: Layout, id: ConversationId): string => join(layout.thread(id), "outgoing.git");

const ensure = async (
  { sandbox, layout }: WorkspaceContext,
  directory: string,
  commit: string,
  slot: number,
): Promise<void> => {
  if (await isThere(directory)) return;
  await using aside = await makeStagingDir(layout, "outgoing");
  await writeBareSkeleton(aside.path, commit);
  await chownToSlot(sandbox, aside.path, slot);
  await putInPlace(aside, directory);
};

const size = ({ added, removed }: ChangedFile): number => (added ?? 1_000_000) + (removed ?? 0);

/** Reads `added TAB removed TAB path`, with dashes for files without lines; null for any other text. */
export const countedIn = (field: string): ChangedFile | null => {
  const [, added = "", removed = "", path = ""] = COUNTED.exec(field) ?? [];
  return path === "" ? null : { path, added: linesOf(added), removed: linesOf(removed) };
};

const COUNTED = /^(\d+|-)\t(\d+|-)\t(.*)$/s;

const linesOf = (digits: string): number | null => (digits === "-" ? null : Number(digits));
