/** Replays a stored trace through the core and compares every state with its stored hash (L12, D9). */

import { createHash } from "node:crypto";
import type { ConversationId } from "../../machine/id.ts";
import { transition } from "../../machine/transition/transition.ts";
import type { Store } from "../../ports/store.ts";
import { canonical } from "../../text/canonical.ts";

export type Replay =
  | { readonly kind: "identical"; readonly events: number }
  | { readonly kind: "different"; readonly seq: number; readonly what: string }
  | { readonly kind: "unknown" };

export const replay = (store: Pick<Store, "initial" | "trace">, id: ConversationId): Replay => {
  const initial = store.initial(id);
  if (initial === null) return { kind: "unknown" };
  let state = initial;
  let events = 0;
  for (const row of store.trace(id)) {
    const step = transition(state, row.event);
    if (step.kind === "refused") {
      return { kind: "different", seq: row.seq, what: `the event ${row.event.kind} is refused: ${step.why}` };
    }
    if (canonical(step.effects) !== canonical(row.effects)) {
      return { kind: "different", seq: row.seq, what: `the effects of ${row.event.kind} differ` };
    }
    const hash = createHash("sha256").update(canonical(step.state)).digest("hex");
    if (hash !== row.hash) {
      const version = `recorded by core ${row.core}`;
      return {
        kind: "different",
        seq: row.seq,
        what: `the state after ${row.event.kind} differs (${version})`,
      };
    }
    state = step.state;
    events += 1;
  }
  return { kind: "identical", events };
};
