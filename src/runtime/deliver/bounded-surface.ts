/**
 * A surface whose every call ends: one that has no answer for two minutes, whatever its adapter promised, counts as one
 * of which nobody knows the outcome. Else a thread, or a person who is owed a reply, would wait for it for ever, and eight threads would hold the connection.
 */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Surface, Trouble } from "../../ports/surface.ts";

/** Behind every adapter's own time-outs. */
const LONGEST_CALL: Millis = 120_000;

export const boundSurface = (surface: Surface, clock: Pick<Clock, "after">): Surface => {
  const atMost = async <T>(call: Promise<T>): Promise<T | Trouble> => {
    const { promise: late, resolve } = Promise.withResolvers<Trouble>();
    const cancel = clock.after(LONGEST_CALL, () => resolve(UNANSWERED));
    try {
      return await Promise.race([call, late]);
    } finally {
      cancel();
    }
  };
  return {
    get limits() {
      return surface.limits;
    },
    answer: (...given) => atMost(surface.answer(...given)),
    open: (thread) => atMost(surface.open(thread)),
    hint: (...given) => atMost(surface.hint(...given)),
    apply: (operation) => atMost(surface.apply(operation)),
    observe: (...given) => atMost(surface.observe(...given)),
  };
};

const UNANSWERED: Trouble = { kind: "unknown", why: "no answer came for two minutes" };
