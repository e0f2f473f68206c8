/** Writes that are final once the database that hosts share has them: in a thread, as those to the file alone are. */

import type { ReplicatedRow, SharedWriting } from "../../../ports/membership.ts";
import type { PushContext } from "./fenced-batch.ts";

interface Hears extends Pick<SharedWriting, "begun"> {
  /** The replica took what others wrote and somebody hears of; and how far it is, now and then. */
  brought(seq: number, changed: readonly ReplicatedRow[]): void;
  /** Nothing can be written any more. */
  lose(why: string): void;
}

/**
 * Milliseconds. Each group is a transaction here and one in the database, of which every host hears: where others write much, few
 * large ones cost much less than many small ones.
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
