/** Allows one setup of a folder at a time. An abstract socket ends with its process, so no stale lock remains. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Null if another setup of this folder runs, otherwise a function that releases the lock. */
export const takeSetupLock = async (folder: string): Promise<(() => void) | null> => {
  const server = createServer((socket) => socket.destroy());
  server.listen(`\0parley-setup-${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`);
  try {
    await once(server, "listening");
  } catch {
    return null;
  }
  server.unref();
  return () => void server.close();
};
