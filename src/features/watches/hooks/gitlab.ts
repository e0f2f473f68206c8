import { listOf } from "../../../text/list-of.ts";
import * as z from "zod";
import {
  type Happened,
  type PullHead,
  happened,
  isOwnBranch,
  type WebhookReader,
  reader,
  repoAt,
} from "./forge.ts";

/** Null for an event that no watch can receive. */
export const readGitlab = (body: unknown): Happened | null => {
  const kind = z.object({ object_kind: z.string() }).safeParse(body).data?.object_kind ?? "";
  return READERS.get(kind)?.(body) ?? null;
};

/** Host and path of the repository of a push; null for any other event. */
export const pushedAtGitlab = (body: unknown): string | null => {
  const pushed = z.object({ object_kind: z.literal("push"), project }).safeParse(body).data;
  return pushed === undefined ? null : repoAt(pushed.project.web_url);
};

const project = z.object({ web_url: z.string(), path_with_namespace: z.string() });
const labels = z
  .unknown()
  .transform(listOf(z.object({ title: z.string() })))
  .nullish();
const thing = z.object({
  iid: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  url: z.string(),
  action: z.string().nullish(),
});

const ends = z.object({
  iid: z.int(),
  source_branch: z.string().nullish(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
});

const headOf = ({ iid, source_branch: branch, ...one }: z.output<typeof ends>): PullHead => ({
  branch: branch ?? null,
  isHere: typeof one.source_project_id === "number" && one.source_project_id === one.target_project_id,
  pull: iid,
});

const issue = reader(
  z.object({
    project,
    object_attributes: thing,
    labels,
    changes: z.object({ labels: z.object({ previous: labels, current: labels }).nullish() }).nullish(),
  }),
  ({ project: repo, object_attributes: one, labels: all, changes }) => {
    const before = new Set((changes?.labels?.previous ?? []).map(({ title }) => title));
    const given = (changes?.labels?.current ?? [])
      .map(({ title }) => title)
      .filter((title) => !before.has(title));
    const isLabelled = one.action === "update" && given.length > 0;
    if (one.action !== "open" && !isLabelled) return null;
    return {
      ...happened("issues", repo.web_url, one.url, one.description),
      title: `${repo.path_with_namespace}#${one.iid}: ${one.title}`,
      text: `Issue${isLabelled ? `, labelled ${given.join(", ")}` : ""}\n\n${one.description ?? ""}`,
      fingerprint: `${repo.path_with_namespace}#${one.iid}`,
      labels: isLabelled ? given : (all ?? []).map(({ title }) => title),
      isLabelled,
    };
  },
);

const reviewers = z
  .unknown()
  .transform(listOf(z.object({ id: z.int(), username: z.string().nullish() })))
  .nullish();

const merge = reader(
  z.object({
    project,
    object_attributes: thing.extend(ends.shape).extend({ source_branch: z.string() }),
    changes: z
      .object({ reviewers: z.object({ previous: reviewers, current: reviewers }).nullish() })
      .nullish(),
    user: z.object({ name: z.string() }).nullish(),
  }),
  ({ project: repo, object_attributes: one, changes, user }) => {
    const what = one.action === "merge" ? "merged" : APPROVED.has(one.action ?? "") ? "reviewed" : null;
    if (what !== null)
      return {
        ...happened(what, repo.web_url, one.url, ""),
        ...headOf(one),
        title: `${repo.path_with_namespace}!${one.iid}: ${one.title}`,
        text: what === "merged" ? "" : `Approved by ${user?.name ?? "somebody"}`,
        fingerprint: `${repo.path_with_namespace}!${one.iid} ${what}`,
        once: what === "merged" ? String(one.iid) : `${one.iid} approved by ${user?.name ?? "somebody"}`,
      };
    // An update also tells of reviewers who were removed.
    const before = new Set((changes?.reviewers?.previous ?? []).map(({ id }) => id));
    const asked = (changes?.reviewers?.current ?? []).filter(({ id }) => !before.has(id));
    const isReview = one.action === "update" && asked.length > 0;
    if (one.action !== "open" && !isReview) return null;
    return {
      ...happened(isReview ? "reviews" : "pulls", repo.web_url, one.url, one.description),
      title: `${repo.path_with_namespace}!${one.iid}: ${one.title}`,
      text: `${isReview ? `Review of merge request ${one.iid} asked for${of(asked)}` : "Merge request"}, branch ${one.source_branch}\n\n${one.description ?? ""}`,
      fingerprint: `${repo.path_with_namespace}!${one.iid}${isReview ? " review" : ""}`,
      ...headOf(one),
    };
  },
);

const of = (asked: readonly { readonly username?: string | null | undefined }[]): string => {
  const names = asked.flatMap(({ username }) => username ?? []);
  return names.length === 0 ? "" : ` of ${names.join(", ")}`;
};

/** `approval` is one of several required approvals; `approved` is the last one. */
const APPROVED: ReadonlySet<string> = new Set(["approval", "approved"]);

const pipeline = reader(
  z.object({
    project,
    object_attributes: z.object({
      id: z.int(),
      ref: z.string(),
      status: z.string(),
      url: z.string().nullish(),
      sha: z.string().nullish(),
    }),
    merge_request: ends.nullish(),
  }),
  ({ project: repo, object_attributes: { id, ref, status, url, sha }, merge_request: request }) =>
    status === "failed"
      ? {
          ...happened("checks", repo.web_url, url ?? `${repo.web_url}/-/pipelines/${id}`, ""),
          title: `${repo.path_with_namespace}: checks failed on ${ref}`,
          text: `Pipeline ${id} failed.`,
          fingerprint: `${repo.path_with_namespace} checks ${ref}`,
          once: sha ?? String(id),
          // The branch belongs to the project itself if the event has no merge request.
          ...(request === null || request === undefined
            ? { branch: ref, isHere: true }
            : { ...headOf(request), branch: request.source_branch ?? ref }),
        }
      : null,
);

const note = reader(
  z.object({
    project,
    object_attributes: z.object({
      id: z.int(),
      note: z.string(),
      url: z.string(),
      system: z.boolean().nullish(),
    }),
    issue: thing.pick({ iid: true, title: true }).nullish(),
    merge_request: ends.extend({ title: z.string() }).nullish(),
    user: z.object({ name: z.string() }).nullish(),
  }),
  ({ project: repo, object_attributes: said, issue: one, merge_request: request, user }) => {
    const about = one ?? request ?? null;
    if (about === null || said.system === true) return null;
    // A comment on one of Parley's merge requests is a review; any other comment may mention the bot.
    const head = request === null || request === undefined ? null : headOf(request);
    const isReview = head !== null && isOwnBranch(head.branch);
    return {
      ...happened(isReview ? "reviewed" : "mentions", repo.web_url, said.url, said.note),
      ...(isReview ? { ...head, once: String(said.id) } : {}),
      title: `${repo.path_with_namespace}${one === null || one === undefined ? "!" : "#"}${about.iid}: ${about.title}`,
      text: `Comment${user === null || user === undefined ? "" : ` by ${user.name}`}\n\n${said.note}`,
      fingerprint: `${repo.path_with_namespace} comment ${said.id}`,
    };
  },
);

const READERS: ReadonlyMap<string, WebhookReader> = new Map([
  ["issue", issue],
  ["merge_request", merge],
  ["pipeline", pipeline],
  ["note", note],
]);
