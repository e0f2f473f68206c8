/** A new progress message is posted below every other message (T3, D22). */

import type { Millis } from "../../machine/id.ts";
import type { Clock, RandomId } from "../../ports/host.ts";
import { type Content, type Limits, type Progress, type Renderer, STATUS_POST } from "../../ports/surface.ts";
import { createProgressMask } from "./masked.ts";
import { pieceHashOf } from "./pieces.ts";
import type { WantedMessage } from "./plan.ts";

export const createWorkingCard = (
  deps: {
    readonly renderer: Pick<Renderer, "progress">;
    readonly limits: Limits;
    readonly clock: Clock;
    readonly randomId: RandomId;
    readonly mayShow: () => boolean;
  },
  wake: () => void,
) => {
  const { renderer, limits, clock, mayShow } = deps;
  const mask = createProgressMask();
  let shown: WantedMessage | null = null;
  let isNewer = false;
  let key = "";
  let isDue = false;
  let since: Millis = 0;
  let cancelPatience: (() => void) | null = null;
  /** Cancels the timer after which the platform accepts no more edits. The timer also keeps this thread in memory. */
  let cancelRenewal: (() => void) | null = null;

  const isFresh = (): boolean => shown !== null && (!isNewer || !mayShow());

  const keyNow = (): string => {
    if (key === "") key = `${STATUS_POST}/${deps.randomId()}#0`;
    return key;
  };

  const heard = (): void => {
    isNewer = true;
  };

  const renew = (): void => {
    cancelRenewal?.();
    key = "";
    shown = null;
  };

  return {
    isDue: () => isDue,
    /** No progress message is due before `patience` has passed. */
    waitFor: (patience: Millis) => {
      cancelPatience?.();
      isDue = patience === 0;
      since = clock.now();
      if (isDue) return;
      cancelPatience = clock.after(patience, () => {
        isDue = true;
        since = clock.now();
        heard();
        wake();
      });
    },
    heard,
    /** Null if no progress message is due. */
    rendered: (progress: Progress | null): WantedMessage | null => {
      if (progress === null || !isDue || isFresh()) return shown;
      isNewer = false;
      const safe = mask(progress);
      const content = renderer.progress(safe, limits);
      const piece = { key: keyNow(), content, final: false };
      shown = { piece, post: STATUS_POST, hash: pieceHashOf(content), progress: safe };
      return shown;
    },
    /** Like `rendered`, without rendering: newer progress counts as changed content. */
    glimpsed: (progress: Progress | null): WantedMessage | null => {
      if (progress === null || !isDue || isFresh()) return shown;
      return {
        piece: { key: keyNow(), content: UNSEEN, final: false },
        post: STATUS_POST,
        hash: "",
        progress,
      };
    },
    /** Minimum time between two edits. */
    interval: (): Millis => (clock.now() - since < SOON ? EVERY : LATER),
    /** Empty if there is no progress message. */
    key: () => key,
    renew,
    /** Replaces the message with key `of` after `lasts`, when the platform accepts no more edits. */
    renewAfter: (of: string, lasts: Millis) => {
      if (of !== key) return;
      cancelRenewal?.();
      cancelRenewal = clock.after(lasts, () => {
        renew();
        heard();
        wake();
      });
    },
    end: () => {
      renew();
      cancelPatience?.();
      isDue = false;
    },
  };
};

/** Readers watch closely during the first minute. */
const SOON: Millis = 60_000;
const EVERY: Millis = 1_750;
const LATER: Millis = 7_000;

const UNSEEN: Content = { tone: "status", text: "", buttons: [] };
