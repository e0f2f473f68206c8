/** Checks pushes at the moment of the push. Without the rows of an open host, no pull request is looked after. */

import type { Clock } from "../../../ports/host.ts";
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
      const pull = deps?.rows.of(conversation) ?? null;
      if (deps === null || pull === null) return ADMITTED;
      const made = deps.rows.pushes(pull.id);
      const own = made.findLast((one) => one.fingerprint === fingerprint) ?? null;
      // A person decided about this push. Its commit must not look like a foreign push.
      const isPersons = own === null || (own.standing === "void" && pull.ended === null);
      if (isPersons && pull.ended !== null) return ADMITTED;
      // The push has arrived before.
      if (push.to === pull.head) return ADMITTED;
      if (!isPersons) {
        const facts = { now: deps.clock.now(), spent: deps.spent(pull) };
        const verdict = holdVerdict(pull, made, own, push, facts);
        if (verdict.kind === "ask") return { kind: "void", why: VOID };
      }
      const done = await deps.rows.expect(pull, push.to, isPersons ? null : own.no);
      return done.kind === "failed" ? { kind: "failed", why: done.message } : ADMITTED;
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

const VOID =
  "Nothing was pushed: the click on Look after this pull request does not cover this push any more. Say so, and let people decide.";
