/** The checkout is untrusted: people see the clean room's copy of the changes, and only that copy is committed. */

import type { ConversationId } from "../../machine/id.ts";
import type { Changes, ChangesRead, OutgoingResult, OutgoingFailure, GoesOn } from "../../ports/outgoing.ts";
import { attemptLogged, valueOr } from "../run/git-trouble.ts";
import { unwatched } from "../run/shared-work.ts";
import type { CheckoutParts } from "./parts.ts";
import { type CleanRoom, openCleanRoom } from "./clean-room.ts";
import { readDraft } from "./draft-record.ts";
import { findOwners } from "./owners.ts";
import { packOf } from "./packing.ts";
import { recordOf } from "./record.ts";

export const createChanges = (world: CheckoutParts): Changes => {
  const within = async <T extends { readonly kind: string }>(
    id: ConversationId,
    work: (room: CleanRoom) => Promise<T>,
  ): Promise<T | OutgoingFailure> => {
    const what = "checkout: changes not read or committed";
    const answer = await attemptLogged(world.log, what, { conversation: id }, async () => {
      return work(await openCleanRoom(world, await recordOf(world.layout, id)));
    });
    return valueOr(answer, "the checkout");
  };

  return {
    read: (id, head, signal) =>
      within<ChangesRead>(id, (room) =>
        world.resting.awake<ChangesRead>(id, unwatched(signal), async () => {
          const { workspace } = room;
          const work = await world.trees.existing(id);
          if (work === null) return { kind: "none" };
          if (head !== null && !(await room.has(head))) return { kind: "foreign" };
          const { tree, pack } = await packOf(world, { work, workspace }, signal);
          if (pack !== null) await room.take(pack, signal);
          const parent = head ?? workspace.commit;
          const files = await room.differences(parent, tree, signal);
          if (files.length === 0) return { kind: "none" };
          const paths = files.map(({ path }) => path);
          const owners = await findOwners(world, workspace, paths);
          if (owners.kind === "refused") return { kind: "failed", message: owners.message };
          const own = owners.kind === "owned" ? { owners: owners.owned } : {};
          return { kind: "changes", changed: { tree, parent, files, ...own } };
        }),
      ),
    goesOn: (id, { head, tree }, signal) =>
      within<GoesOn>(id, async (room) => {
        const { commit } = room.workspace;
        if (!(await room.has(head))) return { kind: "foreign" };
        const [draft, made] = await Promise.all([readDraft(world.layout, id), room.madeAt(head, signal)]);
        // Two kinds of draft contain the pushed changes: one of a private checkout, and one older than the pushed commit.
        if (draft === null || draft.from !== null || draft.opened <= made) return { kind: "yes" };
        const pushed = await room.differences(commit, head, signal);
        const drafted = await room.differences(commit, tree, signal);
        const kept = new Set(drafted.map(({ path }) => path));
        const paths = pushed.map(({ path }) => path).filter((path) => !kept.has(path));
        return paths.length === 0 ? { kind: "yes" } : { kind: "undoes", paths };
      }),
    commit: (id, plan, signal) => within(id, async (room) => done(await room.commit(plan, signal))),
    committed: (id, name) => within(id, async (room) => done(await room.named(name))),
    pack: (id, commit, signal) => within(id, async (room) => done(await room.pack(commit, signal))),
  };
};

const done = <T>(value: T): OutgoingResult<T> => ({ kind: "done", value });
