/** Texts of a GitLab project besides code: issues with comments, releases, wiki. */

import { z } from "zod";
import type { ForgeArchive, ForgeSourceKind, ArchivedText } from "../../../ports/forge-archive.ts";
import { pathIn, projectName } from "../../../ports/address.ts";
import { type List, readLists } from "../api/archive-cursor.ts";
import type { GitLabAccess } from "../api/access.ts";
import { askGitLab } from "./ask.ts";
import type { Client } from "./client.ts";
import { issueWire, noteWire } from "./schema.ts";

/** Issues per page; fewer than possible, because the comments of each issue take a request. */
const ISSUES = 20;
const PAGE = 100;

export const createGitLabArchive = (access: GitLabAccess): ForgeArchive => {
  const ask = askGitLab(access, "read");
  return {
    name: projectName(access.address),
    lacks: (what) => (what === "discussions" ? NO_DISCUSSIONS : null),
    holds: (what, asked) => KINDS[what].test(pathIn(access.address, asked) ?? ""),
    read: (what, from, signal) => ask(what, signal, (client) => readLists([lists[what]])(client, from)),
  };
};

const KINDS: Readonly<Record<ForgeSourceKind, RegExp>> = {
  issues: /^(?:-\/)?(?:issues|work_items)\//,
  releases: /^(?:-\/)?releases\//,
  wiki: /^(?:-\/)?wikis\//,
  discussions: /^\b$/,
};

const NO_DISCUSSIONS = "GitLab has no discussions: its issues hold them.";

const changedIssue = issueWire.extend({
  updated_at: z.string(),
  milestone: z.object({ title: z.string() }).nullish(),
});
const changedNote = noteWire.extend({ updated_at: z.string() });

const issues: List<Client> = async (client, { since, page }) => {
  const { items } = await client.list(changedIssue, "/issues", {
    order_by: "updated_at",
    sort: "asc",
    scope: "all",
    per_page: ISSUES,
    page,
    ...(since === null ? {} : { updated_after: since }),
  });
  const leaves: ArchivedText[] = [];
  for (const issue of items) {
    const key = `${issue.iid}`;
    const notes = issue.user_notes_count === 0 ? [] : await notesOf(client, issue.iid);
    const common = { title: issue.title, version: issue.milestone?.title ?? null };
    leaves.push(
      {
        ...common,
        key,
        address: issue.web_url,
        text: issue.description ?? "",
        state: issue.state === "opened" ? "open" : issue.state,
        at: Date.parse(issue.updated_at),
      },
      ...notes.map((note) => ({
        ...common,
        key: `${key} ${note.id}`,
        of: key,
        address: `${issue.web_url}#note_${note.id}`,
        text: note.body,
        at: Date.parse(note.updated_at),
      })),
    );
  }
  return { leaves, size: items.length, most: ISSUES, last: items.at(-1)?.updated_at ?? null };
};

/** The first hundred comments of people. */
const notesOf = async (client: Client, issue: number) => {
  const asked = { sort: "asc", order_by: "created_at", activity_filter: "only_comments", per_page: PAGE };
  const { items } = await client.list(changedNote, `/issues/${issue}/notes`, asked);
  return items.filter(({ system }) => !system);
};

const releaseWire = z.object({
  tag_name: z.string(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  released_at: z.string(),
  _links: z.object({ self: z.string().nullish() }).nullish(),
});

const releases: List<Client> = async (client, { page }) => {
  const { items } = await client.list(releaseWire, "/releases", { per_page: PAGE, page });
  const leaves = items.flatMap(({ _links: links, ...one }): readonly ArchivedText[] => {
    const address = links?.self;
    if (address == null) return [];
    return [
      {
        key: one.tag_name,
        address,
        title: one.name ?? one.tag_name,
        text: one.description ?? "",
        state: "release",
        version: one.tag_name,
        at: Date.parse(one.released_at),
      },
    ];
  });
  return { leaves, size: items.length, most: PAGE, last: null };
};

const projectWire = z.object({ web_url: z.string() });
const wikiWire = z.object({ slug: z.string(), title: z.string(), content: z.string().nullish() });

/** Reads all pages of the wiki in one request. */
const wiki: List<Client> = async (client) => {
  const [{ web_url: web }, { items }] = await Promise.all([
    client.get(projectWire, ""),
    client.list(wikiWire, "/wikis", { with_content: "1" }),
  ]);
  const at = Date.now();
  const leaves = items.map(
    ({ slug, title, content }): ArchivedText => ({
      key: slug,
      address: `${web}/-/wikis/${slug.split("/").map(encodeURIComponent).join("/")}`,
      title,
      text: content ?? "",
      at,
    }),
  );
  return { leaves, size: 0, most: 1, last: null };
};

const lists: Readonly<Record<ForgeSourceKind, List<Client>>> = {
  issues,
  releases,
  wiki,
  discussions: () => Promise.resolve({ leaves: [], size: 0, most: 1, last: null }),
};
