/**
 * Updates the solved threads of a community: reads newly solved threads, and immediately removes threads that are no longer
 * solved.
 */

import type { Millis } from "../../machine/id.ts";
import type { SolvedThreads } from "./threads.ts";
import type { SiteStep } from "./site.ts";

interface Deps {
  readonly threads: Pick<SolvedThreads, "standing" | "read">;
  /** Threads in the index by key, with the time when each thread was solved. */
  readonly held: (community: string) => ReadonlyMap<string, Millis>;
  /** Called for each thread that is now in the index. */
  readonly seen: (key: string) => void;
  readonly now: () => Millis;
}

const SOME = 20;

export const createSolvedThreadReader =
  ({ threads, held, seen, now }: Deps) =>
  async (community: string, next: string | null): Promise<SiteStep> => {
    const all = await threads.standing(community);
    const has = held(community);
    const kept = new Set<string>(all.flatMap(({ key, isPublic }) => (isPublic === false ? [] : [key])));
    const fresh = all
      .filter(({ key, at, isPublic }) => isPublic === true && has.get(key) !== at && key > (next ?? ""))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const some = fresh.slice(0, SOME);
    const read = await Promise.all(some.map(({ key }) => threads.read(key)));
    const leaves = read.flatMap((leaf) => leaf ?? []);
    for (const key of [...has.keys(), ...leaves.map((leaf) => leaf.key)]) seen(key);
    return {
      leaves,
      gone: [...has.keys()].filter((key) => !kept.has(key)),
      next: some.at(-1)?.key ?? "",
      due: now(),
      why: null,
      ...(fresh.length <= SOME ? { ended: now() } : {}),
    };
  };
