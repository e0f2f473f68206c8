/** Copies of the files that messages brought, beside the checkout. Before each command, the folder gets copies of the files that the transcript names. */

import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Mount } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";
import { filesMount } from "../disk/layout.ts";
import { makeStagingDir } from "../disk/staging.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { namesIn } from "../mirror/pins.ts";

export const createAttachedFiles = ({ layout, attached }: Pick<WorkspaceContext, "layout" | "attached">) => {
  const last = new Map<ConversationId, Promise<unknown>>();
  const inTurn = <T>(id: ConversationId, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(id) ?? Promise.resolve()).then(work, work);
    const settled = mine.catch(() => undefined).finally(() => last.get(id) === settled && last.delete(id));
    last.set(id, settled);
    return mine;
  };

  const removeUnnamed = async (id: ConversationId): Promise<ReadonlySet<string>> => {
    const named = new Set(attached.of(id).map(({ name }) => name));
    const present = await namesIn(layout.files(id));
    for (const name of present) if (!named.has(name)) await rm(join(layout.files(id), name), { force: true });
    return new Set(present);
  };

  const bring = async (
    id: ConversationId,
  ): Promise<{ readonly mount: Mount | null; readonly left: number }> => {
    const present = await removeUnnamed(id);
    const files = attached.of(id);
    const missing = files.filter(({ name }) => !present.has(name));
    if (files.length === 0) return { mount: null, left: 0 };
    let left = 0;
    await mkdir(layout.files(id), { recursive: true });
    if (missing.length > 0) {
      await chmod(layout.files(id), 0o755);
      await using aside = await makeStagingDir(layout, "files");
      for (const { name, hash } of missing) {
        const bytes = await attached.get(hash);
        if (bytes === null) left += 1;
        else {
          await writeFile(join(aside.path, name), bytes, { mode: 0o444 });
          await chmod(join(aside.path, name), 0o444);
          await rename(join(aside.path, name), join(layout.files(id), name));
        }
      }
    }
    return { mount: filesMount(layout, id), left };
  };

  return {
    bring: (id: ConversationId) => inTurn(id, () => bring(id)),
    removeUnnamed: (id: ConversationId): Promise<unknown> => inTurn(id, () => removeUnnamed(id)),
    /** The next command brings the files again. */
    drop: (id: ConversationId): Promise<void> =>
      inTurn(id, () => rm(layout.files(id), { recursive: true, force: true })),
  };
};
