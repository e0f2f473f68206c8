/**
 * A working directory for every conversation: a shared read-only tree until the first approval, a
 * private checkout from then on, both borrowing the objects of one mirror a repository.
 *
 * Nothing is remembered between calls but what is on disk: a conversation of last year opens like one of today.
 */

import { familyOf } from "../machine/agent.ts";
import type { Lines } from "../ports/answers/lines.ts";
import type { Discards } from "../ports/bot.ts";
import type { Drafts } from "../ports/drafts.ts";
import type { Carries, Citations, Rests, Workspaces } from "../ports/workspaces.ts";
import { type Answer, attempt, sentence } from "./git-trouble.ts";
import { carryCheckout } from "./checkout/branch-copy.ts";
import { createChanges } from "./checkout/changes.ts";
import { createCitations } from "./checkout/citations.ts";
import { createDiscards } from "./checkout/discard.ts";
import { createGuidance } from "./checkout/guidance.ts";
import { hold } from "./checkout/holding.ts";
import {
  commandEnvironment,
  cwdOf,
  homeEnvironment,
  outputsOf,
  type Places,
  policyOf,
  seenHome,
} from "./checkout/policy.ts";
import { recordOf } from "./checkout/record.ts";
import { createSettle } from "./checkout/opening.ts";
import { createDrafts } from "./drafts/drafts.ts";
import { createLines } from "./lines/lines.ts";
import { carryDraft } from "./drafts/open.ts";
import { unwatched } from "./shared-work.ts";
import { isPlainId } from "./layout.ts";
import type { Changes } from "./mirror/outgoing.ts";
import { readSource } from "./mirror/source.ts";
import { readOwed, settleOwed } from "./rest/put-back.ts";
import type { WorkspaceDeps } from "./ground.ts";
import { createWorkspaceParts, type WorkspaceParts } from "./parts.ts";
import { createSeveral, failed } from "./several/several.ts";
import { createSeveralDrafts } from "./several/several-drafts.ts";

type All = Workspaces &
  Places &
  Citations &
  Carries &
  Discards &
  Rests & { readonly changes: Changes; readonly drafts: Drafts; readonly lines: Lines };

export const createWorkspaces = (deps: WorkspaceDeps): All => {
  const world = createWorkspaceParts(deps);
  return {
    ...createSeveral(world, createGuidance(world), createEach(world)),
    changes: createChanges(world),
    lines: createLines(world),
    drafts: createSeveralDrafts(world.layout, createDrafts(world)),
  };
};

/** Of one repository each. */
const createEach = (
  world: WorkspaceParts,
): Omit<Workspaces, "guidance"> & Places & Citations & Carries & Discards & Rests => {
  const { mounts, restricted } = world.sandbox.probe;
  const settle = createSettle(world);
  const afterSweep = <T>(work: () => Promise<T>): Promise<Answer<T>> =>
    attempt(async () => {
      await world.swept();
      return work();
    });
  return {
    ...createCitations(world),
    ...createDiscards(world),
    candidates: async () => {
      // Looking through an agent's checkout is the sandbox's work: where there is none, it stays.
      const found = restricted ? await afterSweep(world.resting.candidates) : null;
      return found?.kind === "done" ? found.value : [];
    },
    park: async (id, since, signal) => {
      const can = restricted && isPlainId(id) && (await attempt(world.swept)).kind === "done";
      return can ? world.resting.park(id, since, signal) : { kind: "left" };
    },
    parked: world.resting.parked,

    open: async (conversation, hooks) => {
      const read = readSource(conversation.repo);
      if (read.kind === "refused") return failed(read.message);
      const { id } = conversation;
      if (!isPlainId(id)) return failed("The conversation's id cannot name a directory.");
      const answer = await afterSweep(async () => {
        const settled = await world.resting.awake(id, hooks, () => settle(conversation, read.source, hooks));
        // What another host kept needs the commit, which may have come just now.
        if (world.fleet !== null) await world.resting.awake(id, hooks, () => Promise.resolve());
        return settled;
      });
      if (answer.kind === "aborted") return answer;
      if (answer.kind === "trouble") {
        world.log.warn("a workspace was not opened", { conversation: id, trouble: answer.trouble.kind });
        return failed(sentence(answer.trouble, read.source.name));
      }
      const workspace = answer.value;
      const { onSetUp, onPutBack, onSetUpProgress: show = () => undefined } = hooks;
      const owed = onPutBack === undefined ? null : await readOwed(world.layout, id);
      if (owed !== null) {
        onPutBack?.(owed);
        await attempt(() => settleOwed(world.layout, id));
      }
      if (onSetUp !== undefined) {
        const hasOwn = async (): Promise<boolean> => (await world.trees.existing(id)) !== null;
        await world.setUps.attend({ id, workspace, tell: onSetUp, show, hasOwn });
      }
      const { commit, ref } = workspace;
      const cwd = cwdOf(world.layout.thread(id), mounts);
      return { kind: "ready", base: conversation.base ?? { commit, ref, cwd } };
    },

    ...(world.fleet === null
      ? {}
      : {
          stands: async (id) => (await attempt(() => recordOf(world.layout, id))).kind === "done",
          keep: async (id, signal) => {
            const kept = await attempt(() => world.resting.keep(id, signal));
            if (kept.kind === "trouble")
              world.log.warn("a checkout that was changed did not get to where other hosts find it", {
                conversation: id,
                trouble: kept.trouble.kind,
              });
          },
        }),

    given: (id) => world.travels?.doubt(id),

    adopt: async (signal) => {
      if (restricted && (await attempt(world.swept)).kind === "done") await world.resting.adopt(signal);
    },

    setUp: async ({ id }) => {
      const read = await attempt(() => recordOf(world.layout, id));
      return read.kind === "done" ? world.setUps.standing(read.value) : null;
    },

    carry: async ({ id, base }, to, signal) => {
      const answer = await afterSweep(() =>
        world.resting.awake(id, unwatched(signal), () => carryCheckout(world, { from: id, to }, signal)),
      );
      if (answer.kind === "aborted") return answer;
      const seen = base === null ? null : { ...base, cwd: cwdOf(world.layout.thread(to), mounts) };
      if (answer.kind === "trouble") {
        world.log.warn("a workspace was not carried on", { conversation: id, trouble: answer.trouble.kind });
        return { kind: "left", base: seen, why: "it could not be copied" };
      }
      const drafted = await attempt(() => carryDraft(world, { from: id, to }, signal));
      if (drafted.kind === "trouble")
        world.log.warn("a draft was not carried on", { conversation: id, trouble: drafted.trouble.kind });
      world.travels?.touch(to);
      const along = drafted.kind === "done" && drafted.value ? ({ drafted: true } as const) : {};
      return { ...answer.value, base: seen, ...along };
    },

    policy: async (conversation, permission) => {
      const id = familyOf(conversation);
      if (permission === "draft") {
        world.draftTrees.delete(id);
        if (isPlainId(id)) world.travels?.touch(id);
      }
      const answer = await afterSweep(() =>
        world.resting.awake(id, unwatched(), () => hold(world, id, permission)),
      );
      if (answer.kind === "aborted") return { kind: "failed", message: "The checkout was not finished." };
      if (answer.kind === "trouble") {
        world.log.warn("a workspace was not there", { conversation, trouble: answer.trouble.kind });
        return { kind: "failed", message: sentence(answer.trouble, "the repository") };
      }
      const policy = policyOf(answer.value);
      const { hint } = answer.value;
      return {
        kind: "policy",
        policy,
        home: seenHome(answer.value),
        outputs: outputsOf(answer.value.thread),
        extraEnv: { ...commandEnvironment(policy.cwd), ...homeEnvironment(answer.value) },
        ...(hint === null ? {} : { hint }),
      };
    },
  };
};
