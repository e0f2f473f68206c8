import type { z } from "zod";
import type { DeskClient, Item, IssueThread } from "../api/forge-writer.ts";
import type { WriteTarget } from "../ports/forge-writer.ts";
import { ITEMS_A_PAGE } from "../api/gather.ts";
import { hasWriteMarker, sinceOf, findOnPages } from "../api/idempotent.ts";
import { type Client, Refused } from "./client.ts";
import { gitlabMerging } from "./merging.ts";
import { gitlabReviews } from "./reviews.ts";
import { withoutActions } from "./without-actions.ts";
import {
  GITLAB_DEVELOPER,
  issueWire,
  type IssueWire,
  labelWire,
  mergeWire,
  type MergeWire,
  noteWire,
  projectWire,
} from "./schema.ts";

const NEWEST = { order_by: "created_at", sort: "desc", per_page: ITEMS_A_PAGE } as const;

export const gitlabDesk = (client: Client): DeskClient => ({
  facts: async () => {
    const facts = await client.get(projectWire, "");
    return {
      path: facts.path_with_namespace,
      isArchived: facts.archived,
      defaultBranch: facts.default_branch ?? null,
      hasIssues: facts.issues_enabled,
      mayPush: mayPushWith(facts.permissions),
    };
  },
  labels: async (page) => {
    const { items, ...paged } = await client.list(labelWire, "/labels", { page, per_page: ITEMS_A_PAGE });
    return { ...paged, items: items.map(({ name }) => name) };
  },
  issues: async (mark, page) => {
    const asked = { ...NEWEST, scope: "all", created_after: sinceOf(mark).toISOString(), page };
    return (await client.list(issueWire, "/issues", asked)).items.map(itemOf);
  },
  fileIssue: async ({ title, text, labels }) => {
    const draft = { title, description: withoutActions(text), labels: labels.join(",") };
    return itemOf(await client.send(issueWire, "POST", "/issues", draft));
  },
  thread: (target) => threadOf(client, target),
  merging: (number) => gitlabMerging(client, number),
  reviews: (pull) => gitlabReviews(client, pull),
  remarks: ({ number, thread }) => {
    const path = `/merge_requests/${number}/discussions/${encodeURIComponent(thread)}/notes`;
    return {
      find: threadOf(client, { number, isPull: true }).find,
      comment: async (text) => {
        const { web_url: root } = await client.get(mergeWire, `/merge_requests/${number}`);
        const { id } = await client.send(noteWire, "POST", path, { body: withoutActions(text) });
        return `${root}#note_${id}`;
      },
    };
  },
  pulls: async (branch) => {
    const asked = { ...NEWEST, source_branch: branch, scope: "all", page: 1 };
    return (await client.list(mergeWire, "/merge_requests", asked)).items
      .filter((each) => each.source_project_id === each.target_project_id)
      .map((merge) => ({ ...itemOf(merge), isOpen: merge.state === "opened" }));
  },
  openPull: async ({ title, text, base, branch }) => {
    const ends = { source_branch: branch, target_branch: base };
    const draft = { ...ends, title: `Draft: ${title}`, description: withoutActions(text) };
    return itemOf(await client.send(mergeWire, "POST", "/merge_requests", draft));
  },
});

/** Without a role in the project or its group, both levels are null. */
const mayPushWith = (given: z.output<typeof projectWire>["permissions"]): boolean => {
  if (given == null) return true;
  const levels = [given.project_access, given.group_access].map((one) => one?.access_level ?? 0);
  return Math.max(...levels) >= GITLAB_DEVELOPER;
};

/** GitLab numbers issues and merge requests separately. */
const threadOf = (client: Client, { number, isPull }: WriteTarget): IssueThread => {
  const path = `/${isPull ? "merge_requests" : "issues"}/${number}`;
  const schema = isPull ? mergeWire : issueWire;
  const url = async (): Promise<string> => (await client.get(schema, path)).web_url;
  let asked: ReturnType<typeof url> | null = null;
  // The URL is read before the comment is written: a comment without a known URL would look like a failure.
  const address = (): ReturnType<typeof url> => (asked ??= url());
  return {
    url,
    find: async (mark) => {
      const root = await address();
      const since = sinceOf(mark).getTime();
      const found = await findOnPages(
        async (page) => {
          const { items, isLast } = await client.list(noteWire, `${path}/notes`, { ...NEWEST, page });
          // Notes older than the mark cannot contain it. A page may be shorter than requested.
          return { items, isLast: isLast || items.some(({ created_at: at }) => Date.parse(at) < since) };
        },
        ({ body }) => hasWriteMarker(body, mark),
      );
      return found === null ? null : `${root}#note_${found.id}`;
    },
    comment: async (text) => {
      const root = await address();
      const note = { body: withoutActions(text) };
      const { id } = await client.send(noteWire, "POST", `${path}/notes`, note);
      return `${root}#note_${id}`;
    },
    label: async ({ add, remove }) => {
      const change = {
        ...(add.length === 0 ? {} : { add_labels: add.join(",") }),
        ...(remove.length === 0 ? {} : { remove_labels: remove.join(",") }),
      };
      await client.send(schema, "PUT", path, change);
    },
  };
};

const itemOf = ({ iid: number, web_url: url, description: text }: IssueWire | MergeWire): Item => ({
  number,
  url,
  text,
});

export const isGitlabRefusal = (error: unknown): boolean => error instanceof Refused && error.status < 500;
