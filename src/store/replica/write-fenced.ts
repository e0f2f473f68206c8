/** Writes that are final once the database that hosts share has them: in a thread, as those to the file alone are. */

import { getCompileCacheDir } from "node:module";
import type { Changed } from "../../ports/fleet/fleet.ts";
import { inThread, type Said, type StartWriter } from "../write/writer.ts";
import type { FencedData } from "./fenced-batch.ts";
import type { FleetSettings } from "./link.ts";
import type { Standing, Start } from "./push.ts";

/** What the writer of a member needs. */
export interface PushFrom {
  readonly settings: FleetSettings;
  readonly start: Start;
  /** In which it joined. */
  readonly epoch: number;
  /** Of the replica. */
  readonly standing: Standing;
  /** Told when nothing can be written any more. */
  lose(why: string): void;
  /** Told after the replica took what others wrote and somebody hears of, and how far it is now and then. */
  brought(seq: number, changed: readonly Changed[]): void;
  /** Told how the replica is brought up at once, and whether it can still be read. */
  begun(look: (seq: number) => void, isOpen: () => boolean): void;
}

/**
 * Milliseconds. Each group is a transaction here and one in the database, of which every host hears: where others write much, few
 * large ones cost much less than many small ones.
 */
const GATHERED = 10;

export const writeFenced = ({
  settings,
  start: who,
  epoch,
  standing,
  lose,
  brought,
  begun,
}: PushFrom): StartWriter => {
  let isShared = false;
  const hear = (said: Said): void => {
    if ("why" in said) return lose(said.why);
    isShared = said.isShared ?? isShared;
    brought(said.seq, said.changed);
  };
  const start: StartWriter = (name, db) => {
    const cached = getCompileCacheDir() !== undefined;
    const data: FencedData = { name, cached, settings, start: who, epoch, standing };
    const writer = inThread(db, new URL("./fenced-thread.ts", import.meta.url), data, hear);
    begun(writer.look, () => db.open);
    return { ...writer, gathers: () => (isShared ? GATHERED : 0) };
  };
  return Object.assign(start, { isFenced: true as const });
};
