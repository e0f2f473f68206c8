/** `propose`: a click applies exactly the result that people were shown, once, or not at all (D42). */
import { hash } from "node:crypto";
import * as z from "zod";
import type { ConversationId } from "../../machine/id.ts";
import type { Drafts, SealedDraft } from "../../ports/drafts.ts";
import type { DraftPulls } from "../../ports/draft-pulls.ts";
import type { Blobs } from "../../ports/store.ts";
import type {
  ApprovedWrite,
  ProposedWrite,
  ToolHooks,
  ToolOutcome,
  ToolRun,
  WrittenResult,
} from "../../ports/tools.ts";
import { canonical } from "../../text/canonical.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { maskTexts } from "../../text/secrets/mask-texts.ts";
import type { DraftResult } from "../../thread/draft.ts";
import type { Label } from "../../i18n/say.ts";
import { oneLine } from "../../text/one-line.ts";
import { inRepository } from "../repository.ts";
import { defineTool, failure, readInput, success, textField, type Tool, Unable, valueOf } from "../tool.ts";
import { written } from "../writing.ts";

const NAME = "propose";
const MAX_TEXT = 20_000;

const DESCRIPTION = [
  "Propose what stands in the draft. The host reads it (ignored files left out), runs `test_command` in a copy of it, without a network and for at most 15 minutes, and shows people the files, the difference and how the tests ended; they apply it, open a draft pull request from it, ask for changes or discard it. Nothing is real before.",
  "Propose a change that is finished and tested. The result says what they decided. Where they ask for changes the draft stays as it is: change it and propose again. Any change to the draft meanwhile voids what was proposed.",
].join("\n");

const schema = z.object({
  title: textField.min(1).max(200).describe("One line: what the change does."),
  summary: textField
    .min(1)
    .max(MAX_TEXT)
    .describe("Markdown: what was wrong, what was done, how it was tested, what people should look at."),
  test_command: textField
    .max(2_000)
    .refine((command) => !command.includes("\0"), { error: "must not contain a NUL character" })
    .optional()
    .describe("A command whose exit status says whether the change works, such as `npm test`."),
});

type Input = z.output<typeof schema>;

interface ProposeDeps {
  readonly drafts: Drafts;
  readonly pulls: DraftPulls;
  readonly blobs: Pick<Blobs, "put">;
  readonly redact: (text: string) => string;
}

export const createProposeTool = (deps: ProposeDeps): Tool =>
  defineTool({
    name: NAME,
    description: DESCRIPTION,
    origin: "checkout",
    look: {
      past: "Proposed {object}",
      now: "testing and proposing {object}",
      fields: ["title"],
      icon: "check",
      face: "prose",
    },
    judge: null,
    schema,
    tooLarge: "Shorten the summary.",
    run: () => Promise.resolve(failure("Nothing was proposed: nobody could be asked.")),
    writes: {
      propose: (run, hooks) => propose(deps, run, hooks),
      write: (run, errand, hooks) => carryOut(deps, run, errand, hooks),
    },
  });

interface Aimed {
  readonly run: ToolRun;
  readonly folder: string | undefined;
}

/** With several repositories, the proposal belongs to the repository of the open draft. */
const aimed = async ({ drafts }: ProposeDeps, run: ToolRun): Promise<Aimed> => {
  const folder = (await drafts.folder?.(run.conversation.id)) ?? undefined;
  const found = inRepository(run, folder);
  return { run: found.kind === "found" ? found.value : run, folder };
};

const propose = async (deps: ProposeDeps, asked: ToolRun, { signal }: ToolHooks): Promise<ProposedWrite> => {
  const { run, folder } = await aimed(deps, asked);
  const { drafts, redact } = deps;
  const input = readInput(schema, maskTexts(run.input, redact));
  const what = { title: oneLine(input.title), ...omitUndefined({ testCommand: input.test_command }) };
  const sealed = await drafts.seal(run.conversation.id, what, signal);
  switch (sealed.kind) {
    case "none":
      throw new Unable("There is nothing to propose: no draft is open. Call draft first.");
    case "unchanged":
      throw new Unable(
        "There is nothing to propose: no file of the draft differs from the commit it was made of.",
      );
    case "refused":
      throw new Unable(`It cannot be proposed as it is. ${sealed.message}`);
    case "failed":
      throw new Unable(sealed.message);
    case "sealed":
      return resultOf(deps, { run, folder, input, signal }, sealed.result);
  }
};

const resultOf = async (
  { pulls, redact }: ProposeDeps,
  { run, folder, input, signal }: Aimed & { readonly input: Input; readonly signal: AbortSignal },
  result: DraftResult,
): Promise<ProposedWrite & { readonly kind: "result" }> => {
  const project = pulls.at(run.conversation.repo);
  const fact = project.kind === "project" ? await project.named(run, signal) : null;
  const named = fact === null ? undefined : { ...fact, name: `pull request ${fact.name}` };
  return {
    kind: "result",
    title: oneLine(input.title),
    summary: input.summary,
    result: shown(result, redact),
    project: project.kind === "project" ? project.name : null,
    ...omitUndefined({ folder, named }),
    fingerprint: fingerprintOf(result, input),
  };
};

const carryOut = async (
  deps: ProposeDeps,
  asked: ToolRun,
  errand: ApprovedWrite,
  { signal }: ToolHooks,
): Promise<WrittenResult> => {
  const { run, folder } = await aimed(deps, asked);
  const { drafts, redact } = deps;
  const { id } = run.conversation;
  const input = readInput(schema, maskTexts(run.input, redact));
  const sealed = await drafts.sealed(id);
  if (sealed === null) return gone;
  const { tree, base } = sealed;
  if (fingerprintOf(sealed, input) !== errand.approved.fingerprint) return voided(OTHER);
  const { write } = errand.approved;
  // An earlier try may have written already: its result is found below, and the answer must not say that nothing was written.
  if ((write === "apply_draft" || write === "open_pull_request") && !errand.again) {
    const now = await drafts.movedOn(id, signal);
    if (now !== null) {
      const anew = await resultOf(deps, { run, folder, input, signal }, askedAgain(now));
      return { ...voided(MOVED_ON), anew };
    }
  }
  switch (write) {
    case "discard_draft":
      await drafts.discard(id);
      return {
        outcome: success("A person discarded the draft."),
        wrote: { kind: "done", name: short(tree) },
      };
    case "apply_draft": {
      const all = sealed.commits.length;
      const { commits = all } = errand.approved;
      const last = sealed.commits[commits - 1]?.tree ?? tree;
      const applied = await drafts.apply(id, { tree: last, base, commits }, signal);
      if (applied.kind === "gone") return gone;
      if (applied.kind === "failed") throw new Unable(applied.message);
      if (applied.kind === "void") return voided(applied.why);
      const rest =
        commits < all
          ? `They took the first ${commits} of ${all} commits, which were not tested without the rest; that is in the draft still: change it where they want it otherwise, and propose it again`
          : "The draft is closed";
      const said = `Done, as a person approved it: the working directory is the draft's tree ${short(last)} now, committed on the branch ${applied.branch}. ${rest}; the permission is what it was.`;
      const files = await patchFile(deps, id, { tree: last, base }, signal);
      return { outcome: { ...success(said), ...files }, wrote: { kind: "done", name: applied.branch } };
    }
    case "open_pull_request":
      return openPull(deps, { run, errand, sealed, input }, signal);
    case "file_issue":
    case "comment_on_issue":
    case "label_issue":
    case "merge_pull_request":
    case "post_review":
    case "mcp_call":
    case "secret_command":
      throw new Unable("Nothing was done: this is not what a person was asked.");
  }
};

/** For people without access to the checkout. Empty if the patch contains a secret. */
const patchFile = async (
  { drafts, blobs, redact }: ProposeDeps,
  id: ConversationId,
  what: { readonly tree: string; readonly base: string },
  signal: AbortSignal,
): Promise<Pick<ToolOutcome, "files">> => {
  const patch = await drafts.patch(id, what, signal);
  if (patch === null || patch.length === 0) return {};
  const bytes = Buffer.from(patch);
  const text = bytes.toString("utf8");
  if (redact(text) !== text) return {};
  const stored = await blobs.put(bytes);
  if (stored.kind === "failed") return {};
  const { hash } = stored;
  const name = "change.patch";
  return { files: [{ hash, name, title: "What was applied", mediaType: "text/x-diff", size: bytes.length }] };
};

const openPull = async (
  { drafts, pulls, redact }: ProposeDeps,
  {
    run,
    errand,
    sealed,
    input,
  }: {
    readonly run: ToolRun;
    readonly errand: ApprovedWrite;
    readonly sealed: SealedDraft;
    readonly input: Input;
  },
  signal: AbortSignal,
): Promise<WrittenResult> => {
  const project = pulls.at(run.conversation.repo);
  if (project.kind === "none") throw new Unable(project.why);
  const { title, summary: body } = input;
  const pull = { run, errand, title, body, commits: shownCommits(sealed, redact), signal };
  const resumed = valueOf(await project.resume(pull));
  // An earlier process compared the draft before it committed; if it died before that, nothing has been compared.
  if (resumed === null) {
    const now = await drafts.tree(run.conversation.id, signal);
    if (now.kind === "failed") throw new Unable(now.message);
    if (now.kind === "none") return gone;
    if (now.tree !== sealed.tree) return voided("The draft has changed since it was shown.");
  }
  const opened = written(resumed ?? valueOf(await project.open(pull)));
  return { ...opened, outcome: { ...opened.outcome, text: `${opened.outcome.text}\n${STAYS}` } };
};

const voided = (why: string): WrittenResult => ({
  outcome: failure(`Nothing was done: ${why} Propose it again, so that people see it as it is now.`),
  wrote: { kind: "void", why },
});

const GONE = "The draft is gone: it was dropped, lost, or not used for long.";

const gone: WrittenResult = {
  outcome: failure(`${GONE} Call draft and make the change again.`),
  wrote: { kind: "failed", why: `${GONE} Ask me to draft it again.` },
};

/** The draft stays open, because a new one would lack the branch's changes: its next commit would undo them. */
const STAYS =
  "The working directory is what it was. The draft stays open with the change: what is changed there and proposed next goes on top of it.";
const askedAgain = ({ moved, ...result }: DraftResult): DraftResult =>
  moved === undefined ? result : { ...result, moved: { ...moved, again: true } };

const MOVED_ON: Label = "The branch has changed since this card was posted, so please decide again.";
const OTHER = "Another result was proposed since this one was shown.";

/** Redacts the texts that people read; the tree stays unchanged. */
const shown = (result: DraftResult, redact: ProposeDeps["redact"]): DraftResult => ({
  ...result,
  diff: redact(result.diff),
  commits: shownCommits(result, redact),
  test: result.test === null ? null : { ...result.test, tail: redact(result.test.tail) },
});

const shownCommits = ({ commits }: SealedDraft, redact: ProposeDeps["redact"]): SealedDraft["commits"] =>
  commits.map((commit) => ({ ...commit, title: redact(commit.title) }));

const fingerprintOf = ({ tree, base, commits }: SealedDraft, { title, summary }: Input): string =>
  hash(
    "sha256",
    canonical({ write: NAME, tree, base, title, summary, ...(commits.length < 2 ? {} : { commits }) }),
  );

const short = (tree: string): string => tree.slice(0, 9);
