/** One of the hosts that write, from the moment in which it joins them until it leaves or is ended. */

import * as z from "zod";
import type { Changed, Fleet, MemberRows } from "../../ports/fleet/fleet.ts";
import type { WriteFailure } from "../../ports/host.ts";
import { createErrands } from "./errands.ts";
import { type Host, join } from "./join.ts";
import { createLink, type Done, type Refused } from "./link.ts";
import { createLookAfter, PRUNE, reconcile } from "./look-after.ts";
import { keepMembership, type Members, type Membership } from "./membership.ts";
import { seqRow } from "./push.ts";
import { createReached } from "./reached.ts";
import { createRing } from "./ring.ts";
import type { PushFrom } from "./write-fenced.ts";

export interface Lease extends Omit<Membership, "lose"> {
  readonly kind: "lease";
  /** Of the database. */
  readonly id: string;
  /** In which it joined. */
  readonly epoch: number;
  /** For the writer of the store. */
  readonly push: PushFrom;
  /** Once the store is open: the rows say that this host is there, and its replica has everything from before. */
  settle(rows: MemberRows): Promise<Done | WriteFailure>;
  readonly fleet: Fleet;
}

/** Renewals after which deleted rows are forgotten again. */
const PRUNE_AFTER = 60;

/** Null where the signal came first. */
export const enter = async (host: Host, signal: AbortSignal): Promise<Lease | Refused | null> => {
  const { settings, log } = host;
  const { name } = settings;
  let ring = createRing(signal);
  let lostSight: (() => void) | null = null;
  let collect: (() => void) | null = null;
  const session = createLink(settings, {
    channel: "parley_hosts",
    notified: (to) => {
      if (to === "") ring.ring();
      if (to === name) collect?.();
    },
    lost: () => {
      lostSight?.();
      ring.ring();
    },
  });
  const entered = await join(host, session, ring, signal);
  if (entered?.kind !== "entered") {
    await session.close();
    return entered;
  }

  const { start, standing, epoch, asked } = entered;
  const leaving = new AbortController();
  ring = createRing(leaving.signal);
  const reached = createReached(standing.seq);
  const errands = createErrands(session, start, reached.reach);
  const lookAfter = createLookAfter(session, start);
  lostSight = lookAfter.lostSight;
  collect = () => void errands.collect();
  const heard: ((changed: readonly Changed[]) => void)[] = [];
  const joined: (() => void)[] = [];
  let rows: MemberRows | null = null;
  let isOpen: (() => boolean) | null = null;
  let renewals = 0;

  const tellJoined = (): void => {
    if (isOpen?.() === false) return;
    for (const hear of joined) hear();
  };
  const watch = () => {
    const leave = rows === null || isOpen?.() !== true ? null : reconcile(rows);
    return async (members: Members | null): Promise<boolean> => {
      if (members === null) {
        lookAfter.lostSight();
        return false;
      }
      errands.left(members);
      await errands.collect();
      if (members[0]?.instance === start.instance && renewals++ % PRUNE_AFTER === 0) await session.ask(PRUNE);
      // The lease is renewed meanwhile, however long the write takes.
      void leave?.(members).then((hasLeft) => (hasLeft ? tellJoined() : undefined));
      return lookAfter.look(members);
    };
  };

  const membership = keepMembership(session, {
    start,
    asked,
    ring,
    seq: reached.seq,
    watch,
    say: (why) => log.error(`this host stands down: ${why}`),
  });
  const push: PushFrom = {
    settings,
    start,
    epoch,
    standing,
    lose: membership.lose,
    begun: (look, readable) => {
      reached.begun(look);
      isOpen = readable;
    },
    brought: (seq, changed) => {
      const isFurther = seq > reached.seq();
      reached.at(seq);
      if (isOpen?.() === false || (!isFurther && changed.length === 0)) return;
      for (const hear of heard) hear(changed);
      if (changed.some(({ table }) => table === "members")) tellJoined();
    },
  };
  return {
    kind: "lease",
    id: host.id,
    ...membership,
    epoch,
    push,
    settle: async (opened) => {
      const done = await opened.join(name, start.instance);
      if (done.kind !== "done") return done;
      rows = opened;
      tellJoined();
      return done;
    },
    fleet: {
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
    },
    release: async () => {
      leaving.abort();
      await membership.release();
      await session.close();
    },
  };
};
