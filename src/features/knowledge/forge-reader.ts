import type { Millis } from "../../machine/id.ts";
import type { KnowledgeSource } from "./sources.ts";
import type { SiteStep } from "./site.ts";

/** Wait after a failed request, and the longest wait that a forge can demand. */
const AGAIN: Millis = 10 * 60_000;
const LONGEST_WAIT: Millis = 24 * 60 * 60_000;

export const createForgeReader =
  (now: () => Millis) =>
  async (
    { what, archive }: Extract<KnowledgeSource, { readonly kind: "forge" }>,
    next: string | null,
    signal: AbortSignal,
  ): Promise<SiteStep> => {
    const asked = await archive.read(what, next, signal);
    if (asked.kind === "trouble") {
      const { why, wait = AGAIN } = asked;
      return { due: now() + Math.min(LONGEST_WAIT, Math.max(1_000, wait)), why };
    }
    const { leaves, next: after, isLast, rest } = asked.value;
    const pause = rest === null ? 0 : Math.max(0, rest - now());
    return {
      leaves,
      next: after,
      due: now() + Math.min(LONGEST_WAIT, pause),
      why: pause > 0 ? SAVING : null,
      ...(isLast ? { ended: now() } : {}),
    };
  };

const SAVING =
  "What is left of the forge's allowance is kept for people; it goes on when there is a new one.";
