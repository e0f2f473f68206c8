/** The share of one of several hosts in Parley's work. */

import type { ConversationId } from "../../machine/id.ts";
import type { Change } from "../../ports/bot.ts";
import type { Fleet, FleetRows } from "../../ports/cluster/fleet.ts";
import type { Ambient } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { RunningBot } from "../../runtime/bot/bot.ts";
import type { Routes } from "../../runtime/chat/route.ts";
import { askAgain } from "../../runtime/cluster/ask-again.ts";
import { createHomes } from "../../runtime/cluster/homes.ts";
import { startMembership } from "./membership.ts";
import { createRelay } from "../../runtime/cluster/relay.ts";
import { createRoutedBot, type RoutedBot } from "../../runtime/cluster/routed-bot.ts";
import { othersOf } from "./others.ts";
import type { Share } from "./share.ts";

export interface ShareDeps extends Ambient {
  readonly fleet: Fleet;
  /** Of the database that hosts share. */
  readonly id: string;
  readonly opened: {
    readonly fleet: FleetRows;
    readonly store: Store;
    readonly ledger: Ledger;
  };
  /** What happened in a conversation of another host. */
  readonly heard: (id: ConversationId, change: Change) => void;
}

export const shareOf = ({ fleet, opened, heard, clock, log, ...deps }: ShareDeps): Share => {
  const { fleet: rows, store, ledger } = opened;
  const others = othersOf(fleet);
  const homes = createHomes({
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
  let bot: { readonly local: RunningBot; readonly routed: RoutedBot } | null = null;
  const ports = new Map<string, object>();
  const relay = createRelay({
    others,
    homes,
    store,
    shows: (id) => (leads() || !isChat(ledger.thread(id)?.surface ?? "") ? null : leader),
    heard,
  });

  /** The same port with these members asked of the host that leads, whoever that is by then; `away`: nobody answers. */
  const led = <Port extends object>(
    name: string,
    own: Port,
    members: readonly (keyof Port & string)[],
    away: unknown = AWAY,
  ): Port => {
    ports.set(name, own);
    const here = (member: string, given: readonly unknown[]): unknown => {
      const does: unknown = Reflect.get(own, member);
      return typeof does === "function" ? Reflect.apply(does, own, given) : away;
    };
    const ask = async (member: string, given: readonly unknown[]): Promise<unknown> => {
      const told = await askAgain(clock, async () => {
        if (leads()) return { answer: await here(member, given) };
        return leader === null ? null : others.call(leader, name, member, given);
      });
      return told === null ? away : told.answer;
    };
    const asked = members.map((member) => [member, (...given: unknown[]) => ask(member, given)]);
    return { ...own, ...Object.fromEntries(asked) };
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
      });
      bot = { local, routed };
      return routed;
    },
    happened: relay.happened,
    onLeader: (name, own, members) => led(name, own, members),
    routes: (own) => ({
      ...led("routes", own, ["readThread", "link"], null),
      requests: led("requests", own.requests, ["weigh"], null),
      threads: {
        ...own.threads,
        // That its asker ends is no reason to leave it half done: asked again, it gives the same thread.
        open: led("threads", { open: opening(own) }, ["open"], ENDED).open,
      },
    }),
    taking: (surface, take) => led(surface, { take }, ["take"]).take,
    standing: (surface) => {
      const own = surface.standing();
      if (surface.off !== null || leads()) return own;
      // Where only the one that leads has a connection, this host's stays at its beginning.
      return `on ${leader ?? "no host"}${own === "connecting" ? "" : `; here: ${own}`}`;
    },
    start: async ({ lead, changed }) => {
      if (bot === null) throw new Error("there is no bot yet");
      const { local, routed } = bot;
      const parts = { fleet, rows, homes, relay, store, bot: routed, local, ports };
      await startMembership({ ...parts, changed, lead, log });
    },
  };
};

const opening =
  ({ threads }: Routes): Routes["threads"]["open"] =>
  (from, thread) =>
    threads.open(from, thread, NEVER);

/** Of the others each host takes requests itself. */
const isChat = (surface: string): boolean => !["", "console", "gateway"].includes(surface);

const NEVER = new AbortController().signal;
const ENDED = { kind: "ended" };
const AWAY = {
  kind: "failed",
  code: "io",
  message: "The host that does this does not answer. Try again in a moment.",
};
