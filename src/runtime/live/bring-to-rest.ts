/** Work that is to end before something is done with the conversation as a whole. */

import type { PersonId } from "../../machine/id.ts";
import { isOver, type State } from "../../machine/state.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Live } from "./conversation.ts";
import { ask } from "./delivery.ts";

/** Nothing runs, nothing is asked, and nothing will by itself. */
export const isAtRest = ({ phase, background }: State): boolean => !background && isOver(phase);

/** Stops what it does; settles when that has ended, which a stop bounds. The failure where the disk refuses. */
export const bringToRest = async (live: Live, by: PersonId): Promise<WriteFailure | null> => {
  await live.drained();
  if (isAtRest(live.state())) return null;
  const rested = new Promise<void>((resolve) => {
    const unsubscribe = live.subscribe(({ kind }) => {
      if (kind !== "state" || !isAtRest(live.state())) return;
      unsubscribe();
      resolve();
    });
  });
  const stopped = await ask(live, { kind: "stopped", by, then: null }, by);
  if (stopped.kind === "failed") return stopped;
  await rested;
  return null;
};
