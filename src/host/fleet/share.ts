/** The share of one of several hosts in Parley's work. */

import type { ConversationId } from "../../machine/id.ts";
import type { Change } from "../../ports/bot.ts";
import type { Fleet, FleetRows } from "../../ports/fleet.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { RunningBot } from "../../runtime/bot/bot.ts";
import { callOf, decoded } from "../../runtime/fleet/calls.ts";
import { createHomes } from "../../runtime/fleet/homes.ts";
import { startMembership } from "../../runtime/fleet/membership.ts";
import { createRelay } from "../../runtime/fleet/relay.ts";
import { createRoutedBot, type RoutedBot } from "../../runtime/fleet/routed-bot.ts";
import type { Share, Watched } from "./alone.ts";

interface ShareDeps {
  readonly fleet: Fleet;
  /** Of the database that hosts share. */
  readonly id: string;
  readonly opened: { readonly fleet: FleetRows; readonly store: Store; readonly ledger: Ledger };
  readonly forgetVotes: Parameters<typeof createRoutedBot>[1]["forgetVotes"];
  /** What happened in a conversation of another host. */
  readonly heard: (id: ConversationId, change: Change) => void;
  readonly clock: Clock;
  readonly log: Log;
}

export const shareOf = ({ fleet, opened, heard, clock, log, ...deps }: ShareDeps): Share => {
  const { fleet: rows, store, ledger } = opened;
  const homes = createHomes({ fleet, rows });
  const leader = (): string | null => rows.members()[0] ?? null;
  const leads = (): boolean => leader() === fleet.name;
  let bot: { readonly local: RunningBot; readonly routed: RoutedBot } | null = null;
  let ports: Readonly<Record<string, Watched[keyof Watched]>> = {};
  const relay = createRelay({
    fleet,
    homes,
    store,
    shows: (surface) => (surface === "" ? null : leader()),
    heard,
    subscribe: (id, listener) => bot?.local.subscribe(id, listener) ?? (() => undefined),
  });

  /** The same members, asked of the host that leads. */
  const led = <Port extends object>(name: string, own: Port, members: readonly (keyof Port & string)[]): Port =>
    Object.fromEntries(
      Object.entries(own).map(([member, does]: [string, unknown]) => [
        member,
        members.some((one) => one === member)
          ? async (...given: readonly unknown[]): Promise<unknown> => {
              const host = leader();
              if (host === null || host === fleet.name) return Reflect.apply(does as () => unknown, own, given);
              const told = await fleet.ask(host, callOf(name, member, given));
              return told.kind === "told" ? decoded(told.answer) : AWAY;
            }
          : does,
      ]),
    ) as Port;

  return {
    leads,
    mine: { isMine: homes.isMine, take: (id) => homes.take(id, fleet.name) },
    route: (local) => {
      const routed = createRoutedBot(local, {
        homes,
        fleet,
        relay,
        store,
        ...(deps.forgetVotes === undefined ? {} : { forgetVotes: deps.forgetVotes }),
        spreads: (surface) => surface !== "console" && surface !== "gateway",
        clock,
        boot: deps.id,
      });
      bot = { local, routed };
      return routed;
    },
    happened: (id, change) => relay.happened(id, ledger.thread(id)?.thread.surface ?? "", change),
    watches: (own) => {
      ports = { watcher: own.watcher, watches: own.book };
      return {
        watcher: led("watcher", own.watcher, ["take"]),
        book: led("watches", own.book, ["add", "change", "remove", "readSchedule"]),
      };
    },
    start: async ({ lead, changed }) => {
      if (bot === null) throw new Error("there is no bot yet");
      const { local, routed } = bot;
      const deeds = { fleet, rows, homes, relay, store, bot: routed, local, ports, changed, log };
      await startMembership({ ...deeds, lead });
    },
  };
};

const AWAY = { kind: "failed", code: "io", message: "The host that does this does not answer. Try again in a moment." };
