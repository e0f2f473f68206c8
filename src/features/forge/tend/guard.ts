/** Checks pushes at the moment of the push. Without the rows of an open host, no pull request is looked after. */

import type { Clock, Done } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";
import type { PushAdmission, PushGuard } from "../ports/push-guard.ts";
import type { ForgeRight } from "./forge-right.ts";
import { holdVerdict, type TendedPull } from "./bounds.ts";
import type { TendRows } from "./rows.ts";

interface TendGuardDeps {
  readonly rows: TendRows;
  readonly clock: Pick<Clock, "now">;
  readonly spent: (pull: TendedPull) => MicroUsd;
  readonly forgeRight: (pull: TendedPull, signal: AbortSignal) => Promise<ForgeRight>;
  /** Called after a push, and after the end of the click. */
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
    admit: async (conversation, { fingerprint, by, desk, signal, ...push }) => {
      if (deps === null) return ADMITTED;
      const { rows, clock } = deps;
      const found = rows.pushOf(conversation, fingerprint);
      const decided = found === null ? null : rows.find(found.tended);
      if (found === null || decided?.by !== by) {
        // A person decided about this push. The commit must not look like a foreign push.
        if (found !== null) await rows.drop(found.tended, found.no);
        const pull = rows.of(conversation);
        return pull === null || pull.ended !== null
          ? ADMITTED
          : admission(await rows.expect(pull, push.to, null));
      }
      // The push has arrived before, and the pull request may be merged meanwhile.
      const isAgain = push.to === decided.head;
      const facts = { now: clock.now(), spent: deps.spent(decided) };
      const verdict = isAgain ? null : holdVerdict(decided, rows.pushes(decided.id), found, push, facts);
      const right: ForgeRight =
        isAgain || verdict?.kind === "ask" ? { kind: "held" } : await deps.forgeRight(decided, signal);
      if (right.kind === "unread") return { kind: "failed", why: UNREAD_RIGHT };
      if (right.kind === "lost") {
        const ended = await rows.end(decided.id, right.why);
        if (ended.kind === "failed") return { kind: "failed", why: ended.message };
        deps.wake();
      } else if (verdict?.kind !== "ask") {
        const read = await (isAgain
          ? desk.lastPullOf(push.branch, signal)
          : desk.pullOf(push.branch, signal));
        if (read.kind === "trouble") return { kind: "failed", why: read.why };
        if (read.value !== null && read.value.name === decided.name) {
          const admitted: PushAdmission = { kind: "admitted", pull: read.value };
          return isAgain ? admitted : admission(await rows.expect(decided, push.to, found.no), admitted);
        }
      }
      // A later click of a person about the same content is not voided again.
      await rows.drop(decided.id, found.no);
      return VOID;
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

const UNREAD_RIGHT =
  "Nothing was pushed: the forge did not say whether the approver may still push. Say so, and propose the change again later.";

const admission = (done: Done, admitted = ADMITTED): PushAdmission =>
  done.kind === "failed" ? { kind: "failed", why: done.message } : admitted;
