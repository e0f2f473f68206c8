/** Trigger ids: each opens one view, once, within its lifetime. */

import type { FakeClock } from "../../shared/clock.ts";

export interface Triggers {
  /** For a person who has just acted. */
  issue(user: string): string;
  redeem(id: string): Redeemed;
}

export type Redeemed =
  | { readonly kind: "redeemed"; readonly user: string }
  | { readonly kind: "expired_trigger_id" | "exchanged_trigger_id" | "invalid_trigger_id" };

export const createTriggers = (clock: FakeClock, lifetimeMs: number): Triggers => {
  const issued = new Map<string, { readonly user: string; readonly at: number; readonly isUsed: boolean }>();
  return {
    issue: (user) => {
      const id = `${issued.size + 1}.0.trigger`;
      issued.set(id, { user, at: clock.now(), isUsed: false });
      return id;
    },
    redeem: (id) => {
      const trigger = issued.get(id);
      if (trigger === undefined) {
        return { kind: "invalid_trigger_id" };
      }
      if (trigger.isUsed) {
        return { kind: "exchanged_trigger_id" };
      }
      if (clock.now() - trigger.at > lifetimeMs) {
        return { kind: "expired_trigger_id" };
      }
      issued.set(id, { ...trigger, isUsed: true });
      return { kind: "redeemed", user: trigger.user };
    },
  };
};
