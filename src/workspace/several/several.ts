/** Each repository has a separate workspace. A conversation with one repository passes through unchanged. */

import { familyOf } from "../../machine/agent.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { ConversationFiles } from "../../ports/bot.ts";
import {
  type Base,
  boundTo,
  type Conversation,
  foldersOf,
  MOST_REPOS,
  type NamedRepo,
  ownerOf,
  severalOf,
  workspaceOf,
} from "../../ports/conversation.ts";
import type {
  CopiedCheckout,
  CheckoutCopier,
  Citations,
  CheckoutParking,
  Workspaces,
} from "../../ports/workspaces.ts";
import type { Citation } from "../../text/citation.ts";
import { checkoutEnvironment, outputsOf, type CommandPlaces } from "../checkout/policy.ts";
import { attemptGit, sentence } from "../run/git-trouble.ts";
import type { ReadGuidance } from "../checkout/guidance.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { isPlainId, SANDBOX_PATHS } from "../disk/layout.ts";
import { claimSlot } from "../disk/slots.ts";
import { sortCited } from "./cited.ts";
import { type OpenFolder, readDraftFolder, readFolders, writeDraftFolder, writeFolders } from "./folders.ts";
import { joinedPolicy, objectsEnvironment } from "./joined-policy.ts";

export type Checkouts = Workspaces &
  CommandPlaces &
  Citations &
  CheckoutCopier &
  ConversationFiles &
  CheckoutParking;
export type EachCheckout = Omit<Checkouts, "guidance">;

const MAX_GUIDANCE = 32 * 1024;

export const createSeveral = (
  { layout, sandbox }: Pick<WorkspaceContext, "layout" | "sandbox">,
  guidance: ReadGuidance,
  each: EachCheckout,
): Checkouts => {
  // Without fixed paths, commands cannot see more than one repository.
  const { mounts } = sandbox.probe;
  const openAll = async (
    conversation: Conversation,
    repos: readonly NamedRepo[],
    hooks: Parameters<Workspaces["open"]>[1],
  ): ReturnType<Workspaces["open"]> => {
    const { id, base } = conversation;
    if (!isPlainId(id)) return each.open(conversation, hooks);
    const known = foldersOf(conversation);
    const all = repos.map(({ name, ...repo }, index) => ({ name, index, repo }));
    const wanted = base === null ? all : known;
    const claimed = await attemptGit(async () => {
      if (base === null) await writeFolders(layout, id, wanted);
      // All repositories belong to one user, so the slot is claimed once.
      return claimSlot(layout.slots, id);
    });
    if (claimed.kind === "trouble") return failedOpening(sentence(claimed.trouble, "the repositories"));
    const opened = await Promise.all(
      wanted.map(async ({ name, index, repo }) => {
        const at = known.find((one) => one.name === name);
        const seen = at === undefined ? null : { commit: at.commit, ref: at.ref, cwd: SANDBOX_PATHS.work };
        const alone = { ...conversation, id: workspaceOf(id, index), repo, base: seen };
        const onProgress = (line: string): void => hooks.onProgress(`${name}: ${line}`);
        const outcome = await each.open(alone, { ...hooks, onProgress });
        return { name, index, outcome };
      }),
    );
    if (opened.some(({ outcome }) => outcome.kind === "aborted")) return { kind: "aborted" };
    const ready = opened.flatMap(({ outcome, ...one }) =>
      outcome.kind === "ready" ? [{ ...one, commit: outcome.base.commit, ref: outcome.base.ref }] : [],
    );
    const missing = opened.flatMap(({ name, outcome }) =>
      outcome.kind === "failed" ? [{ name, why: outcome.failure.message }] : [],
    );
    const [first, ...beside] = ready;
    if (first === undefined) return failedOpening(missing.map(({ why }) => why).join(" "));
    const written = await attemptGit(() => writeFolders(layout, id, ready));
    if (written.kind === "trouble") return failedOpening(sentence(written.trouble, "the repositories"));
    return { kind: "ready", base: base ?? baseOf(first, beside, missing) };
  };

  /** Opens only the first repository, on hosts that cannot mount. */
  const openFirst = async (
    conversation: Conversation,
    [first, ...beside]: readonly NamedRepo[],
    hooks: Parameters<Workspaces["open"]>[1],
  ): ReturnType<Workspaces["open"]> => {
    const repo = boundTo(first === undefined ? [] : [first]) ?? conversation.repo;
    const opened = await each.open({ ...conversation, repo }, hooks);
    if (opened.kind !== "ready" || conversation.base !== null) return opened;
    const missing = beside.map(({ name }) => ({ name, why: NO_MOUNTS }));
    return { kind: "ready", base: { ...opened.base, missing } };
  };

  const folders = (id: ConversationId): Promise<readonly OpenFolder[] | null> =>
    mounts ? readFolders(layout, id) : Promise.resolve(null);

  return {
    ...each,
    open: (conversation, hooks) => {
      const repos = severalOf(conversation.repo);
      if (repos.length === 0) return each.open(conversation, hooks);
      return (mounts ? openAll : openFirst)(conversation, repos, hooks);
    },

    policy: async (conversation, permission, on) => {
      const id = familyOf(conversation);
      const open = await folders(id);
      if (open === null)
        return on === undefined ? each.policy(id, permission) : { kind: "failed", message: NOT_OPEN };
      const named = on === undefined ? open[0] : open.find(({ name }) => name === on);
      const own = permission === "draft" ? await readDraftFolder(layout, id) : named;
      if (own === null || own === undefined) return { kind: "failed", message: NOT_OPEN };
      const held = await Promise.all(
        open.map(async ({ id: workspace, name }) => ({
          ...(await each.policy(workspace, name === own.name ? permission : "restricted")),
          name,
        })),
      );
      const broken = held.find((one) => one.kind === "failed");
      if (broken !== undefined) return { kind: "failed", message: broken.message };
      const parts = held.filter((one) => one.kind === "policy");
      const part = parts.find(({ name }) => name === own.name);
      if (part === undefined) return { kind: "failed", message: NOT_OPEN };
      const policy = joinedPolicy(part, parts);
      const { extraEnv, name: _, ...place } = part;
      const env = { ...extraEnv, ...checkoutEnvironment(policy.cwd), ...objectsEnvironment(part, parts) };
      // Output of background commands stays in one place, whichever repository is written.
      return { ...place, policy, outputs: outputsOf(layout.thread(id)), extraEnv: env };
    },

    check: async (conversation, base, cited) => {
      const open = foldersOf({ ...conversation, base });
      if (open.length === 0) return each.check(conversation, base, cited);
      const names = open.map(({ name }) => name);
      const { inside, joined } = sortCited(cited, names, base.cwd);
      const found = await Promise.all(
        open.map(async ({ name, index, commit, ref }): Promise<readonly [string, readonly Citation[]]> => {
          const own = inside.get(name) ?? [];
          if (own.length === 0) return [name, []];
          const alone = { ...conversation, id: workspaceOf(conversation.id, index) };
          return [name, await each.check(alone, { commit, ref, cwd: SANDBOX_PATHS.work }, own)];
        }),
      );
      return joined(new Map(found));
    },

    guidance: async (conversation) => {
      const open = foldersOf(conversation);
      if (open.length === 0) return guidance(conversation);
      // A sub-agent reads only its task, as with a single repository.
      if (familyOf(conversation.id) !== conversation.id) return [];
      const most = Math.floor(MAX_GUIDANCE / open.length);
      const read = await Promise.all(
        open.map(async ({ name, index }) => {
          const own = await guidance({ id: workspaceOf(conversation.id, index) }, most);
          return own.map((one) => ({ ...one, path: `${name}/${one.path}` }));
        }),
      );
      return read.flat();
    },

    setUp: async (conversation) => {
      const open = foldersOf(conversation).map(({ index }) => workspaceOf(conversation.id, index));
      for (const id of open.length === 0 ? [conversation.id] : open) {
        const standing = await each.setUp({ ...conversation, id });
        if (standing !== null) return standing;
      }
      return null;
    },

    carry: async (from, to, signal) => {
      const open = foldersOf(from);
      if (open.length === 0 || from.base === null) return each.carry(from, to, signal);
      const all: Exclude<CopiedCheckout, { readonly kind: "aborted" }>[] = [];
      await attemptGit(() => writeFolders(layout, to, open));
      for (const { index, commit, ref } of open) {
        const alone = {
          ...from,
          id: workspaceOf(from.id, index),
          base: { commit, ref, cwd: SANDBOX_PATHS.work },
        };
        const carried = await each.carry(alone, workspaceOf(to, index), signal);
        if (carried.kind === "aborted") return carried;
        all.push(carried);
      }
      const { base } = from;
      const draft = open[all.findIndex(({ drafted }) => drafted === true)];
      if (draft !== undefined) await attemptGit(() => writeDraftFolder(layout, to, draft.name));
      const along = draft === undefined ? {} : ({ drafted: true } as const);
      const left = all.find(({ kind }) => kind === "left");
      if (left?.kind === "left") return { kind: "left", why: left.why, base, ...along };
      return { kind: all.some(({ kind }) => kind === "copied") ? "copied" : "same", base, ...along };
    },

    discard: async (id) => {
      if ((await readFolders(layout, id)) !== null)
        for (let index = 1; index < MOST_REPOS; index += 1) await each.discard(workspaceOf(id, index));
      await each.discard(id);
    },

    erase: async (id, without) => {
      if ((await readFolders(layout, id)) !== null)
        for (let index = 1; index < MOST_REPOS; index += 1) await each.erase(workspaceOf(id, index), without);
      await each.erase(id, without);
    },

    candidates: async () => [...new Set((await each.candidates()).map(ownerOf))],

    park: async (id, since, signal) => {
      const all = [];
      const open = (await folders(id)) ?? [];
      for (const one of open.length === 0 ? [{ id }] : open) all.push(await each.park(one.id, since, signal));
      return (
        all.find(({ kind }) => kind === "unfit") ??
        all.find(({ kind }) => kind === "parked") ?? { kind: "left" }
      );
    },
  };
};

interface Ready {
  readonly name: string;
  readonly commit: string;
  readonly ref: string;
}

const baseOf = (
  { name, commit, ref }: Ready,
  beside: readonly Ready[],
  missing: NonNullable<Base["missing"]>,
): Base => ({
  commit,
  ref,
  cwd: SANDBOX_PATHS.several,
  name,
  beside: beside.map((one) => ({ name: one.name, commit: one.commit, ref: one.ref })),
  ...(missing.length === 0 ? {} : { missing }),
});

const NO_MOUNTS =
  "This host's sandbox cannot show several repositories at once: it mounts nothing (`parley doctor` says why).";
const NOT_OPEN = "That repository is not open in this conversation; say so, and ask in a new thread.";

export const failedOpening = (message: string): Awaited<ReturnType<Workspaces["open"]>> => ({
  kind: "failed",
  failure: { kind: "workspace", message, retryAfter: null },
});
