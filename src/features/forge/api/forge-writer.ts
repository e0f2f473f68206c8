/** Requests that write to a project, after a person has approved them; equal for every forge. */

import type { MergedPull } from "../../../ports/draft-pulls.ts";
import type {
  ForgeWriter,
  IssueDraft,
  LabelChange,
  RemarkThread,
  WriteMarker,
  PullDraft,
  ReviewDraft,
  RepositoryInfo,
  WriteTarget,
} from "../ports/forge-writer.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import { type Address, projectName } from "../../../ports/address.ts";
import { type ForgeQuery, ITSELF } from "./ask.ts";
import { gather, type Page } from "./gather.ts";
import {
  hasWriteMarker,
  withWriteMarker,
  once,
  findOnPages,
  TooMuch,
  retryIdempotent,
} from "./idempotent.ts";
import { createMergeWriter, type MergeClient } from "./merge-writer.ts";
import { createRemote, type RemoteAccess } from "./remote.ts";

export interface Item {
  readonly number: number;
  readonly url: string;
  readonly text: string | null | undefined;
}

/** Issue or pull request that receives comments and labels. */
export interface IssueThread {
  /** URL of the issue or pull request itself. */
  url(): Promise<string>;
  /** URL of the comment with the mark; null if there is none. */
  find(mark: WriteMarker): Promise<string | null>;
  comment(text: string): Promise<string>;
  label(change: LabelChange): Promise<void>;
}

/** Reviews of one pull request. */
export interface ReviewThread {
  /** URL of the review with the mark; null if there is none. */
  find(mark: WriteMarker): Promise<string | null>;
  post(review: ReviewDraft, mark: WriteMarker): Promise<string>;
}

/** Requests that the desk makes to a forge; lists have PAGE items per page. */
export interface DeskClient {
  facts(): Promise<Facts>;
  labels(page: number): Promise<Page<string>>;
  /** Issues that can contain the mark, newest first. */
  issues(mark: WriteMarker, page: number): Promise<readonly Item[]>;
  fileIssue(draft: IssueDraft): Promise<Item>;
  thread(target: WriteTarget): IssueThread;
  reviews(pull: number): ReviewThread;
  remarks(target: RemarkThread): Pick<IssueThread, "find" | "comment">;
  /** Pull requests from a branch of the project itself, newest first. */
  pulls(branch: string): Promise<readonly (Item & { readonly isOpen: boolean })[]>;
  /** Opens the pull request as a draft. */
  openPull(draft: PullDraft): Promise<Item>;
  merging(number: number): MergeClient;
}

interface Facts {
  /** Owner and name. */
  readonly path: string;
  readonly isArchived: boolean;
  readonly defaultBranch: string | null;
  readonly hasIssues: boolean;
  readonly mayPush: boolean;
}

interface DeskForge {
  readonly address: Address;
  readonly git: RemoteAccess;
  readonly pullSign: "#" | "!";
  readonly mayRequestChanges: boolean;
  readonly ask: ForgeQuery<DeskClient>;
  /** Whether the forge has answered and the answer is a refusal. */
  readonly isRefusal: (error: unknown) => boolean;
}

/** Maximum number of pages of labels. */
const MOST_LABEL_PAGES = 20;

export const createForgeWriter = (forge: DeskForge): ForgeWriter => {
  const { address, git, pullSign, mayRequestChanges, ask, isRefusal } = forge;
  const remote = createRemote(address, git);
  const nameOf = ({ number, isPull }: WriteTarget): string => `${isPull ? pullSign : "#"}${number}`;
  const landed = (target: WriteTarget, url: string): MergedPull => ({
    name: `${projectName(address)}${nameOf(target)}`,
    url,
  });
  const at = ({ number, url }: Item, isPull: boolean): MergedPull => landed({ number, isPull }, url);
  const described = (target: WriteTarget): string =>
    `${target.isPull && pullSign === "!" ? "merge request" : "issue"} ${nameOf(target)}`;

  return {
    repository: async (signal) => {
      const asked = await ask(ITSELF, signal, (client) => client.facts());
      return asked.kind === "trouble" ? asked : standing(address, asked.value);
    },
    unknownLabels: (names, signal) =>
      ask("label", signal, async (client) => {
        const { items, left } = await gather(client.labels, MOST_LABEL_PAGES);
        const known = new Set(items.map((name) => name.toLowerCase()));
        const unknown = names.filter((name) => !known.has(name.toLowerCase()));
        // The unread pages may contain the label.
        if (unknown.length > 0 && left !== 0) throw new TooMuch();
        return unknown;
      }),
    fileIssue: (draft, mark, signal) =>
      ask("issue", signal, (client) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const found = await findOnPages(
              (page) => client.issues(mark, page),
              ({ text }) => hasWriteMarker(text, mark),
            );
            return found && at(found, false);
          },
          async () =>
            at(await client.fileIssue({ ...draft, text: withWriteMarker(draft.text, mark) }), false),
        ),
      ),
    comment: (target, text, mark, signal) =>
      ask(described(target), signal, (client) => {
        const thread = client.thread(target);
        return once(
          { mark, signal, isRefusal },
          async () => {
            const found = await thread.find(mark);
            return found === null ? null : landed(target, found);
          },
          async () => landed(target, await thread.comment(withWriteMarker(text, mark))),
        );
      }),
    reply: (remark, text, mark, signal) =>
      ask(described({ number: remark.number, isPull: true }), signal, (client) => {
        const thread = client.remarks(remark);
        const answered = (url: string): MergedPull => landed({ number: remark.number, isPull: true }, url);
        return once(
          { mark, signal, isRefusal },
          async () => {
            const found = await thread.find(mark);
            return found === null ? null : answered(found);
          },
          async () => answered(await thread.comment(withWriteMarker(text, mark))),
        );
      }),
    // Repeating the change has no further effect.
    label: (target, change, signal) =>
      ask(described(target), signal, async (client) => {
        const thread = client.thread(target);
        const url = await thread.url();
        await retryIdempotent(isRefusal, () => thread.label(change));
        return landed(target, url);
      }),
    mayRequestChanges,
    reviewWith: (number, mark, signal) => {
      const target = { number, isPull: true };
      return ask(described(target), signal, async (client) => {
        const found = await client.reviews(number).find(mark);
        return found === null ? null : landed(target, found);
      });
    },
    postReview: (review, mark, signal) => {
      const target = { number: review.pull, isPull: true };
      return ask(described(target), signal, (client) => {
        const reviews = client.reviews(review.pull);
        return once(
          { mark, signal, isRefusal },
          async () => {
            const found = await reviews.find(mark);
            return found === null ? null : landed(target, found);
          },
          async () => landed(target, await reviews.post(review, mark)),
        );
      });
    },
    ...remote,
    ...createMergeWriter({
      ask,
      isRefusal,
      described: (number) => `${pullSign === "!" ? "merge" : "pull"} request ${pullSign}${number}`,
      landed: (number, url) => landed({ number, isPull: true }, url),
    }),
    pullOf: (branch, signal) =>
      ask("branch", signal, async (client) => {
        const found = (await client.pulls(branch)).find(({ isOpen }) => isOpen);
        return found === undefined ? null : at(found, true);
      }),
    openPull: (draft, mark, signal) =>
      ask("branch", signal, (client) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const found = (await client.pulls(draft.branch)).find(
              ({ isOpen, text }) => isOpen || hasWriteMarker(text, mark),
            );
            return found === undefined ? null : at(found, true);
          },
          async () => at(await client.openPull({ ...draft, text: withWriteMarker(draft.text, mark) }), true),
        ),
      ),
  };
};

const standing = (
  address: Address,
  { path, isArchived, defaultBranch, hasIssues, mayPush }: Facts,
): ForgeResult<RepositoryInfo> => {
  const project = projectName(address);
  if (path.toLowerCase() !== `${address.owner}/${address.name}`.toLowerCase()) {
    return trouble(`${project} is called ${path} now: bind the channel to it under its new name.`);
  }
  if (isArchived) return trouble(`${project} is archived: nothing can be written to it.`);
  if (defaultBranch === null) return trouble(`${project} has no branch yet.`);
  return { kind: "found", value: { defaultBranch, hasIssues, mayPush } };
};

const trouble = (why: string): ForgeResult<never> => ({ kind: "trouble", why });
