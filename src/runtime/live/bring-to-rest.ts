/** Work that is to end before something is done with the conversation as a whole. */

import type { PersonId } from "../../machine/id.ts";
import { isTurnOver, type State } from "../../machine/state.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Live } from "./conversation.ts";
import { askConversation } from "./mailbox.ts";

/** Nothing runs, nothing is asked, and nothing will by itself. */
export const isAtRest = ({ phase, background }: State): boolean => !background && isTurnOver(phase);

/** Settles when that is so. */
export const until = (live: Live, isSo: (state: State) => boolean): Promise<void> => {
  if (isSo(live.state())) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = live.subscribe(({ kind }) => {
      if (kind !== "state" || !isSo(live.state())) return;
      unsubscribe();
      resolve();
    });
  });
};

/** Stops what it does; settles when that has ended, which a stop bounds. The failure where the disk refuses. */
export const stopAndSettle = async (live: Live, by: PersonId): Promise<WriteFailure | null> => {
  await live.drained();
  if (isAtRest(live.state())) return null;
  const rested = until(live, isAtRest);
  const stopped = await askConversation(live, { kind: "stopped", by, then: null }, by);
  if (stopped.kind === "failed") return stopped;
  await rested;
  return null;
};
