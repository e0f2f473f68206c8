/** Writes that are final once the shared database contains them. They run in a thread, like writes to a single host's file. */

import type { ReplicatedRow, SharedWriting } from "../../../ports/membership.ts";
import type { PushContext } from "./fenced-batch.ts";

interface Hears extends Pick<SharedWriting, "begun"> {
  /** Called with rows of other hosts that have listeners, and occasionally with the position alone. */
  brought(seq: number, changed: readonly ReplicatedRow[]): void;
  /** Called when nothing can be written any more. */
  lose(why: string): void;
}

/**
 * Milliseconds to collect writes for one group. Each group is a transaction in the file and a transaction in the database,
 * which notifies every host. If other hosts write often, a few large groups cost much less than many small groups.
 */
const GATHERED = 10;

export const writeFenced = (pushing: PushContext, { begun, brought, lose }: Hears): SharedWriting => {
  let isShared = false;
  return {
    url: new URL("./fenced-batch.ts", import.meta.url).href,
    data: pushing,
    begun,
    gathers: () => (isShared ? GATHERED : 0),
    hear: (said) => {
      if ("why" in said) return lose(said.why);
      isShared = said.isShared ?? isShared;
      brought(said.seq, said.changed);
    },
  };
};
