/** Pictures and files: of this host, or where all hosts find them. */

import type { Log } from "../ports/host.ts";
import type { Blobs, Objects } from "../ports/store.ts";
import type { Config } from "./settings/config.ts";
import { readShared } from "./settings/shared-directory.ts";

export const openBlobs = async (config: Config, shared: Objects | null, log: Log): Promise<Blobs> => {
  const [{ blobsIn, createBlobs }, { remembering }] = await Promise.all([
    import("../store/tables/blobs.ts"),
    import("../store/objects/remembering.ts"),
  ]);
  if (shared === null) return createBlobs(config.PARLEY_DATA, log);
  const blobs = blobsIn(shared, log);
  return readShared(config).kind === "bucket" ? remembering(blobs) : blobs;
};
