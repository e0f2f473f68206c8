/** Counted by timers, so that a clock change has no effect. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Progress } from "../../ports/surface.ts";

/** The requester watches closely for a few minutes, and later checks only now and then. */
const STRIDE: Millis = 20_000;
const LATER: Millis = 120_000;
const LONG_STRIDE: Millis = 60_000;

export const createActivityTimer = (clock: Pick<Clock, "after">, strode: () => void) => {
  let doing = "";
  let last: Progress | null = null;
  let passed: Millis = 0;
  let cancel: (() => void) | null = null;

  const wait = (): void => {
    const stride = passed < LATER ? STRIDE : LONG_STRIDE;
    cancel = clock.after(stride, () => {
      passed += stride;
      wait();
      strode();
    });
  };

  return {
    /** Null if no turn is running. */
    heard: (progress: Progress | null) => {
      if (progress !== null && progress.status === last?.status && progress.doing === last.doing) return;
      last = progress;
      const now = progress === null ? "" : nameOf(progress);
      if (now === doing) return;
      doing = now;
      passed = 0;
      cancel?.();
      if (now !== "") wait();
    },
    /** Sum of the whole strides; 0 before the first stride has passed. */
    passed: () => passed,
  };
};

const nameOf = ({ status: { kind, tool, attempt }, doing }: Progress): string =>
  JSON.stringify([kind, tool, attempt, doing]);
