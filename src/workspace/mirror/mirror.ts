// D28: the newest clean generation contains only objects that the remote reaches, so that no thread reads force-pushed content.
// A fetch in place first marks its generation dirty, and removes the mark only if nothing was lost.

import { rm } from "node:fs/promises";
import type { Millis } from "../../machine/id.ts";
import { InTheWay } from "../run/git-trouble.ts";
import { chownToSlot, makeStagingDir, putInPlace } from "../disk/staging.ts";
import { isThere, writeDurably } from "../disk/durable.ts";
import { createSharedWork, type Hooks, unwatched } from "../run/shared-work.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { repositorySlot } from "../disk/slots.ts";
import { type BareRepository, bareOf, type Generations } from "./generation.ts";
import { generationsOf, type Pins } from "./pins.ts";
import { type BranchTip, defaultTip, DETACHED, movedFrom, type Ref, sameRefs } from "./refs.ts";
import { reach, type Remote, withDoor } from "./remote.ts";
import { writeBareSkeleton } from "./skeleton.ts";
import { mirrorKeyOf, type RepositorySource } from "./source.ts";

/** Shortest time between two requests for one repository. */
const FRESH: Millis = 60_000;

interface MirrorSnapshot {
  readonly key: string;
  readonly generation: number;
  readonly tip: BranchTip | null;
  /** Time of the request to the remote. */
  readonly at: Millis;
}

/** Returns a mirror at most a minute old, or one not older than `since`. Concurrent calls share a request. */
export type Refresh = (source: RepositorySource, hooks: Hooks, since?: Millis) => Promise<MirrorSnapshot>;

interface MirrorDeps extends WorkspaceContext {
  /** Known default branches, by key and generation. */
  readonly pointed: Map<string, string>;
  readonly pins: Pins;
  readonly generations: Generations;
}

export const createRefresh = (
  parts: Omit<MirrorDeps, "pointed">,
): {
  readonly refresh: Refresh;
  /** Returns whether the mirror was removed. A refresh that starts in the meantime waits. */
  readonly removeUnused: (key: string, since: Millis) => Promise<boolean>;
} => {
  const deps: MirrorDeps = { ...parts, pointed: new Map() };
  const fresh = new Map<string, MirrorSnapshot>();
  const flights = createSharedWork<MirrorSnapshot>();
  const removals = createSharedWork<boolean>();

  const fly = async (source: RepositorySource, hooks: Hooks, since?: Millis): Promise<MirrorSnapshot> => {
    const key = mirrorKeyOf(source);
    await removals.running(key);
    const known = fresh.get(key);
    const at = deps.clock.now();
    if (known !== undefined && known.at <= at && known.at >= (since ?? at - FRESH + 1)) return known;
    const snapshot = { ...(await refresh(deps, key, source, hooks)), at };
    fresh.set(key, snapshot);
    return snapshot;
  };

  return {
    refresh: async (source, hooks, since) => {
      const join = () => flights.join(mirrorKeyOf(source), hooks, (shared) => fly(source, shared, since));
      const first = await join();
      // The shared request may have started before `since`.
      return since !== undefined && first.at < since ? join() : first;
    },
    removeUnused: async (key, since) => {
      const asked = fresh.get(key)?.at ?? Number.NEGATIVE_INFINITY;
      if (flights.running(key) !== null || asked >= since) return false;
      return removals.join(key, unwatched(), async () => {
        const isRemoved = await deps.pins.removeUnused(key, since);
        if (isRemoved) fresh.delete(key);
        for (const name of isRemoved ? [...deps.pointed.keys()] : [])
          if (name.startsWith(`${key}/`)) deps.pointed.delete(name);
        return isRemoved;
      });
    },
  };
};

interface Visit {
  readonly key: string;
  readonly remote: Remote;
  readonly detached: boolean;
  /** Refs that the mirror should have, and the id of any object of the remote. */
  readonly refs: readonly Ref[];
  readonly id: string;
  readonly hooks: Hooks;
}

const refresh = (
  deps: MirrorDeps,
  key: string,
  source: RepositorySource,
  hooks: Hooks,
): Promise<Omit<MirrorSnapshot, "at">> =>
  withDoor(deps.doors, source, async (door) => {
    const { sandbox, layout, generations, certificates } = deps;
    const remote = await reach(sandbox, source, certificates, door);
    hooks.onProgress(`Fetching ${source.name}`);
    const { refs, head } = await generations.list(remote, repositorySlot(key), hooks.signal);
    if (refs.length === 0 && head?.id == null) throw new InTheWay({ kind: "noCommits" });
    const detached = remote.takesDetached && head !== null && head.branch === null;
    const own = detached && head.id !== null ? [{ name: DETACHED, id: head.id }] : [];
    const id = head?.id ?? refs[0]?.id ?? "";
    const visit: Visit = { key, remote, detached, refs: [...refs, ...own], id, hooks };

    const newest = (await generationsOf(layout, key)).at(-1);
    const generation = await (newest === undefined ? begin(deps, visit, null) : renew(deps, visit, newest));
    const bare = bareOf(layout, { key, generation });
    const kept = await generations.refs(bare);
    const branch = head?.branch ?? null;
    const name = `${key}/${generation}`;
    if (branch !== null && deps.pointed.get(name) !== branch && kept.some((ref) => ref.name === branch)) {
      await generations.point(bare, branch);
      deps.pointed.set(name, branch);
    }
    return { key, generation, tip: defaultTip(head, kept) };
  });

/** Updates in place if nothing is lost, otherwise in a new generation. */
const renew = async (deps: MirrorDeps, visit: Visit, generation: number): Promise<number> => {
  const { layout, generations } = deps;
  const { key, remote, detached, hooks } = visit;
  const bare = bareOf(layout, { key, generation });
  const dirty = layout.dirty(key, generation);
  if (await isThere(dirty)) return begin(deps, visit, generation);
  const before = await generations.refs(bare);
  if (sameRefs(before, visit.refs)) return generation;

  await writeDurably(dirty, "");
  try {
    await generations.fetch(bare, remote, { detached, borrow: null }, hooks);
  } catch (error) {
    await generations.tidy(bare);
    throw error;
  }
  const moved = movedFrom(before, await generations.refs(bare));
  /* A fetch prunes only branches and tags. */
  const isStale = !detached && before.some(({ name }) => name === DETACHED);
  if (isStale || (moved.length > 0 && (await generations.lost(bare, moved, hooks.signal))))
    return begin(deps, visit, generation);
  await rm(dirty);
  return generation;
};

/** If `previous` is damaged, everything is fetched again. */
const begin = async (deps: MirrorDeps, visit: Visit, previous: number | null): Promise<number> => {
  const generation = (previous ?? 0) + 1;
  await make(deps, visit, previous, generation).catch((error: unknown) => {
    if (previous !== null && error instanceof InTheWay && error.trouble.kind === "damaged")
      return make(deps, visit, null, generation);
    throw error;
  });
  await deps.pins.removeOlder(visit.key, generation);
  return generation;
};

const make = async (
  { sandbox, layout, generations }: MirrorDeps,
  { key, remote, id, detached, hooks }: Visit,
  previous: number | null,
  generation: number,
): Promise<void> => {
  await using aside = await makeStagingDir(layout, "mirror");
  const bare: BareRepository = { directory: aside.path, slot: repositorySlot(key) };
  const borrow = previous === null ? null : layout.generation(key, previous);
  if (borrow === null && !detached) {
    await chownToSlot(sandbox, bare.directory, bare.slot);
    await generations.clone(bare, remote, hooks);
    await generations.forget(bare);
  } else {
    await writeBareSkeleton(bare.directory, id);
    await chownToSlot(sandbox, bare.directory, bare.slot);
    await generations.fetch(bare, remote, { detached, borrow }, hooks);
  }
  if (borrow !== null) await generations.gather(bare, borrow, hooks.signal);
  await putInPlace(aside, layout.generation(key, generation));
};
