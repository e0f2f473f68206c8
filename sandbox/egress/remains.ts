/** The proxy's directories of hosts that were killed: a socket at which nobody listens any more is nobody's. */

import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

/** How the names of these directories begin. */
export const PLACE = "parley-egress-";

/** A host makes its socket at once after the directory; one that has none for longer died in between. */
const WITHOUT_SOCKET_MS = 60_000;

/** Removes those in `folder` that are this user's own and dead. Never what a living host holds. Never rejects. */
export const removeDead = async (folder: string, socket: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PLACE)))
    await removeOne(join(folder, name), socket).catch(() => undefined); // somebody else was faster
};

const removeOne = async (directory: string, socket: string): Promise<void> => {
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== process.geteuid?.()) return;
  const answer = await knock(join(directory, socket));
  if (answer === "ENOENT" && Date.now() - found.ctimeMs < WITHOUT_SOCKET_MS) return;
  if (answer === "ECONNREFUSED") await unlink(join(directory, socket));
  if (answer === "ECONNREFUSED" || answer === "ENOENT") await rmdir(directory);
};

/** The code of the error, or null when somebody listens. */
const knock = (path: string): Promise<string | null> =>
  new Promise((resolve) => {
    const client = connect({ path });
    client.once("connect", () => {
      client.destroy();
      resolve(null);
    });
    client.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
  });
