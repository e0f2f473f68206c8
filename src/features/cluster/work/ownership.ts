/**
 * Ownership of conversations, each with its sub-agents. A conversation stays with its owner. A restarted host has its
 * conversations again if no other host took them first, because their checkouts are there. A free conversation goes to the
 * first host that needs it, or to a host with less load. If hosts must choose without asking each other, a hash of the
 * conversation's id and the host names decides.
 */

import { createHash } from "node:crypto";
import { familyOf } from "../../../machine/agent.ts";
import type { ConversationId } from "../../../machine/id.ts";
import type { FleetRows, HomeId } from "../ports/fleet.ts";
import type { WriteFailure } from "../../../ports/host.ts";
import type { Store } from "../../../ports/store.ts";

interface HomesDeps {
  readonly name: string;
  /** Called when the owners of these conversations are known. */
  readonly taken: (homes: ReadonlySet<HomeId>) => void;
  readonly rows: Pick<FleetRows, "members" | "ownerOf" | "own" | "give">;
  /** Unfinished conversations of all hosts. */
  readonly unsettled: Store["unsettled"];
}

export type Homes = ReturnType<typeof createOwnership>;

export const createOwnership = ({ name, rows, taken, unsettled }: HomesDeps) => {
  const own = async (homes: readonly HomeId[], host: string): ReturnType<FleetRows["own"]> => {
    const owned = await rows.own(homes, host);
    taken(new Set(homes));
    return owned;
  };
  const ownerOf = (id: ConversationId): string | null => rows.ownerOf(familyOf(id));
  const pick = (id: ConversationId): string => homeRankOf(familyOf(id), rows.members())[0] ?? name;
  /**
   * The less busy of the two hosts that rank first for the id. The idlest host of all is not used, because that host would
   * receive everything that starts at the same moment.
   */
  const spread = (id: ConversationId): string => {
    const [first = name, second = first] = homeRankOf(familyOf(id), rows.members());
    const busy = unsettled().map(ownerOf);
    const load = (host: string): number => busy.filter((owner) => owner === host).length;
    return load(second) < load(first) ? second : first;
  };
  return {
    ownerOf,
    isMine: (id: ConversationId): boolean => ownerOf(id) === name,
    /** Returns the owner after the call: `wanted` if the conversation was free. */
    take: async (id: ConversationId, wanted: string): Promise<string | WriteFailure> => {
      const owner = ownerOf(id);
      if (owner !== null) return owner;
      const owned = await own([familyOf(id)], wanted);
      return owned.kind === "failed" ? owned : (owned.by[0] ?? name);
    },
    spread,
    /** Null on success: the other host now has the conversation. */
    give: async (id: ConversationId, to: string): Promise<WriteFailure | null> => {
      const given = await rows.give(familyOf(id), name, to);
      return given.kind === "failed" ? given : null;
    },
    /** Takes the free conversations that rank this host first; returns whether this host now has any of them. */
    inherit: async (ids: readonly ConversationId[]): Promise<boolean> => {
      const free = ids.filter((id) => ownerOf(id) === null && pick(id) === name);
      if (free.length === 0) return false;
      const owned = await own([...new Set(free.map(familyOf))], name);
      return owned.kind === "owned" && owned.by.includes(name);
    },
  };
};

/**
 * Ranks hosts by a hash of each name and the conversation. The result is the same on every host, for any order of `members`; if
 * a host leaves, only its conversations change places.
 */
export const homeRankOf = (home: string, members: readonly string[]): readonly string[] =>
  members
    .map((name) => ({ name, weight: createHash("sha256").update(`${name}\n${home}`).digest("hex") }))
    .toSorted((a, b) => (a.weight < b.weight ? 1 : -1))
    .map(({ name }) => name);
