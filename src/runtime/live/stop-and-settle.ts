import type { PersonId } from "../../machine/id.ts";
import { isTurnOver, type State } from "../../machine/state.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Live } from "./conversation.ts";
import { askConversation } from "./mailbox.ts";

/** Whether nothing runs, no question waits, and nothing will start by itself. */
export const isAtRest = ({ phase, background }: State): boolean => !background && isTurnOver(phase);

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

/** Resolves when the stopped work has ended. Returns the failure if the disk refuses the stop. */
export const stopAndSettle = async (live: Live, by: PersonId): Promise<WriteFailure | null> => {
  await live.drained();
  if (isAtRest(live.state())) return null;
  const rested = until(live, isAtRest);
  const stopped = await askConversation(live, { kind: "stopped", by, then: null }, by);
  if (stopped.kind === "failed") return stopped;
  await rested;
  return null;
};
