/**
 * Keeps one bare mirror a repository, in generations (D28). Invariant: the newest clean generation holds only what
 * the remote's branches and tags reach, so that what was force-pushed away is readable to no thread opened later.
 *
 * A fetch in place first marks its generation dirty; only a fetch that lost nothing takes the mark away. Whatever
 * interrupts in between, the next fetch starts a new generation. Nothing is ever collected or pruned in place.
 */

import { access, mkdir, rename, rm } from "node:fs/promises";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import type { Door, Doors } from "../../ports/forge.ts";
import type { Clock } from "../../ports/host.ts";
import { attempt, flat } from "../git-trouble.ts";
import { handOver, makeAside } from "../aside.ts";
import { writeDurably } from "../durable.ts";
import { createSharedWork, type Hooks } from "../shared-work.ts";
import { keyOf, type Layout } from "../layout.ts";
import { repositorySlot } from "../slots.ts";
import type { Answer, Bare, Generations } from "./generation.ts";
import { generationsOf, type Pins } from "./pins.ts";
import {
  defaultTip,
  DETACHED,
  type Head,
  type Listing,
  movedFrom,
  type Ref,
  sameRefs,
  type Tip,
} from "./refs.ts";
import { reach, type Remote } from "./remote.ts";
import { writeBareSkeleton } from "./skeleton.ts";
import type { Source } from "./source.ts";

/** A repository is asked at most this often. */
const FRESH: Millis = 60_000;

/** A mirror as a new conversation finds it. */
export interface Snapshot {
  readonly key: string;
  readonly generation: number;
  readonly tip: Tip | null;
  /** When the remote was asked. */
  readonly at: Millis;
}

export interface Mirrors {
  /**
   * Up to date within a minute, or since the time that is named. One at a time for one repository, for all who ask.
   */
  refresh(source: Source, hooks: Hooks, since?: Millis): Promise<Answer<Snapshot>>;
}

interface MirrorDeps {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly layout: Layout;
  readonly pins: Pins;
  readonly generations: Generations;
  /** See `WorkspaceDeps`; null for the system's. */
  readonly certificates: string | null;
  readonly doors: Doors | null;
}

export const createMirrors = (deps: MirrorDeps): Mirrors => {
  const fresh = new Map<string, Snapshot>();
  const flights = createSharedWork<Answer<Snapshot>>();

  const fly = async (source: Source, hooks: Hooks, since?: Millis): Promise<Answer<Snapshot>> => {
    const key = keyOf(source);
    const known = fresh.get(key);
    const at = deps.clock.now();
    if (known !== undefined && known.at <= at && known.at >= (since ?? at - FRESH + 1))
      return { kind: "done", value: known };
    const answer = flat(await attempt(() => refresh(deps, key, source, hooks)));
    if (answer.kind !== "done") return answer;
    const snapshot = { ...answer.value, at };
    fresh.set(key, snapshot);
    return { kind: "done", value: snapshot };
  };

  const refreshed: Mirrors["refresh"] = async (source, hooks, since) => {
    const join = () => flights.join(keyOf(source), hooks, (shared) => fly(source, shared, since));
    const first = await join();
    if (first.kind === "aborted") return first;
    // Whoever began it may have done so before that time.
    const isOld = since !== undefined && first.value.kind === "done" && first.value.value.at < since;
    const landed = isOld ? await join() : first;
    return landed.kind === "aborted" ? landed : landed.value;
  };

  return { refresh: refreshed };
};

interface Visit {
  readonly key: string;
  readonly remote: Remote;
  readonly listing: Listing;
  readonly detached: boolean;
  readonly hooks: Hooks;
}

/** Through a door where the host has a credential for the repository; what is refused behind it is the reason told. */
const refresh = async (
  deps: MirrorDeps,
  key: string,
  source: Source,
  hooks: Hooks,
): Promise<Answer<Refreshed>> => {
  const { doors } = deps;
  const door =
    source.kind === "path" || doors === null ? null : await doors.open({ kind: "url", location: source.url });
  try {
    const answer = await refreshFrom(deps, key, source, door, hooks);
    const refusal = door?.refusal() ?? null;
    return answer.kind === "trouble" && refusal !== null ? { kind: "trouble", trouble: refusal } : answer;
  } finally {
    await door?.close();
  }
};

const refreshFrom = async (
  deps: MirrorDeps,
  key: string,
  source: Source,
  door: Door | null,
  hooks: Hooks,
): Promise<Answer<Refreshed>> => {
  const reached = await reach(deps.sandbox, source, deps.certificates, door);
  if (reached.kind === "trouble") return reached;
  const { remote } = reached;
  hooks.onProgress(`Fetching ${source.name}`);
  const listed = await deps.generations.list(remote, repositorySlot(key), hooks.signal);
  if (listed.kind !== "done") return listed;
  const listing = listed.value;
  if (listing.refs.length === 0 && listing.head?.id == null) {
    return { kind: "trouble", trouble: { kind: "noCommits" } };
  }
  const detached = remote.takesDetached && listing.head !== null && listing.head.branch === null;
  const visit: Visit = { key, remote, listing, detached, hooks };

  const newest = (await generationsOf(deps.layout, key)).at(-1);
  const current = newest === undefined ? await begin(deps, visit, null) : await renew(deps, visit, newest);
  if (current.kind !== "done") return current;
  const refs = await deps.generations.refs(bareOf(deps, key, current.value));
  if (refs.kind !== "done") return refs;
  return { kind: "done", value: snapshot(key, current.value, listing.head, refs.value) };
};

type Refreshed = Omit<Snapshot, "at">;

const snapshot = (key: string, generation: number, head: Head | null, refs: readonly Ref[]): Refreshed => ({
  key,
  generation,
  tip: defaultTip(head, refs),
});

const bareOf = (deps: MirrorDeps, key: string, generation: number): Bare => ({
  directory: deps.layout.generation(key, generation),
  slot: repositorySlot(key),
});

/** Brings a mirror up to date: in place where nothing is lost by it, else in a new generation. */
const renew = async (deps: MirrorDeps, visit: Visit, generation: number): Promise<Answer<number>> => {
  const bare = bareOf(deps, visit.key, generation);
  const dirty = deps.layout.dirty(visit.key, generation);
  if (await exists(dirty)) return begin(deps, visit, generation);
  const before = await deps.generations.refs(bare);
  if (before.kind !== "done") return before;
  if (sameRefs(before.value, wantedRefs(visit))) return { kind: "done", value: generation };

  await writeDurably(dirty, "");
  const fetched = await deps.generations.fetch(
    bare,
    visit.remote,
    { detached: visit.detached, borrow: null },
    visit.hooks,
  );
  if (fetched.kind !== "done") {
    await deps.generations.tidy(bare);
    return fetched;
  }
  const lost = await hasLost(deps, visit, bare, before.value);
  if (lost.kind !== "done") return lost;
  if (lost.value) return begin(deps, visit, generation);
  await rm(dirty);
  return { kind: "done", value: generation };
};

const wantedRefs = (visit: Visit): readonly Ref[] => {
  const { refs, head } = visit.listing;
  return visit.detached && head?.id != null ? [...refs, { name: DETACHED, id: head.id }] : refs;
};

const hasLost = async (
  deps: MirrorDeps,
  visit: Visit,
  bare: Bare,
  before: readonly Ref[],
): Promise<Answer<boolean>> => {
  /* A fetch prunes branches and tags only. */
  if (!visit.detached && before.some((ref) => ref.name === DETACHED)) return { kind: "done", value: true };
  const after = await deps.generations.refs(bare);
  if (after.kind !== "done") return after;
  const moved = movedFrom(before, after.value);
  return moved.length === 0
    ? { kind: "done", value: false }
    : deps.generations.lost(bare, moved, visit.hooks.signal);
};

/** Makes the next generation. `previous` lends its objects; where it proves damaged everything comes anew. */
const begin = async (deps: MirrorDeps, visit: Visit, previous: number | null): Promise<Answer<number>> => {
  const made = await make(deps, visit, previous);
  const again = previous !== null && made.kind === "trouble" && made.trouble.kind === "damaged";
  const result = again ? await make(deps, visit, null) : made;
  if (result.kind !== "done") return result;
  const generation = (previous ?? 0) + 1;
  await mkdir(deps.layout.repository(visit.key), { recursive: true });
  await rename(result.value, deps.layout.generation(visit.key, generation));
  await deps.pins.removeOlder(visit.key, generation);
  return { kind: "done", value: generation };
};

/** Answers a whole bare directory in the staging area; leaves nothing there when it fails. */
const make = async (deps: MirrorDeps, visit: Visit, previous: number | null): Promise<Answer<string>> => {
  const { layout, generations } = deps;
  const directory = await makeAside(layout, "mirror");
  const filled = await attempt(async (): Promise<Answer<null>> => {
    await writeBareSkeleton(directory, visit.listing.head?.id ?? visit.listing.refs[0]?.id ?? "");
    const bare: Bare = { directory, slot: repositorySlot(visit.key) };
    await handOver(deps.sandbox, directory, bare.slot);
    const borrow = previous === null ? null : layout.generation(visit.key, previous);
    const fetched = await generations.fetch(
      bare,
      visit.remote,
      { detached: visit.detached, borrow },
      visit.hooks,
    );
    if (fetched.kind !== "done" || borrow === null) return fetched;
    return generations.gather(bare, borrow, visit.hooks.signal);
  });
  const answer = flat(filled);
  if (answer.kind === "done") return { kind: "done", value: directory };
  await rm(directory, { recursive: true, force: true });
  return answer;
};

const exists = async (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
