/** Displays steps as a `plan` block, which some workspaces refuse. After a refusal, messages omit steps. */

import { webApi } from "@slack/bolt";
import type { Content, SendOutcome } from "../../../src/ports/surface.ts";

/** Makes a call with content. If Slack refuses steps, the call is repeated without steps. */
export type WithPlans = (
  content: Content,
  call: (content: Content) => Promise<SendOutcome>,
) => Promise<SendOutcome>;

export const createPlans = (): WithPlans => {
  let isRefused = false;
  return async (content, call) => {
    const without = withoutSteps(content);
    if (isRefused || without === content) return call(without);
    const outcome = await call(content).catch((error: unknown) => {
      if (refusesBlocks(error)) return REFUSED;
      throw error;
    });
    if (outcome.kind !== "refused" || !BLOCKS.test(outcome.why)) return outcome;
    const again = await call(without);
    isRefused ||= again.kind === "done";
    return again;
  };
};

const BLOCKS = /^invalid_blocks/;

const REFUSED: SendOutcome = { kind: "refused", why: "invalid_blocks", permanent: true };

const refusesBlocks = (error: unknown): boolean =>
  error instanceof webApi.WebAPIPlatformError && BLOCKS.test(error.data.error);

const withoutSteps = (content: Content): Content => {
  const below = content.below?.filter(({ kind }) => kind !== "steps");
  return below === undefined || below.length === content.below?.length ? content : { ...content, below };
};
