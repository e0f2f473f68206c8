/** Writes that are final once the database that hosts share has them: in a thread, as those to the file alone are. */

import { getCompileCacheDir } from "node:module";
import { inThread, type StartWriter } from "../write/writer.ts";
import type { FencedData } from "./fenced-thread.ts";
import type { FleetSettings } from "./link.ts";
import type { Standing } from "./push.ts";

/** What the writer of the active host needs. */
export interface PushFrom {
  readonly settings: FleetSettings;
  readonly standing: Standing;
  /** Told when nothing can be written any more. */
  lose(why: string): void;
}

export const writeFenced = ({ settings, standing, lose }: PushFrom): StartWriter => {
  const start: StartWriter = (name, db) => {
    const data: FencedData = { name, cached: getCompileCacheDir() !== undefined, settings, standing };
    return inThread(db, new URL("./fenced-thread.ts", import.meta.url), data, ({ why }) => lose(why));
  };
  return Object.assign(start, { isFenced: true as const });
};
