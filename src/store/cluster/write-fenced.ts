/** Writes that are final once the database that hosts share has them: in a thread, as those to the file alone are. */

import type { Changed } from "../../ports/cluster/fleet.ts";
import { inThread, type StartWriter } from "../write/writer.ts";
import type { Pushing, Said } from "./fenced-batch.ts";

interface Hears {
  /** The thread brings the replica up at once when it is asked; `isOpen`: that can still be read. */
  begun(look: (seq: number) => void, isOpen: () => boolean): void;
  /** The replica took what others wrote and somebody hears of; and how far it is, now and then. */
  brought(seq: number, changed: readonly Changed[]): void;
  /** Nothing can be written any more. */
  lose(why: string): void;
}

/**
 * Milliseconds. Each group is a transaction here and one in the database, of which every host hears: where others write much, few
 * large ones cost much less than many small ones.
 */
const GATHERED = 10;

export const writeFenced = (pushing: Pushing, { begun, brought, lose }: Hears): StartWriter => {
  let isShared = false;
  const hear = (said: Said): void => {
    if ("why" in said) return lose(said.why);
    isShared = said.isShared ?? isShared;
    brought(said.seq, said.changed);
  };
  const start: StartWriter = (name, db) => {
    const writer = inThread(name, db, pushing, hear);
    begun(writer.look, () => db.open);
    return { ...writer, gathers: () => (isShared ? GATHERED : 0) };
  };
  return Object.assign(start, { isFenced: true as const });
};
