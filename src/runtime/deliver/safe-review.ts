/** What those read who look at answers, masked; where the renderer throws they are told that there is one. */

import type { HeldAnswer, ReviewRenderer } from "../../ports/review.ts";
import type { Content } from "../../ports/surface.ts";
import { CHOICE_LABELS } from "../../thread/wording.ts";
import type { Say } from "../../i18n/say.ts";
import { maskingReview } from "./masked.ts";
import type { Fault } from "./safe-renderer.ts";

export const createSafeReview = (renderer: ReviewRenderer, fault: Fault, say: Say): ReviewRenderer => {
  const masked = maskingReview(renderer);
  return {
    review: (held, limits) => {
      try {
        return masked.review(held, limits);
      } catch (error) {
        if ("post" in held.shown) fault(held.shown.scene, error);
        return [unshown(held, say)];
      }
    },
  };
};

/** Whoever looks at answers reads this one where its operator does. */
const unshown = ({ wire: value, shown }: HeldAnswer, say: Say): Content => ({
  tone: "question",
  text: say("An answer waits that cannot be shown here. The console shows it."),
  buttons: "post" in shown ? [{ action: "discard", label: say(CHOICE_LABELS.discard), value }] : [],
});
