/** With several repositories, `open` receives the id of one repository, and the other methods the conversation's id. */

import type { ConversationId } from "../../machine/id.ts";
import { ownerOf } from "../../ports/conversation.ts";
import type { Drafts } from "../../ports/drafts.ts";
import type { OutgoingFailure } from "../../ports/outgoing.ts";
import { recordOf, type Workspace } from "../checkout/record.ts";
import { attemptGit, attemptLogged, valueOr } from "../run/git-trouble.ts";
import { isPlainId } from "../disk/layout.ts";
import { namesIn } from "../mirror/pins.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { unwatched } from "../run/shared-work.ts";
import { readDraftFolder, readFolders, writeDraftFolder } from "../several/folders.ts";
import { applyDraft, dropDraft, treeOf } from "./apply.ts";
import { openDraft } from "./open.ts";
import { readDraft, readSealed, writeDraft, writeSealed } from "../checkout/draft-record.ts";
import { patchOf } from "./review.ts";
import { tryOut } from "./try-out.ts";
import { openSealed, sealDraft } from "./seal.ts";
import { findDraft } from "../checkout/draft-location.ts";
import type { DraftResult } from "../../thread/draft.ts";
import { canonical } from "../../text/canonical.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { branchProgress } from "./branch-progress.ts";

export const createDrafts = (world: CheckoutParts): Drafts => {
  const { layout, resting, clock, log } = world;
  const last = new Map<ConversationId, Promise<unknown>>();

  /** Runs `work` after earlier calls for the same conversation. `work` must not reject. */
  const inTurn = <T>(id: ConversationId, work: () => Promise<T>): Promise<T> => {
    const next = (last.get(id) ?? Promise.resolve()).then(work).finally(() => {
      if (last.get(id) === next) last.delete(id);
    });
    last.set(id, next);
    return next;
  };

  /** Workspace of the draft that was opened last. */
  const workspaceOf = async (id: ConversationId): Promise<ConversationId> =>
    (await readDraftFolder(layout, id))?.id ?? id;

  const inWorkspace = <T extends { readonly kind: string }>(
    id: ConversationId,
    signal: AbortSignal,
    work: (workspace: Workspace) => Promise<T>,
  ): Promise<T | OutgoingFailure> =>
    inTurn(id, async () => {
      const answer = await attemptLogged(log, "draft: draft not available", { conversation: id }, () =>
        resting.awake(id, unwatched(signal), async () => {
          const workspace = await recordOf(layout, id);
          world.travels?.touch(id);
          return work(workspace);
        }),
      );
      return valueOr(answer, "the draft");
    });

  const within: typeof inWorkspace = async (id, signal, work) =>
    inWorkspace(await workspaceOf(id), signal, work);

  return {
    open: async (id, signal) => {
      const owner = ownerOf(id);
      const folders = (await readFolders(layout, owner)) ?? [];
      const wanted = folders.find((one) => one.id === id);
      if (wanted !== undefined)
        for (const other of folders) {
          if (other.id === id || (await readDraft(layout, other.id)) === null) continue;
          return { kind: "failed", message: otherOpen(other.name, wanted.name) };
        }
      const opened = await inWorkspace(id, signal, async (workspace): ReturnType<Drafts["open"]> => {
        const known = await findDraft(world, id);
        const again = known !== null && known.base === workspace.commit;
        if (again) {
          await writeDraft(layout, id, { ...known, at: clock.now() });
          return { kind: "open", again, files: known.files };
        }
        const { files } = await openDraft(world, workspace, signal);
        return { kind: "open", again, files };
      });
      if (opened.kind === "open" && wanted !== undefined) await writeDraftFolder(layout, owner, wanted.name);
      return opened;
    },

    folder: async (id) => (await readDraftFolder(layout, id))?.name ?? null,

    tree: (id, signal) =>
      within(id, signal, async (workspace): ReturnType<Drafts["tree"]> => {
        const draft = await findDraft(world, workspace.id);
        if (draft === null) return { kind: "none" };
        return { kind: "tree", tree: await treeOf(world, workspace, draft, signal) };
      }),

    seal: (id, what, signal) => within(id, signal, (workspace) => sealDraft(world, workspace, what, signal)),

    test: (id, what, signal) =>
      within(id, signal, async (workspace): ReturnType<Drafts["test"]> => {
        if ((await findDraft(world, workspace.id)) === null) return { kind: "none" };
        return { kind: "tested", test: await tryOut(world, workspace, what, signal) };
      }),

    sealed: async (id) => (isPlainId(id) ? readSealed(layout, await workspaceOf(id)) : null),

    movedOn: async (id, signal) => {
      const found = await within(id, signal, async (workspace) => {
        const result = await readMovedOn(world, workspace, signal);
        return { kind: "looked", result } as const;
      });
      return found.kind === "looked" ? found.result : null;
    },

    apply: (id, what, signal) =>
      within(id, signal, (workspace) => applyDraft(world, workspace, what, signal)),

    patch: async (id, what, signal) => {
      const made = await within(id, signal, async (workspace) => {
        const room = await openSealed(world, workspace, what.tree, signal);
        const bytes = await patchOf(room, { ...what, most: MAX_PATCH }, signal);
        return { kind: "patch", bytes } as const;
      });
      return made.kind === "patch" ? made.bytes : null;
    },

    discard: async (id) => {
      const own = await workspaceOf(id);
      if (isPlainId(own) && (await attemptGit(world.swept)).kind === "done")
        await inTurn(own, () => dropDraft(world, own));
    },

    expire: async (before) => {
      const found = await attemptGit(async () => {
        await world.swept();
        let dropped = 0;
        for (const id of await namesIn(layout.threads)) {
          if (!isPlainId(id)) continue;
          const draft = await readDraft(layout, id);
          if (draft === null || draft.at >= before) continue;
          await inTurn(id, () => dropDraft(world, id));
          dropped += 1;
        }
        return dropped;
      });
      return found.kind === "done" ? found.value : 0;
    },
  };
};

const otherOpen = (open: string, wanted: string): string =>
  `A draft of ${open} is open, and a change is made in one repository at a time. Propose it; once people have decided, open one of ${wanted}.`;

const MAX_PATCH = 2 * 2 ** 20;

/** Rechecks the branch at the click, because a card with older commits is no basis for a write (D42). Null if unchanged. */
const readMovedOn = async (
  world: CheckoutParts,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<DraftResult | null> => {
  const { layout } = world;
  const [sealed, draft] = await Promise.all([
    readSealed(layout, workspace.id),
    findDraft(world, workspace.id),
  ]);
  if (sealed === null || draft === null || sealed.base !== workspace.commit) return null;
  // A record of an earlier version, whose card cannot be posted again.
  if (sealed.filesInAll === 0) return null;
  const { moved: before, ...rest } = sealed;
  const moved = (await branchProgress(world, workspace, sealed.tree, signal)) ?? undefined;
  if (canonical(moved ?? null) === canonical(before ?? null)) return null;
  const result = { ...rest, ...omitUndefined({ moved }) };
  await writeSealed(layout, workspace.id, result);
  return result;
};
