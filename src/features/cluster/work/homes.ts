/**
 * Whose a conversation is, with its sub-agents. It stays with the host that took it, and is its again where that comes back
 * before another one has taken it: the checkout is there. What is free goes to whoever needs it first, or to one that has room,
 * or, where the hosts have to choose without asking each other, to the one whom its name picks among them.
 */

import { createHash } from "node:crypto";
import { familyOf } from "../../../machine/agent.ts";
import type { ConversationId } from "../../../machine/id.ts";
import type { FleetRows, HomeId } from "../ports/fleet.ts";
import type { WriteFailure } from "../../../ports/host.ts";
import type { Store } from "../../../ports/store.ts";

interface HomesDeps {
  /** Of this host. */
  readonly name: string;
  /** It is known whose these are. */
  readonly taken: (homes: ReadonlySet<HomeId>) => void;
  readonly rows: Pick<FleetRows, "members" | "ownerOf" | "own" | "give">;
  /** Of all hosts. */
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
  /** Of the two that its name picks, the one that does less: not all that is begun in one moment goes to the idlest. */
  const spread = (id: ConversationId): string => {
    const [first = name, second = first] = homeRankOf(familyOf(id), rows.members());
    const busy = unsettled().map(ownerOf);
    const load = (host: string): number => busy.filter((owner) => owner === host).length;
    return load(second) < load(first) ? second : first;
  };
  return {
    ownerOf,
    isMine: (id: ConversationId): boolean => ownerOf(id) === name,
    /** The host that has it then; `wanted` where it was free. */
    take: async (id: ConversationId, wanted: string): Promise<string | WriteFailure> => {
      const owner = ownerOf(id);
      if (owner !== null) return owner;
      const owned = await own([familyOf(id)], wanted);
      return owned.kind === "failed" ? owned : (owned.by[0] ?? name);
    },
    spread,
    /** Null: it is the other host's now. */
    give: async (id: ConversationId, to: string): Promise<WriteFailure | null> => {
      const given = await rows.give(familyOf(id), name, to);
      return given.kind === "failed" ? given : null;
    },
    /** Takes those of them that are free and are this host's by name; answers whether it has some now. */
    inherit: async (ids: readonly ConversationId[]): Promise<boolean> => {
      const free = ids.filter((id) => ownerOf(id) === null && pick(id) === name);
      if (free.length === 0) return false;
      const owned = await own([...new Set(free.map(familyOf))], name);
      return owned.kind === "owned" && owned.by.includes(name);
    },
  };
};

/** The same on every host, whatever their order; where one leaves, only what was its changes. */
export const homeRankOf = (home: string, members: readonly string[]): readonly string[] =>
  members
    .map((name) => ({ name, weight: createHash("sha256").update(`${name}\n${home}`).digest("hex") }))
    .toSorted((a, b) => (a.weight < b.weight ? 1 : -1))
    .map(({ name }) => name);
