/** One look at a community's solved threads: what is solved anew is read, what is not solved any more goes at once. */

import type { Millis } from "../../machine/id.ts";
import type { SolvedThreads } from "./threads.ts";
import type { SiteStep } from "./site.ts";

interface Deps {
  readonly threads: Pick<SolvedThreads, "standing" | "read">;
  /** What the index has of them, by key, with when it was solved. */
  readonly held: (community: string) => ReadonlyMap<string, Millis>;
  /** Is in the index from now on. */
  readonly seen: (key: string) => void;
  readonly now: () => Millis;
}

/** Threads of one look. */
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
