/**
 * One host among several: answers requests of other hosts, takes over conversations of hosts that left, and leads if it is the
 * longest member.
 */

import * as z from "zod";
import type { ConversationId } from "../../../machine/id.ts";
import type { ReplicatedRow } from "../../../ports/membership.ts";
import type { Fleet, FleetRows } from "../ports/fleet.ts";
import type { NewsBatch } from "../ports/others.ts";
import type { Log } from "../../../ports/host.ts";
import type { LocalBot } from "../../../ports/ownership.ts";
import type { Store } from "../../../ports/store.ts";
import type { Calls } from "./calls.ts";
import type { Homes } from "./ownership.ts";
import type { Relay } from "./relay.ts";
import type { RoutedBot } from "./routed-bot.ts";

interface MembershipDeps {
  readonly fleet: Fleet;
  readonly rows: Pick<FleetRows, "members" | "ownerOf">;
  readonly homes: Homes;
  readonly relay: Relay;
  readonly store: Pick<Store, "unsettled" | "openClaims">;
  readonly bot: RoutedBot;
  /** Bot of this host alone. */
  readonly local: LocalBot;
  readonly calls: Pick<Calls, "carryOut">;
  /** Called with rows that other hosts have written outside of conversations. */
  readonly changed: (changed: readonly ReplicatedRow[]) => void;
  /** Called once, when this host becomes the leader. */
  readonly lead: () => Promise<unknown>;
  readonly log: Log;
}

const errand = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("look"), id: z.string() }),
  z.object({ kind: z.literal("give"), id: z.string(), to: z.string(), stops: z.boolean() }),
  z.object({ kind: z.literal("news"), news: z.custom<NewsBatch>((news) => Array.isArray(news)) }),
  z.object({ kind: z.literal("follow"), id: z.string(), by: z.string(), on: z.boolean() }),
]);

/** Resolves when this host has processed the first list of members. */
export const startMembership = async (deps: MembershipDeps): Promise<void> => {
  const { fleet, rows, homes, relay, store, bot, local, log } = deps;
  let leader: string | null = null;

  const answer = async (asked: unknown): Promise<unknown> => {
    const called = deps.calls.carryOut(asked);
    if (called !== null) return called;
    const read = errand.safeParse(asked);
    if (!read.success) return UNKNOWN;
    const one = read.data;
    switch (one.kind) {
      case "look": {
        const detail = await local.read(conversation(one.id));
        return detail === null ? null : { status: detail.status, live: detail.live };
      }
      case "give":
        return (await bot.give(conversation(one.id), one.to, one.stops)) ?? { kind: "done" };
      case "news":
        relay.take(one.news);
        return null;
      case "follow":
        relay.followedBy(conversation(one.id), one.by, one.on);
        return null;
    }
  };

  const inherit = async (): Promise<void> => {
    const ids = [...store.unsettled(), ...store.openClaims().map((claim) => claim.conversation)];
    if (!(await homes.inherit(ids))) return;
    log.info("cluster: conversations of another host taken over");
    await local.recover();
  };

  /** Reports the unfinished conversations of this host to a new leader, which has not seen them yet. */
  const show = async (): Promise<void> => {
    for (const id of store.unsettled().filter(homes.isMine)) {
      const detail = await local.read(id);
      if (detail === null) continue;
      const { status, question, ...overview } = detail;
      relay.happened(id, { kind: "state", overview, status, question });
    }
  };

  const looked = async (): Promise<void> => {
    const members = rows.members();
    relay.joined(members);
    const [first = null] = members;
    const isNew = first !== leader;
    leader = first;
    if (isNew) await Promise.all([inherit(), first === fleet.name ? deps.lead() : show()]);
    else await inherit();
  };

  fleet.serve((asked) =>
    answer(asked).catch((error: unknown) => {
      log.error("cluster: request of another host failed", { why: String(error) });
      return UNKNOWN;
    }),
  );
  fleet.heard((changed) => {
    const moved = changed.flatMap(({ table, key: [home] }) => (table === "homes" ? [String(home)] : []));
    if (moved.length > 0) {
      relay.moved(new Set(moved));
      // Continues the work in conversations that this host received.
      if (moved.some((home) => rows.ownerOf(home) === fleet.name)) void local.recover();
    }
    deps.changed(changed);
  });
  await new Promise<void>((resolve) => {
    fleet.joined(() => void looked().finally(resolve));
  });
};

const UNKNOWN = { kind: "failed", code: "io", message: "The host that was asked cannot do this." };

const isConversation = (id: string): id is ConversationId => id.startsWith("c-");
const conversation = (id: string): ConversationId => z.string().refine(isConversation).parse(id);
