/**
 * Whose a conversation is, with its sub-agents. It stays with the host that took it; what is free goes to whoever needs it
 * first, or, where the hosts have to choose without asking each other, to the one whom its name picks among them.
 */

import { createHash } from "node:crypto";
import { familyOf } from "../../machine/agent.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { FleetRows, Home } from "../../ports/fleet/fleet.ts";
import type { WriteFailure } from "../../ports/host.ts";

interface HomesDeps {
  /** Of this host. */
  readonly name: string;
  /** It is known whose these are. */
  readonly taken: (homes: ReadonlySet<Home>) => void;
  readonly rows: Pick<FleetRows, "members" | "ownerOf" | "own" | "give">;
}

export type Homes = ReturnType<typeof createHomes>;

export const createHomes = ({ name, rows, taken }: HomesDeps) => {
  const own = async (homes: readonly Home[], host: string): ReturnType<FleetRows["own"]> => {
    const owned = await rows.own(homes, host);
    taken(new Set(homes));
    return owned;
  };
  const ownerOf = (id: ConversationId): string | null => rows.ownerOf(familyOf(id));
  const pick = (id: ConversationId): string => pickOf(familyOf(id), rows.members()) ?? name;
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
    pick,
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

/** The same on every host, whatever their order; where one leaves, only what was its changes. Null: there is nobody. */
export const pickOf = (home: string, members: readonly string[]): string | null =>
  members
    .map((name) => ({ name, weight: createHash("sha256").update(`${name}\n${home}`).digest("hex") }))
    .toSorted((a, b) => (a.weight < b.weight ? 1 : -1))
    .at(0)?.name ?? null;
