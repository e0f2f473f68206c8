/**
 * The one message that shows progress (T3, D22): what it should show now, under which key, and from when on.
 * The newest replaces what waits; a new one stands below whatever was sent since.
 */

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
  /** Of the timer that holds this thread in memory for as long as a message may show progress. */
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
    /** The turn is worked on long enough for a message to say so. */
    isDue: () => isDue,
    /** Not before `patience` has passed. */
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
    /** What it should show; null: nothing yet. */
    rendered: (progress: Progress | null): WantedMessage | null => {
      if (progress === null || !isDue || isFresh()) return shown;
      isNewer = false;
      const safe = mask(progress);
      const content = renderer.progress(safe, limits);
      const piece = { key: keyNow(), content, final: false };
      shown = { piece, post: STATUS_POST, hash: pieceHashOf(content), progress: safe };
      return shown;
    },
    /** The same as far as it is rendered: what is newer counts as different. */
    glimpsed: (progress: Progress | null): WantedMessage | null => {
      if (progress === null || !isDue || isFresh()) return shown;
      return {
        piece: { key: keyNow(), content: UNSEEN, final: false },
        post: STATUS_POST,
        hash: "",
        progress,
      };
    },
    /** How much slower than an answer it is changed. */
    slowness: (): number => (clock.now() - since < SOON ? 1 : SLOWER),
    /** Of the message that shows progress now; "" where none does. */
    key: () => key,
    renew,
    /** The same, later: the one of `key` takes no more after `lasts`. */
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

/** Whoever reads along does so for a minute. */
const SOON: Millis = 60_000;
const SLOWER = 4;

/** Stands for progress that is not rendered yet. */
const UNSEEN: Content = { tone: "status", text: "", buttons: [] };
