/** Two renames replace an old checkout. If the process ends between them, the next process restores the old checkout. */

import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import { unlinkIfLink } from "../disk/staging.ts";
import { workOf } from "../checkout/policy.ts";
import { isThere, syncDirectory, writeDurably } from "../disk/durable.ts";
import { isPlainId, type Layout } from "../disk/layout.ts";
import { namesIn } from "../mirror/pins.ts";

export const SWAP = "apply";
const WHOSE = "whose";
const OLD = "old";

/** `made` is a directory in `aside`, which is later removed together with the old checkout. */
export const swapIn = async (
  layout: Layout,
  id: ConversationId,
  { aside, made }: { readonly aside: string; readonly made: string },
): Promise<void> => {
  const own = workOf(layout.thread(id));
  await mkdir(dirname(own), { recursive: true });
  await writeDurably(join(aside, WHOSE), id);
  await unlinkIfLink(own);
  if (await isThere(own)) await rename(own, join(aside, OLD));
  await rename(made, own);
  await syncDirectory(dirname(own));
};

export const undoSwaps = async (layout: Layout): Promise<void> => {
  for (const name of await namesIn(layout.staging)) {
    if (!name.startsWith(`${SWAP}-`)) continue;
    const aside = join(layout.staging, name);
    const id = await readFile(join(aside, WHOSE), "utf8").catch(() => "");
    if (!isPlainId(id)) continue;
    const own = workOf(layout.thread(id));
    if ((await isThere(own)) || !(await isThere(join(aside, OLD)))) continue;
    await rename(join(aside, OLD), own);
  }
};
