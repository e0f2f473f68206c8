/** Checks pushes at the moment of the push. Without the rows of an open host, no pull request is looked after. */

import type { Clock, Done } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";
import type { PushAdmission, PushGuard } from "../ports/push-guard.ts";
import { holdVerdict, type TendedPull } from "./bounds.ts";
import type { TendRows } from "./rows.ts";

interface TendGuardDeps {
  readonly rows: TendRows;
  readonly clock: Pick<Clock, "now">;
  readonly spent: (pull: TendedPull) => MicroUsd;
  /** Called after a push. */
  readonly wake: () => void;
}

export interface LateTendGuard extends PushGuard {
  /** Called once the rows can be read. */
  opened(deps: TendGuardDeps): void;
}

export const createTendGuard = (): LateTendGuard => {
  let deps: TendGuardDeps | null = null;
  return {
    opened: (given) => {
      deps = given;
    },
    admit: async (conversation, { fingerprint, ...push }) => {
      if (deps === null) return ADMITTED;
      const { rows, clock } = deps;
      const own = rows.pushOf(conversation, fingerprint);
      const pull = own === null ? rows.of(conversation) : rows.find(own.tended);
      // A person decided about this push. The commit must not look like a foreign push.
      if (own === null)
        return pull === null || pull.ended !== null
          ? ADMITTED
          : admission(await rows.expect(pull, push.to, null));
      if (pull === null) return VOID;
      // The push has arrived before.
      if (push.to === pull.head) return ADMITTED;
      const facts = { now: clock.now(), spent: deps.spent(pull) };
      const verdict = holdVerdict(pull, rows.pushes(pull.id), own, push, facts);
      return verdict.kind === "ask" ? VOID : admission(await rows.expect(pull, push.to, own.no));
    },
    landed: async (conversation, { to }) => {
      const pull = deps?.rows.of(conversation) ?? null;
      if (deps === null || pull === null || (pull.ended !== null && pull.expected !== to)) return;
      await deps.rows.landed(pull.id, to);
      deps.wake();
    },
  };
};

const ADMITTED: PushAdmission = { kind: "admitted" };

const VOID: PushAdmission = {
  kind: "void",
  why: "Nothing was pushed: the click on Look after this pull request does not cover this push any more. Say so, and let people decide.",
};

const admission = (done: Done): PushAdmission =>
  done.kind === "failed" ? { kind: "failed", why: done.message } : ADMITTED;
