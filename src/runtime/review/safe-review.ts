/** What those read who look at answers, masked; where the renderer throws they are told that there is one. */

import type { HeldAnswer, ReviewRenderer } from "../../ports/answers/review.ts";
import type { Content } from "../../ports/surface.ts";
import { CHOICE_LABELS } from "../../thread/wording.ts";
import { maskingReview } from "../deliver/masked.ts";
import type { Fault } from "../deliver/safe-renderer.ts";

export const createSafeReview = (renderer: ReviewRenderer, fault: Fault): ReviewRenderer => {
  const masked = maskingReview(renderer);
  return {
    review: (held, limits) => {
      try {
        return masked.review(held, limits);
      } catch (error) {
        if ("post" in held.shown) fault(held.shown.scene, error);
        return [unshown(held)];
      }
    },
  };
};

/** Whoever looks at answers reads this one where its operator does. */
const unshown = ({ wire: value, shown }: HeldAnswer): Content => ({
  tone: "question",
  text: "An answer waits that cannot be shown here. The console shows it.",
  buttons: "post" in shown ? [{ action: "discard", label: CHOICE_LABELS.discard, value }] : [],
});
