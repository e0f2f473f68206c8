/**
 * Opens a draft pull request from the conversation's checkout. The host reads the checkout, commits exactly
 * that tree, pushes it to `parley/ID` and opens the pull request. The commit is stored under the errand's key
 * before anything leaves the host. If the process ends, the next one pushes the same commit and finds the
 * finished steps.
 */

import { z } from "zod";
import { ownerOf } from "../../../ports/conversation.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import type { MergedPull } from "../../../ports/draft-pulls.ts";
import type { ApprovedWrite } from "../../../ports/tools.ts";
import type { ChangedTree, ChangedFile, Committed, Outgoing } from "../../../ports/outgoing.ts";
import type { PushGuard } from "../ports/push-guard.ts";
import { repositoryField } from "../../../tools/repository.ts";
import type { DraftResult } from "../../../thread/draft.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { oneLine } from "../../../text/one-line.ts";
import { IN_ALL } from "../../../thread/proposal.ts";
import { textField, Unable, valueOf } from "../../../tools/tool.ts";
import { commitMessage, writeMarkerOf, signed } from "./signature.ts";
import { defineWriting, type WriteContext, unsure } from "./writes.ts";

const MAX_TEXT = 20_000;
/** Maximum number of files on the card. Further files are counted. */
const MAX_FILES = 100;

const DESCRIPTION = [
  "Propose the changes of this conversation's checkout as a draft pull request: all of them, as they stand, ignored files left out. A person is shown the files, the title and the text and decides; the host then commits, pushes and opens it, and nothing is written before.",
  "Have the change finished and tested first, and leave nothing in the checkout that does not belong to it. If the person wants an issue closed, or the thread began at an issue, write `Closes #12` in the text. Once it is open, a second call adds the changes made since.",
].join("\n");

const schema = z.object({
  title: textField.min(1).max(200).describe("One line: what the change does."),
  body: textField
    .min(1)
    .max(MAX_TEXT)
    .describe("Markdown: what was wrong, what was done, how it was tested."),
  repository: repositoryField,
});

type Input = z.output<typeof schema>;

/** `guard`: checks each push at the moment of the push. */
export interface PullDeps extends Outgoing {
  readonly guard?: PushGuard;
}

export const openPullRequest = (deps: PullDeps) =>
  defineWriting({
    name: "open_pull_request",
    description: DESCRIPTION,
    look: {
      past: "Proposed a pull request: {object}",
      now: "proposing a pull request: {object}",
      fields: ["title"],
      icon: "branch",
      face: "prose",
      commits: true,
    },
    schema,
    plan: async (input, scene) => {
      const ends = await endsOf(scene);
      const { base, branch, head } = ends;
      const { changed, isPushed } = await changesOf(deps, scene, ends);
      return {
        proposal: {
          facts: [
            { name: standing(isPushed, head), value: branch },
            { name: "into", value: base },
            { name: "on top of", value: changed.parent.slice(0, 9) },
            { name: IN_ALL, value: sumOf(changed.files) },
            { name: "tree", value: changed.tree.slice(0, 9) },
          ],
          files: changed.files.slice(0, MAX_FILES),
          unlisted: Math.max(0, changed.files.length - MAX_FILES),
          ...omitUndefined({ owners: changed.owners }),
          texts: [
            { name: "Title", text: oneLine(input.title) },
            { name: "Text", text: input.body },
          ],
        },
        material: { ...input, base, branch, parent: changed.parent, tree: changed.tree },
        perform: (errand) => {
          const job = { input, errand, scene, base, branch };
          const commits = [{ title: input.title, tree: changed.tree }];
          return isPushed ? open(job) : perform(deps, job, commits, changed.parent);
        },
      };
    },
    resume: (input, errand, scene) => resumePull(deps, input, errand, scene),
  });

/**
 * Opens the pull request from commits of a draft that people have already reviewed, whatever the checkout
 * contains. Only to be called after `resumePull` returned null.
 */
export const openPullOf = async (
  deps: PullDeps,
  { input, commits }: { readonly input: Input; readonly commits: DraftResult["commits"] },
  errand: ApprovedWrite,
  scene: WriteContext,
): Promise<ForgeResult<MergedPull>> => {
  const { base, branch, head } = await unsure(errand, () => endsOf(scene));
  const parent = head ?? scene.run.base.commit;
  const tree = commits.at(-1)?.tree;
  if (head !== null && tree !== undefined) {
    const onTop = await deps.changes.goesOn(scene.run.conversation.id, { head, tree }, scene.signal);
    if (onTop.kind === "failed") throw new Unable(onTop.message);
    if (onTop.kind === "foreign") throw new Unable(foreign(branch));
    if (onTop.kind === "undoes") throw new Unable(undoes(branch, onTop.paths));
  }
  return perform(deps, { input, errand, scene, base, branch }, commits, parent);
};

/**
 * Continues from the commit of an earlier process, whose checks remain valid. Null if no process has made the
 * commit.
 */
export const resumePull = async (
  deps: PullDeps,
  input: Input,
  errand: ApprovedWrite,
  scene: WriteContext,
): Promise<ForgeResult<MergedPull> | null> => {
  const { id } = scene.run.conversation;
  const made = await unsure(errand, async () => valueOf(await deps.changes.committed(id, nameOf(errand))));
  if (made === null) return null;
  const { base, branch } = await unsure(errand, () => endsOf(scene));
  return deliver(deps, { input, errand, scene, base, branch }, made);
};

interface Ends {
  readonly base: string;
  readonly branch: string;
  /** Commit of `branch` on the forge; null if the branch does not exist yet. */
  readonly head: string | null;
}

const endsOf = async ({ desk, run, signal }: WriteContext): Promise<Ends> => {
  const [asked, listed] = await Promise.all([desk.repository(signal), desk.branches(signal)]);
  const [{ defaultBranch }, branches] = [valueOf(asked), valueOf(listed)];
  const { ref } = run.base;
  const base = branches.has(ref) ? ref : defaultBranch;
  const branch = `parley/${ownerOf(run.conversation.id)}`;
  return { base, branch, head: branches.get(branch) ?? null };
};

const standing = (isPushed: boolean, head: Ends["head"]): string => {
  if (isPushed) return "a draft from the branch that is pushed already";
  return head === null ? "a draft from the new branch" : "one more commit on the branch";
};

interface Proposable {
  readonly changed: ChangedTree;
  /** Whether a commit with exactly this tree is on the branch, without an open pull request. */
  readonly isPushed: boolean;
}

/** Changes that are not on the branch yet. If an earlier push has no pull request, all changes are returned. */
const changesOf = async (
  { changes }: Outgoing,
  { run, desk, signal }: WriteContext,
  { branch, head }: Ends,
): Promise<Proposable> => {
  const { id } = run.conversation;
  const read = await changes.read(id, head, signal);
  if (read.kind === "failed") throw new Unable(read.message);
  if (read.kind === "foreign") throw new Unable(foreign(branch));
  if (read.kind === "changes") return { changed: read.changed, isPushed: false };
  if (head === null) throw new Unable(NO_CHANGES);
  const open = valueOf(await desk.pullOf(branch, signal));
  if (open !== null) throw new Unable(`${NOTHING_NEW} ${open.name}, ${open.url}`);
  const all = await changes.read(id, null, signal);
  if (all.kind === "changes") return { changed: all.changed, isPushed: true };
  throw new Unable(all.kind === "failed" ? all.message : NO_CHANGES);
};

interface Job extends Omit<Ends, "head"> {
  readonly input: Input;
  readonly errand: ApprovedWrite;
  readonly scene: WriteContext;
}

const perform = async (
  deps: PullDeps,
  job: Job,
  commits: DraftResult["commits"],
  parent: string,
): Promise<ForgeResult<MergedPull>> => {
  const { errand, scene } = job;
  const plan = {
    name: nameOf(errand),
    commits: commits.map(({ title, tree }) => ({ tree, message: commitMessage(title, errand, scene.run) })),
    parent,
    author: scene.author ?? deps.identity,
    committer: deps.identity,
    at: errand.approved.at,
  };
  const made = valueOf(await deps.changes.commit(scene.run.conversation.id, plan, scene.signal));
  return deliver(deps, job, made);
};

/** Pushes the commit and opens the pull request; skips finished steps. */
const deliver = async (deps: PullDeps, job: Job, commit: Committed): Promise<ForgeResult<MergedPull>> => {
  const { errand, scene, branch } = job;
  const { desk, run, signal } = scene;
  const pack = valueOf(await deps.changes.pack(run.conversation.id, commit, signal));
  const from = commit.parent === run.base.commit ? null : commit.parent;
  const push = { branch, from, to: commit.commit, pack };
  const { fingerprint, by } = errand.approved;
  const ends = { branch, from: commit.parent, to: commit.commit };
  const guarded = { ...ends, fingerprint, by: by.id, desk, signal };
  const admitted = (await deps.guard?.admit(run.conversation.id, guarded)) ?? { kind: "admitted" as const };
  if (admitted.kind !== "admitted") throw new Unable(admitted.why, errand.again);
  await unsure(errand, async () => valueOf(await desk.push(push, signal)));
  await deps.guard?.landed(run.conversation.id, ends);
  return admitted.pull === undefined ? open(job) : { kind: "found", value: admitted.pull };
};

const open = ({ input, errand, scene, base, branch }: Job): Promise<ForgeResult<MergedPull>> => {
  const { desk, run, signal } = scene;
  const text = signed(input.body, errand, run);
  return desk.openPull({ title: oneLine(input.title), text, base, branch }, writeMarkerOf(errand), signal);
};

const nameOf = ({ key }: ApprovedWrite): string => key;

const sumOf = (files: readonly ChangedFile[]): string => {
  const sum = (of: "added" | "removed"): number => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return `${files.length} ${files.length === 1 ? "file" : "files"}, +${sum("added")} −${sum("removed")}`;
};

const NO_CHANGES =
  "There is nothing to propose: this conversation has changed nothing in its checkout. Make the change in a draft and call propose, or where a draft cannot make it ask for Unrestricted with request_mode_upgrade.";
const NOTHING_NEW = "There is nothing to propose: the checkout is as it was pushed before, in";

const undoes = (branch: string, paths: readonly string[]): string =>
  `What was pushed to ${branch} before would be undone: this draft was made anew without it (${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ", …" : ""}). Make that change in the draft too and propose again.`;

const foreign = (branch: string): string =>
  `Somebody else has pushed to ${branch} since this conversation did: nothing is pushed over it. Say so, and let people decide.`;
