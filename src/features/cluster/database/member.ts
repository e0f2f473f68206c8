/** Membership of a host among the hosts that write, from start to end. */

import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Fleet, FleetRows } from "../ports/fleet.ts";
import type { WriteFailure } from "../../../ports/host.ts";
import type { ReplicatedRow } from "../../../ports/membership.ts";
import { createHostRequests } from "./host-requests.ts";
import type { PushContext } from "./fenced-batch.ts";
import { type Host, joinDatabase } from "./join.ts";
import { createLink, type DatabaseDone } from "./link.ts";
import { createHostEviction, PRUNE, reconcile } from "./host-eviction.ts";
import { keepMembership, type Members } from "./membership.ts";
import { seqRow } from "./push.ts";
import { createReplicaProgress } from "./replica-progress.ts";
import { createWakeSignal } from "./wake-signal.ts";
import { writeFenced } from "./write-fenced.ts";

export type Lease = Extract<Awaited<ReturnType<typeof enter>>, { readonly kind: "lease" }>;

/** Renewals between two deletions of tombstones. */
const PRUNE_AFTER = 60;

/** Null if the signal came first. */
export const enter = async (host: Host, signal: AbortSignal) => {
  const { settings, log } = host;
  const { name } = settings;
  const start = { name, instance: randomUUID() };
  const ring = createWakeSignal();
  signal.addEventListener("abort", ring.ring, { once: true });
  let collect: (() => void) | null = null;
  const session = createLink(settings, {
    channel: "parley_hosts",
    notified: (to) => {
      if (to === "") ring.ring();
      if (to === name) collect?.();
    },
    lost: () => {
      lookAfter.lostSight();
      ring.ring();
    },
  });
  const lookAfter = createHostEviction(session, start);
  const entered = await joinDatabase(host, { session, start, lookAfter, ring }, signal);
  if (entered?.kind !== "entered") {
    await session.close();
    return entered;
  }

  const { standing, epoch, asked } = entered;
  let writer: { readonly look: (seq: number) => void; readonly isOpen: () => boolean } | null = null;
  const isOpen = (): boolean => writer?.isOpen() === true;
  const reached = createReplicaProgress(standing.seq, (seq) => writer?.look(seq));
  const errands = createHostRequests(session, start, reached.reach);
  collect = () => void errands.collect();
  const heard: ((changed: readonly ReplicatedRow[]) => void)[] = [];
  const joined: (() => void)[] = [];
  let rows: FleetRows | null = null;
  let renewals = 0;

  const tellJoined = (): void => {
    if (isOpen()) for (const hear of joined) hear();
  };
  const watch = () => {
    const leave = rows === null || !isOpen() ? null : reconcile(rows);
    return async (members: Members | null): Promise<boolean> => {
      if (members === null) {
        lookAfter.lostSight();
        return false;
      }
      errands.left(members);
      await errands.collect();
      if (members[0]?.instance === start.instance && renewals++ % PRUNE_AFTER === 0) await session.ask(PRUNE);
      // Not awaited: the lease must be renewed even if this write takes long.
      void leave?.(members).then((hasLeft) => (hasLeft ? tellJoined() : undefined));
      return lookAfter.look(members);
    };
  };

  const { lose, ...membership } = keepMembership(session, {
    start,
    asked,
    ring,
    seq: reached.seq,
    watch,
    say: (why) => log.error("cluster: membership lost", { why }),
  });
  const push: PushContext = { settings, start, epoch, standing };
  const fleet: Fleet = {
    name,
    ask: errands.ask,
    caughtUp: async () => {
      const answer = await session.ask("SELECT seq FROM parley.lease");
      const [row] = answer.kind === "rows" ? z.array(seqRow).parse(answer.rows) : [];
      if (row !== undefined) await reached.reach(row.seq);
    },
    serve: errands.serve,
    heard: (listener) => void heard.push(listener),
    joined: (listener) => {
      joined.push(listener);
      listener();
    },
  };
  return {
    kind: "lease" as const,
    /** Id of the database. */
    id: host.id,
    ...membership,
    /** Epoch in which the host joined. */
    epoch,
    push,
    writing: writeFenced(push, {
      lose,
      begun: (look, readable) => {
        writer = { look, isOpen: readable };
      },
      brought: (seq, changed) => {
        const isFurther = seq > reached.seq();
        reached.at(seq);
        if (!isOpen() || (!isFurther && changed.length === 0)) return;
        for (const hear of heard) hear(changed);
        if (changed.some(({ table }) => table === "members")) tellJoined();
      },
    }),
    /** Adds this host to the rows once the store is open. When the promise resolves, the replica contains every earlier row. */
    settle: async (opened: FleetRows): Promise<DatabaseDone | WriteFailure> => {
      const done = await opened.join(name, start.instance);
      if (done.kind !== "done") return done;
      rows = opened;
      tellJoined();
      return done;
    },
    fleet,
    release: async (): Promise<void> => {
      await membership.release();
      await session.close();
    },
  };
};
