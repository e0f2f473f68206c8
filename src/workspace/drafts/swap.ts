/**
 * Puts a new checkout in the place of a conversation's own. There are two renames where one stands there already: a process
 * that ends between them leaves the old one aside, and the next process puts it back before anything begins.
 */

import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import { unlinkIfLink } from "../disk/aside.ts";
import { workOf } from "../checkout/policy.ts";
import { isThere, syncDirectory, writeDurably } from "../disk/durable.ts";
import { isPlainId, type Layout } from "../disk/layout.ts";
import { namesIn } from "../mirror/pins.ts";

/** What such an aside is called, and what is in it. */
export const SWAP = "apply";
const WHOSE = "whose";
const OLD = "old";

/** `made` is a directory in `aside`, which goes with what was there before. */
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

/** Of a process that died. */
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
