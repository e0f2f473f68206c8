import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationId } from "../../machine/id.ts";
import type { ConversationFiles } from "../../ports/bot.ts";
import { ownerOf } from "../../ports/conversation.ts";
import { attemptGit, attemptLogged } from "../run/git-trouble.ts";
import { isPlainId, type Layout } from "../disk/layout.ts";
import { bareOf } from "../mirror/generation.ts";
import type { CheckoutParts } from "./parts.ts";
import { draftWithout, fileWithout } from "../../thread/draft.ts";
import { commitOf, readRecord, type Workspace } from "./record.ts";
import { discardTree } from "../disk/staging.ts";
import { readSealed, writeSealed } from "./draft-record.ts";

export const createDiscards = (world: CheckoutParts): ConversationFiles => ({
  discard: async (id) => {
    if (!isPlainId(id)) return;
    const what = "checkout: directory of a removed conversation not deleted";
    await attemptLogged(world.log, what, { conversation: id }, () =>
      world.resting.use(id, () => discard(world, id)),
    );
  },
  erase: async (id, without) => {
    if (!isPlainId(id)) return;
    const what = "draft: erased text not removed from a sealed draft";
    await attemptLogged(world.log, what, { conversation: id }, async () => {
      const sealed = await readSealed(world.layout, id);
      if (sealed === null) return;
      const files = sealed.files.map((file) => fileWithout(file, without));
      await writeSealed(world.layout, id, { ...draftWithout(sealed, without), files });
    });
  },
});

/** Removes the directory last, because it names the other traces: after a crash they can still be found. */
const discard = async (
  { layout, generations, travels, pins, log }: CheckoutParts,
  id: ConversationId,
): Promise<void> => {
  const read = await attemptGit(() => readRecord(layout, id));
  const workspace = read.kind === "done" ? read.value : null;
  if (workspace !== null) {
    await freeSlot(layout, id, workspace);
    const { key, generation } = workspace;
    // A ref that stays keeps a commit of the repository, but no text of the conversation.
    await attemptGit(() => generations.release(bareOf(layout, workspace), id));
    await rm(join(layout.pins(key, generation), id), { force: true });
  }
  await travels?.remove(id);
  await discardTree(layout, layout.thread(id), "removed");
  if (workspace === null) return;
  const { key, generation } = workspace;
  await attemptLogged(log, "checkout: unused shared trees not removed", { conversation: id }, () =>
    pins.removeTrees(
      key,
      generation,
      (one) => commitOf(layout, one),
      (path) => discardTree(layout, path, "tree"),
    ),
  );
};

/** If two conversations share the slot because all were taken, the slot stays with its owner. */
const freeSlot = async (layout: Layout, id: ConversationId, { slot }: Workspace): Promise<void> => {
  const file = join(layout.slots, String(slot));
  const owner = await attemptGit(() => readFile(file, "utf8"));
  if (owner.kind === "done" && owner.value === ownerOf(id)) await rm(file, { force: true });
};
