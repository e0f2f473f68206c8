/** The writing requests of GitLab. */

import type { DeskClient, Item, Thread } from "../desk.ts";
import type { Mark, Target } from "../../ports/desk.ts";
import { hasMark, PAGE, sinceOf, TooMuch } from "../idempotent.ts";
import type { Client } from "./client.ts";
import { Refused } from "./transport.ts";
import {
  issueWire,
  type IssueWire,
  labelWire,
  mergeWire,
  type MergeWire,
  noteWire,
  pageOf,
  projectWire,
} from "./schema.ts";

const NEWEST = { orderBy: "created_at", sort: "desc", perPage: PAGE, showExpanded: true } as const;

export const gitlabDesk = (client: Client): DeskClient => {
  const { projects, labels, issues, merges, projectId } = client;
  return {
    facts: async () => {
      const facts = projectWire.parse(await projects.show(projectId));
      return {
        path: facts.path_with_namespace,
        isArchived: facts.archived,
        defaultBranch: facts.default_branch ?? null,
        hasIssues: facts.issues_enabled,
      };
    },
    labels: async (page) => {
      const asked = { page, perPage: PAGE, showExpanded: true } as const;
      return pageOf(labelWire, await labels.all(projectId, asked)).items.map(({ name }) => name);
    },
    issues: async (mark, page) => {
      const createdAfter = sinceOf(mark).toISOString();
      const asked = { ...NEWEST, projectId, scope: "all", createdAfter, page } as const;
      return pageOf(issueWire, await issues.all(asked)).items.map(itemOf);
    },
    fileIssue: async ({ title, text, labels: names }) => {
      const draft = { description: withoutActions(text), labels: names.join(",") };
      return itemOf(issueWire.parse(await issues.create(projectId, title, draft)));
    },
    thread: (target) => threadOf(client, target),
    pulls: async (branch) => {
      const asked = { ...NEWEST, projectId, sourceBranch: branch, scope: "all", page: 1 } as const;
      return pageOf(mergeWire, await merges.all(asked))
        .items.filter((each) => each.source_project_id === each.target_project_id)
        .map((merge) => ({ ...itemOf(merge), isOpen: merge.state === "opened" }));
    },
    openPull: async ({ title, text, base, branch }) => {
      const draft = { description: withoutActions(text) };
      return itemOf(mergeWire.parse(await merges.create(projectId, branch, base, `Draft: ${title}`, draft)));
    },
  };
};

/** GitLab counts issues and merge requests apart. */
const threadOf = (client: Client, { number, isPull }: Target): Thread => {
  const { issues, merges, projectId } = client;
  const notes = isPull ? client.mergeNotes : client.issueNotes;
  const url = async (): Promise<string> =>
    isPull
      ? mergeWire.parse(await merges.show(projectId, number)).web_url
      : issueWire.parse(await issues.show(number, { projectId })).web_url;
  let asked: ReturnType<typeof url> | null = null;
  // Where its address cannot be read, nothing is written: a comment without one would look like a failure.
  const address = (): ReturnType<typeof url> => (asked ??= url());
  return {
    url,
    find: async (mark) => {
      const root = await address();
      const found = await noteOf((page) => notes.all(projectId, number, { ...NEWEST, page }), mark);
      return found === null ? null : `${root}#note_${found}`;
    },
    comment: async (text) => {
      const root = await address();
      const { id } = noteWire.parse(await notes.create(projectId, number, withoutActions(text)));
      return `${root}#note_${id}`;
    },
    label: async ({ add, remove }) => {
      const change = {
        ...(add.length === 0 ? {} : { addLabels: add.join(",") }),
        ...(remove.length === 0 ? {} : { removeLabels: remove.join(",") }),
      };
      await (isPull ? merges.edit(projectId, number, change) : issues.edit(projectId, number, change));
    },
  };
};

/** Pages of notes that are looked through. */
const MAX_PAGES = 5;

/** Nothing older than the mark can carry it. A page may be shorter than what was asked for. */
const noteOf = async (read: (page: number) => Promise<unknown>, mark: Mark): Promise<number | null> => {
  const since = sinceOf(mark).getTime();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, isLast } = pageOf(noteWire, await read(page));
    const found = items.find(({ body }) => hasMark(body, mark));
    if (found !== undefined) return found.id;
    if (isLast || items.some(({ created_at: at }) => Date.parse(at) < since)) return null;
  }
  throw new TooMuch();
};

const itemOf = ({ iid: number, web_url: url, description: text }: IssueWire | MergeWire): Item => ({
  number,
  url,
  text,
});

/**
 * GitLab carries out lines that begin with a slash and a word (`/close`, `/merge`, `/assign`): people approved a text,
 * not these. A backslash before the slash is not shown and keeps the line a text.
 */
const withoutActions = (text: string): string =>
  text.replaceAll(/\r\n?/g, "\n").replaceAll(/^([^\S\n]*)\/(?=[a-z_]+(?:\s|$))/gim, "$1\\/");

export const isRefusal = (error: unknown): boolean => error instanceof Refused && error.status < 500;
