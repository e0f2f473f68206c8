import type { ConversationId } from "../../../machine/id.ts";
import type { ConversationChange } from "../../../ports/bot.ts";
import type { Fleet, FleetRows } from "../ports/fleet.ts";
import type { Ambient } from "../../../ports/host.ts";
import type { LedMember, LocalBot, Ownership } from "../../../ports/ownership.ts";
import type { Store } from "../../../ports/store.ts";
import type { Ledger } from "../../../ports/surface.ts";
import { retryOnNewOwner } from "./retry-on-new-owner.ts";
import { createOwnership } from "./ownership.ts";
import { startMembership } from "./membership.ts";
import { createRelay } from "./relay.ts";
import { createRoutedBot, type RoutedBot } from "./routed-bot.ts";
import { createClusterCalls } from "./calls.ts";
import { othersOf } from "./others.ts";

export interface ShareDeps extends Ambient {
  readonly fleet: Fleet;
  /** Id of the shared database. */
  readonly id: string;
  readonly opened: {
    readonly fleet: FleetRows;
    readonly store: Store;
    readonly ledger: Ledger;
  };
}

export const shareOf = ({ fleet, opened, clock, log, ...deps }: ShareDeps): Ownership => {
  const { fleet: rows, store, ledger } = opened;
  const others = othersOf(fleet);
  const homes = createOwnership({
    name: fleet.name,
    rows,
    taken: (taken) => relay.moved(taken),
    unsettled: store.unsettled,
  });
  let leader: string | null = null;
  fleet.joined(() => {
    leader = rows.members()[0] ?? null;
  });
  const leads = (): boolean => leader === fleet.name;
  let bot: { readonly local: LocalBot; readonly routed: RoutedBot } | null = null;
  let hear: ((id: ConversationId, change: ConversationChange) => void) | null = null;
  const calls = createClusterCalls();
  const relay = createRelay({
    others,
    homes,
    store,
    shows: (id) => (leads() || !isChat(ledger.thread(id)?.surface ?? "") ? null : leader),
    heard: (...happened) => hear?.(...happened),
  });

  const carriedOut =
    (port: string): LedMember =>
    (member, own, away) => {
      calls.offer(port, member, own);
      return async (...given) => {
        // Another host may lead by the next try.
        const told = await retryOnNewOwner<typeof away>(clock, async () => {
          if (leads()) return { answer: await own(...given) };
          return leader === null ? null : others.call(leader, port, member, given);
        });
        return told === null ? away : told.answer;
      };
    };

  return {
    leads,
    mine: { isMine: homes.isMine, take: (id) => homes.take(id, fleet.name) },
    route: (local) => {
      const routed = createRoutedBot(local, {
        homes,
        others,
        relay,
        store,
        spreads: isChat,
        clock,
        boot: deps.id,
        offer: calls.offer,
      });
      bot = { local, routed };
      return routed;
    },
    happened: relay.happened,
    led: (port, _, members) => members(carriedOut(port)),
    standing: (surface) => {
      const own = surface.standing();
      if (surface.off !== null || leads()) return own;
      // If only the leader connects to the platform, this host's state stays `connecting`, which carries no information.
      return `on ${leader ?? "no host"}${own === "connecting" ? "" : `; here: ${own}`}`;
    },
    start: async ({ lead, changed, heard }) => {
      hear = heard;
      if (bot === null) throw new Error("there is no bot yet");
      const { local, routed } = bot;
      const parts = { fleet, rows, homes, relay, store, bot: routed, local, calls };
      await startMembership({
        ...parts,
        changed: (rowsOfOthers) => changed(new Set(rowsOfOthers.map(({ table }) => table))),
        lead,
        log,
      });
    },
  };
};

/** Whether the surface is a chat platform. For the other surfaces each host receives requests itself. */
const isChat = (surface: string): boolean => !["", "console", "gateway"].includes(surface);
