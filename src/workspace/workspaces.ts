/** Only the disk keeps state between calls: a conversation of last year opens like one of today. */

import { join } from "node:path";
import { familyOf } from "../machine/agent.ts";
import type { ConversationId } from "../machine/id.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import type { Commits } from "../ports/commits.ts";
import type { Drafts } from "../ports/drafts.ts";
import type { Mirrors } from "../ports/workspaces.ts";
import { attemptGit, attemptLogged, sentence } from "./run/git-trouble.ts";
import { carryCheckout } from "./checkout/branch-copy.ts";
import { createAttachedFiles } from "./checkout/attached-files.ts";
import { createChanges } from "./checkout/changes.ts";
import { createCitations } from "./checkout/citations.ts";
import { createDiscards } from "./checkout/discard.ts";
import { createGuidance } from "./checkout/guidance.ts";
import { hold } from "./checkout/holding.ts";
import {
  checkoutEnvironment,
  cwdOf,
  homeEnvironment,
  outputsOf,
  policyOf,
  homeInSandbox,
} from "./checkout/policy.ts";
import { recordOf } from "./checkout/record.ts";
import { createSettle } from "./checkout/opening.ts";
import { createDrafts } from "./drafts/drafts.ts";
import { carryDraft } from "./drafts/open.ts";
import { unwatched } from "./run/shared-work.ts";
import { isPlainId } from "./disk/layout.ts";
import { createReadAhead, type ReadAhead } from "./mirror/ahead.ts";
import type { Changes } from "../ports/outgoing.ts";
import { createCommits } from "./mirror/commits.ts";
import { readSource } from "./mirror/source.ts";
import { readOwed, clearOwedNotice } from "./parking/restore-checkout.ts";
import type { WorkspaceDeps } from "./disk/workspace-context.ts";
import { createWorkspaceParts, type WorkspaceParts } from "./parts.ts";
import { type Checkouts, createSeveral, type EachCheckout, failedOpening } from "./several/several.ts";
import { namesIn, UNUSED } from "./mirror/pins.ts";

type All = Checkouts & {
  readonly changes: Changes;
  readonly drafts: Drafts;
  readonly commits: Commits;
  readonly readAhead: ReadAhead;
  readonly mirrors: Mirrors;
};

export const createWorkspaces = (deps: WorkspaceDeps): All => {
  const world = createWorkspaceParts(deps);
  return {
    ...withFiles(world, createSeveral(world, createGuidance(world), createEach(world))),
    changes: createChanges(world),
    commits: createCommits(world),
    drafts: createDrafts(world),
    readAhead: createReadAhead(world),
    mirrors: createMirrors(world),
  };
};

/** Shows the files of messages to every command, whatever its permission, and writable to none. */
const withFiles = (world: WorkspaceParts, checkouts: Checkouts): Checkouts => {
  const files = createAttachedFiles(world);
  const attempt = (id: ConversationId, work: () => Promise<unknown>): Promise<unknown> =>
    attemptLogged(world.log, "files: copies not removed", { conversation: id }, work);
  return {
    ...checkouts,
    policy: async (conversation, ...given) => {
      const found = await checkouts.policy(conversation, ...given);
      const id = familyOf(conversation);
      if (found.kind === "failed") return found;
      const what = "files: copies not made";
      const brought = await attemptLogged(world.log, what, { conversation: id }, () => files.bring(id));
      if (brought.kind !== "done") return { kind: "failed", message: NO_FILES };
      const { mount, left } = brought.value;
      if (mount === null) return found;
      const hint = left === 0 ? found.hint : [found.hint, leftOut(left)].filter(Boolean).join("\n");
      const policy = { ...found.policy, mounts: [...found.policy.mounts, mount] };
      return { ...found, policy, ...omitUndefined({ hint }) };
    },
    erase: async (id, without) => {
      await checkouts.erase(id, without);
      await attempt(id, () => files.removeUnnamed(id));
    },
    park: async (id, ...given) => {
      const parked = await checkouts.park(id, ...given);
      if (parked.kind === "parked") await attempt(id, () => files.drop(id));
      return parked;
    },
    given: (id) => {
      checkouts.given(id);
      void attempt(id, () => files.drop(id));
    },
  };
};

const NO_FILES = "The files of this conversation could not be copied to this host's disk.";

const leftOut = (count: number): string =>
  `[${count === 1 ? "1 attached file is" : `${count} attached files are`} missing: this host could not read the stored bytes]`;

const createEach = (world: WorkspaceParts): EachCheckout => {
  const { sandbox, layout, log, fleet, resting, travels } = world;
  const { mounts } = sandbox.probe;
  const settle = createSettle(world);
  return {
    ...createCitations(world),
    ...createDiscards(world),
    ...resting,

    open: async (conversation, hooks) => {
      const read = readSource(conversation.repo);
      if (read.kind === "refused") return failedOpening(read.message);
      const { id } = conversation;
      if (!isPlainId(id)) return failedOpening("The conversation's id cannot name a directory.");
      const answer = await attemptLogged(
        log,
        "checkout: checkout not opened",
        { conversation: id },
        async () => {
          const settled = await resting.awake(id, hooks, () => settle(conversation, read.source, hooks));
          // A checkout that another host parked needs the commit, which may have been fetched only now.
          if (fleet !== null) await resting.awake(id, hooks, () => Promise.resolve());
          return settled;
        },
      );
      if (answer.kind === "aborted") return answer;
      if (answer.kind === "trouble") return failedOpening(sentence(answer.trouble, read.source.name));
      const workspace = answer.value;
      const { onSetUp, onPutBack, onSetUpProgress: show = () => undefined } = hooks;
      const owed = onPutBack === undefined ? null : await readOwed(layout, id);
      if (owed !== null) {
        onPutBack?.(owed);
        await attemptGit(() => clearOwedNotice(layout, id));
      }
      if (onSetUp !== undefined) {
        const hasOwn = async (): Promise<boolean> => (await world.trees.existing(id)) !== null;
        await world.setUps.attend({ workspace, tell: onSetUp, show, hasOwn });
      }
      const { commit, ref } = workspace;
      const cwd = cwdOf(layout.thread(id), mounts);
      return { kind: "ready", base: conversation.base ?? { commit, ref, cwd } };
    },

    stands: async (id) => fleet === null || (await attemptGit(() => recordOf(layout, id))).kind === "done",

    keep: async (id, signal) => {
      const what = "checkout: changes not copied to the other hosts";
      await attemptLogged(log, what, { conversation: id }, () => resting.keep(id, signal));
    },

    setUp: async ({ id }) => {
      const read = await attemptGit(() => recordOf(layout, id));
      return read.kind === "done" ? world.setUps.standing(read.value) : null;
    },

    carry: async ({ id, base }, to, signal) => {
      const answer = await attemptLogged(
        log,
        "checkout: checkout not copied to the new conversation",
        { conversation: id },
        () => resting.awake(id, unwatched(signal), () => carryCheckout(world, { from: id, to }, signal)),
      );
      if (answer.kind === "aborted") return answer;
      const seen = base === null ? null : { ...base, cwd: cwdOf(layout.thread(to), mounts) };
      if (answer.kind === "trouble") return { kind: "left", base: seen, why: "it could not be copied" };
      const what = "draft: draft not copied to the new conversation";
      const drafted = await attemptLogged(log, what, { conversation: id }, () =>
        carryDraft(world, { from: id, to }, signal),
      );
      travels?.touch(to);
      const along = drafted.kind === "done" && drafted.value ? ({ drafted: true } as const) : {};
      return { ...answer.value, base: seen, ...along };
    },

    policy: async (conversation, permission) => {
      const id = familyOf(conversation);
      if (permission === "draft") {
        world.draftTrees.delete(id);
        if (isPlainId(id)) travels?.touch(id);
      }
      const answer = await attemptLogged(log, "checkout: checkout not available", { conversation }, () =>
        resting.awake(id, unwatched(), () => hold(world, id, permission)),
      );
      if (answer.kind === "aborted") return { kind: "failed", message: "The checkout was not finished." };
      if (answer.kind === "trouble")
        return { kind: "failed", message: sentence(answer.trouble, "the repository") };
      const policy = policyOf(answer.value);
      const { hint } = answer.value;
      return {
        kind: "policy",
        policy,
        home: homeInSandbox(answer.value),
        outputs: outputsOf(answer.value.thread),
        extraEnv: { ...checkoutEnvironment(policy.cwd), ...homeEnvironment(answer.value) },
        ...(hint === null ? {} : { hint }),
      };
    },
  };
};

/** Removes mirrors that no thread and no check of answers has used for days (39.B2). */
const createMirrors = ({
  directory,
  clock,
  log,
  swept,
  removeUnused,
}: Pick<WorkspaceParts, "directory" | "clock" | "log" | "swept" | "removeUnused">): Mirrors => ({
  removeUnused: async () => {
    let removed = 0;
    await attemptLogged(log, "mirror: unused mirrors not removed", {}, async () => {
      await swept();
      for (const key of await namesIn(join(directory, "repos")))
        if (await removeUnused(key, clock.now() - UNUSED)) removed += 1;
    });
    return removed;
  },
});
