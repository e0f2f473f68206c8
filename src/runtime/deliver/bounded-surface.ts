/** A call that never ends would block its thread, and eight such threads would block the connection. */

import type { Millis } from "../../machine/id.ts";
import { atMost, type Clock } from "../../ports/host.ts";
import type { Surface, SendFailure } from "../../ports/surface.ts";

/** Longer than the time-outs of all adapters. */
const LONGEST_CALL: Millis = 120_000;

export const boundSurface = (surface: Surface, clock: Pick<Clock, "after">): Surface => {
  const bounded = async <T>(call: Promise<T>): Promise<T | SendFailure> =>
    (await atMost(clock, LONGEST_CALL, call)) ?? UNANSWERED;
  return {
    get limits() {
      return surface.limits;
    },
    answer: (...given) => bounded(surface.answer(...given)),
    open: (thread) => bounded(surface.open(thread)),
    hint: (...given) => bounded(surface.hint(...given)),
    apply: (operation) => bounded(surface.apply(operation)),
    observe: (...given) => bounded(surface.observe(...given)),
  };
};

const UNANSWERED: SendFailure = { kind: "unknown", why: "no answer came for two minutes" };
