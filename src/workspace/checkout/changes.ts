/**
 * What a conversation has changed, as the host itself reads it, and a commit of exactly that.
 *
 * The checkout is somebody else's: an agent may have written anything into its files and its `.git`. It is read in the
 * sandbox, read-only, by a git whose own directory is new: no hook, filter, alias or setting of the checkout is in
 * force, and what comes out of it is one pack. That pack is checked and looked at in a second place that no command of
 * an agent ever sees (`clean-room.ts`); what people are shown and what is committed is what stands there.
 */

import { rm } from "node:fs/promises";
import type { Mount, Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Log } from "../../ports/host.ts";
import { makeAsideFor } from "../aside.ts";
import { attempt, flat, sentence } from "../git-trouble.ts";
import { unwatched } from "../shared-work.ts";
import { isPlainId, objectsMount, SEEN } from "../layout.ts";
import type { Answer } from "../mirror/generation.ts";
import { gitEnvironment, seenAt } from "../mirror/git.ts";
import { type Changes, type ChangesRead, type Done, type Failed, MAX_PACK } from "../mirror/outgoing.ts";
import { FRESH, runStep, stepPolicy } from "../step.ts";
import type { WorkspaceParts } from "../parts.ts";
import { type CleanRoom, openCleanRoom } from "./clean-room.ts";
import { readRecord, type Workspace } from "./record.ts";

const READ_TIMEOUT = 5 * 60_000;

export const createChanges = (world: WorkspaceParts, log: Log): Changes => {
  const within = async <T extends { readonly kind: string }>(
    id: ConversationId,
    work: (workspace: Workspace, room: CleanRoom) => Promise<Answer<T>>,
  ): Promise<T | Failed> => {
    const answer = flat(
      await attempt(async (): Promise<Answer<T>> => {
        const workspace = isPlainId(id) ? await readRecord(world.layout, id) : null;
        if (workspace === null) return missing;
        const room = await openCleanRoom(world, log, id, workspace);
        return room.kind === "done" ? work(workspace, room.value) : room;
      }),
    );
    if (answer.kind === "done") return answer.value;
    if (answer.kind === "aborted") return { kind: "failed", message: "It was cancelled." };
    log.warn("changes could not be read or committed", { conversation: id, trouble: answer.trouble.kind });
    return { kind: "failed", message: sentence(answer.trouble, "the checkout") };
  };

  return {
    read: (id, head, signal) =>
      within<ChangesRead>(id, (workspace, room) =>
        world.resting.awake<ChangesRead>(id, unwatched(signal), async () => {
          const work = await world.trees.existing(id);
          if (work === null) return { kind: "done", value: { kind: "none" } };
          if (head !== null && !(await room.has(head))) return { kind: "done", value: { kind: "foreign" } };
          const packed = await packOf(world, { work, workspace }, signal);
          if (packed.kind !== "done") return packed;
          const { tree, pack } = packed.value;
          const taken =
            pack === null ? ({ kind: "done", value: null } as const) : await room.take(pack, signal);
          if (taken.kind !== "done") return taken;
          const parent = head ?? workspace.commit;
          const files = await room.differences(parent, tree, signal);
          if (files.kind !== "done") return files;
          return {
            kind: "done",
            value:
              files.value.length === 0
                ? { kind: "none" }
                : { kind: "changes", changed: { tree, parent, files: files.value } },
          };
        }),
      ),
    commit: (id, plan, signal) => within(id, async (_, room) => done(await room.commit(plan, signal))),
    committed: (id, name) => within(id, async (_, room) => done(await room.named(name))),
    pack: (id, commit, signal) => within(id, async (_, room) => done(await room.pack(commit, signal))),
  };
};

const done = <T>(answer: Answer<T>): Answer<Done<T>> =>
  answer.kind === "done" ? { kind: "done", value: { kind: "done", value: answer.value } } : answer;

const missing: Answer<never> = {
  kind: "trouble",
  trouble: { kind: "host", reason: "no checkout was made yet" },
};

interface Packed {
  readonly tree: string;
  /** Null where every object is in the mirror already. */
  readonly pack: Uint8Array | null;
}

/**
 * `$1` the checkout, `$2` the mirror's objects, `$3` the commit that it began at, `$4` where the pack goes. Blobs and
 * trees that the mirror lacks are new in the fresh repository, and nothing else is.
 */
const SCRIPT = String.raw`set -eu
${FRESH}
fresh "$2" "$3"
cd "$1"
git read-tree "$3"
git add --all . > /dev/null 2>&1
tree=$(git write-tree)
cd "$GIT_DIR/objects"
find . -type f -path './[0-9a-f][0-9a-f]/*' | tr -d './' | git pack-objects -q --stdout > "$4/pack"
printf '%s\n' "$tree" > "$4/tree"`;

const packOf = async (
  { sandbox, layout }: WorkspaceParts,
  { work, workspace }: { readonly work: string; readonly workspace: Workspace },
  signal: AbortSignal,
): Promise<Answer<Packed>> => {
  const drop = await makeAsideFor(sandbox, layout, "changes", workspace.slot);
  try {
    const objects = objectsMount(layout.generation(workspace.key, workspace.generation));
    return await readInto(sandbox, { drop, work, objects }, workspace, signal);
  } finally {
    await rm(drop, { recursive: true, force: true });
  }
};

const readInto = async (
  sandbox: Sandbox,
  { drop, work, objects }: { readonly drop: string; readonly work: string; readonly objects: Mount },
  { slot, commit }: Workspace,
  signal: AbortSignal,
): Promise<Answer<Packed>> => {
  const checkout = { source: work, target: SEEN.work, write: false };
  const out = { source: drop, target: SEEN.drop, write: true };
  const mounts = [checkout, objects, out] as const;
  const [seen, lent, at] = [seenAt(sandbox, checkout), seenAt(sandbox, objects), seenAt(sandbox, out)];
  const ran = await runStep(sandbox, {
    mounts,
    slot,
    argv: ["/bin/sh", "-c", SCRIPT, "sh", seen, lent, commit, at],
    env: { ...gitEnvironment(`${at}/git`, {}), GIT_WORK_TREE: seen, GIT_INDEX_FILE: `${at}/index` },
    timeout: READ_TIMEOUT,
    signal,
  });
  if (ran.kind !== "done") return ran;
  const policy = stepPolicy(sandbox, mounts, slot);
  const tree = await sandbox.get(policy, `${at}/tree`, 100);
  const id = tree.kind === "file" ? tree.bytes.toString("latin1").trim() : "";
  if (ran.value.code !== 0 || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) {
    return { kind: "trouble", trouble: { kind: "unknown", said: "the checkout could not be read" } };
  }
  const pack = await sandbox.get(policy, `${at}/pack`, MAX_PACK);
  if (pack.kind === "error") {
    return pack.code === "too_large"
      ? { kind: "trouble", trouble: { kind: "tooLarge", limit: MAX_PACK } }
      : { kind: "trouble", trouble: { kind: "host", reason: pack.message } };
  }
  return { kind: "done", value: { tree: id, pack: isEmptyPack(pack.bytes) ? null : pack.bytes } };
};

/** Signature, version, and the number of objects in four bytes. */
const isEmptyPack = (pack: Buffer): boolean => pack.length < 12 || pack.readUInt32BE(8) === 0;
