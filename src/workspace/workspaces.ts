/**
 * A working directory for every conversation (issue 2 item 8): a shared read-only tree until the first approval, a
 * private checkout from then on, both borrowing the objects of one mirror a repository.
 *
 * Nothing is remembered between calls but what is on disk: a conversation of last year opens like one of today.
 */

import { familyOf } from "../core/agent.ts";
import { attempt, flat } from "./attempt.ts";
import { createChanges } from "./changes.ts";
import type { Changes } from "./outgoing.ts";
import { createCitations } from "./citations.ts";
import { createDiscards } from "./discard.ts";
import { createGuidance } from "./guidance.ts";
import { hold } from "./hold.ts";
import { isPlainId } from "./layout.ts";
import type { Carries, Citations, Workspaces } from "../runtime/ports-workspaces.ts";
import type { Discards } from "../runtime/ports-shelf.ts";
import type { Places } from "./places.ts";
import { commandEnvironment, cwdOf, homeEnvironment, policyOf, seenHome } from "./policy.ts";
import { settle } from "./settle.ts";
import { readSource } from "./source.ts";
import { sentence } from "./trouble.ts";
import { createWorld, type WorkspaceDeps } from "./world.ts";

export const createWorkspaces = (
  deps: WorkspaceDeps,
): Workspaces & Places & Citations & Carries & Discards & { readonly changes: Changes } => {
  const world = createWorld(deps);
  const { mounts } = world.sandbox.probe;
  return {
    ...createCitations(world, deps.log),
    ...createDiscards(world, deps.log),
    changes: createChanges(world, deps.log),
    guidance: createGuidance(world, deps.log),

    open: async (conversation, hooks) => {
      const read = readSource(conversation.repo);
      if (read.kind === "refused") return failed(read.message);
      const { id } = conversation;
      if (!isPlainId(id)) return failed("The conversation's id cannot name a directory.");
      const answer = flat(await attempt(() => settle(world, conversation, read.source, hooks)));
      if (answer.kind === "aborted") return answer;
      if (answer.kind === "trouble") {
        deps.log.warn("a workspace was not opened", { conversation: id, trouble: answer.trouble.kind });
        return failed(sentence(answer.trouble, read.source.name));
      }
      const workspace = answer.value;
      const { onSetUp } = hooks;
      if (onSetUp !== undefined) {
        const hasOwn = async (): Promise<boolean> => (await world.trees.existing(id)) !== null;
        await world.setUps.attend({ id, workspace, tell: onSetUp, hasOwn });
      }
      const { commit, ref } = workspace;
      const cwd = cwdOf(world.layout.thread(id), mounts);
      return { kind: "ready", base: conversation.base ?? { commit, ref, cwd } };
    },

    carry: async ({ id, base }, to, signal) => {
      const swept = await world.swept();
      const answer = swept.kind === "done" ? await world.carry(id, to, signal) : swept;
      if (answer.kind === "aborted") return answer;
      const seen = base === null ? null : { ...base, cwd: cwdOf(world.layout.thread(to), mounts) };
      if (answer.kind === "trouble") {
        deps.log.warn("a workspace was not carried on", { conversation: id, trouble: answer.trouble.kind });
        return { kind: "left", base: seen, why: "it could not be copied" };
      }
      const { kind } = answer.value;
      return kind === "left" ? { kind, base: seen, why: answer.value.why } : { kind, base: seen };
    },

    policy: async (conversation, permission) => {
      const answer = flat(await attempt(() => hold(world, familyOf(conversation), permission)));
      if (answer.kind === "aborted") return { kind: "failed", message: "The checkout was not finished." };
      if (answer.kind === "trouble") {
        deps.log.warn("a workspace was not there", { conversation, trouble: answer.trouble.kind });
        return { kind: "failed", message: sentence(answer.trouble, "the repository") };
      }
      const policy = policyOf(answer.value);
      const { hint } = answer.value;
      return {
        kind: "policy",
        policy,
        home: seenHome(answer.value),
        extraEnv: { ...commandEnvironment(policy.cwd), ...homeEnvironment(answer.value) },
        ...(hint === null ? {} : { hint }),
      };
    },
  };
};

const failed = (message: string): Awaited<ReturnType<Workspaces["open"]>> => ({
  kind: "failed",
  failure: { kind: "workspace", message, retryAfter: null },
});
