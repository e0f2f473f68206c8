/** A GitLab project as a conversation can read it. A merge request is a pull request in terms of the port. */

import type {
  IssueHit,
  SearchResult,
  SimilarIssue,
  Issue,
  Pull,
  PullFile,
  Review,
  SearchState,
} from "../ports/project.ts";
import type { WritableProject } from "../ports/forge-writer.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { projectName } from "../../../ports/address.ts";
import type { RemoteAccess } from "../api/remote.ts";
import type { GitLabAccess } from "../api/access.ts";
import { createForgeWriter } from "../api/forge-writer.ts";
import { askGitLab } from "./ask.ts";
import { readGitlabChecks } from "./checks.ts";
import { type Client, type GitLabPage, Refused } from "./client.ts";
import { gitlabDesk, isGitlabRefusal } from "./desk.ts";
import {
  commentOf,
  diffWire,
  type DiffWire,
  fileContentWire,
  issueWire,
  type IssueWire,
  mergeWire,
  type MergeWire,
  noteWire,
  type NoteWire,
  treeWire,
  wholeCommitWire,
} from "./schema.ts";
import { gather, ITEMS_A_PAGE } from "../api/gather.ts";
import { textIn } from "../api/text-in.ts";
import { gitlabTended } from "./tended.ts";

/** Comments per page, and hits per search. */
const COMMENTS = 30;
const HITS = 20;

export const createGitLabProject = (access: GitLabAccess, git: RemoteAccess): WritableProject => {
  const ask = askGitLab(access, "read");
  const write = askGitLab(access, "write");
  return {
    name: projectName(access.address),
    host: access.address.host,
    kind: "gitlab",
    pullSign: "!",
    desk: createForgeWriter({
      address: access.address,
      git,
      pullSign: "!",
      // No request of the API does this in every edition of GitLab.
      mayRequestChanges: false,
      ask: (what, signal, question) => write(what, signal, (client) => question(gitlabDesk(client))),
      isRefusal: isGitlabRefusal,
    }),
    issue: (number, page, signal) => ask(`issue #${number}`, signal, readIssue(number, page)),
    search: (query, state, signal) => ask("search result", signal, search(query, state)),
    pull: (number, signal) => ask(`merge request !${number}`, signal, readMerge(number)),
    checks: (ref, signal, read) =>
      ask(`commit or branch ${ref.slice(0, 80)}`, signal, readGitlabChecks(ref, read)),
    commit: (sha, signal) =>
      ask(`commit ${sha}`, signal, async (client) => {
        const path = `/repository/commits/${sha}`;
        const [commit, diffs] = await Promise.all([
          client.get(wholeCommitWire, path),
          gather((page) => client.list(diffWire, `${path}/diff`, { page, per_page: ITEMS_A_PAGE }), 1),
        ]);
        const files = diffs.items.map(fileOf);
        return {
          sha: commit.id,
          author: commit.author_name,
          at: Date.parse(commit.created_at),
          text: commit.message,
          filesInAll: files.length + (diffs.left ?? 0),
          files,
        };
      }),
    file: (ref, path, signal) =>
      ask(`file ${path.slice(0, 200)} at ${ref.slice(0, 80)}`, signal, async (client) => {
        const asked = `/repository/files/${encodeURIComponent(path)}?ref=${encodeURIComponent(ref)}`;
        const { content } = await client.get(fileContentWire, asked);
        return { ref, path, host: access.address.host, text: textIn(content) };
      }),
    ...gitlabTended(ask),
    folder: (ref, path, signal) =>
      ask(`folder ${path.slice(0, 200)}`, signal, async (client) => {
        const list = (page: number) =>
          client.list(treeWire, "/repository/tree", { path, ref, page, per_page: ITEMS_A_PAGE });
        const { items } = await gather(list, MAX_PAGES).catch(unlessUnreadable);
        return items.map(({ name, type }) => ({ name, isFolder: type === "tree" }));
      }),
    similar: (words, signal) => ask("search result", signal, similar(words)),
  };
};

/** A missing right to read files looks like a project without the folder. */
const unlessUnreadable = (error: unknown): { readonly items: readonly never[] } => {
  if (error instanceof Refused && [403, 404].includes(error.status)) return { items: [] };
  throw error;
};

/** Words that are searched separately, besides all words together: GitLab finds only titles with every word of a search. */
const MOST_WORDS = 3;

const similar =
  (words: readonly string[]) =>
  async (client: Client): Promise<readonly SimilarIssue[]> => {
    const searches = new Set([words.join(" "), ...words.slice(0, MOST_WORDS)]);
    const lists = await Promise.all(
      [...searches].map((query) =>
        client.list(issueWire, "/issues", {
          search: query,
          in: "title",
          scope: "all",
          page: 1,
          per_page: HITS,
        }),
      ),
    );
    return lists
      .flatMap(({ items }) => items)
      .map((issue) => ({ ...hitOf(issue, false), closedAt: closedAtOf(issue) }));
  };

/** An old GitLab may not name the time, so that the issue counts as closed long ago. */
const closedAtOf = ({ state, closed_at: at }: IssueWire): number | null =>
  state === "opened" ? null : Date.parse(at ?? "1970-01-01T00:00:00Z");

const readIssue =
  (number: number, page: number) =>
  async (client: Client): Promise<Issue> => {
    const path = `/issues/${number}`;
    const order = { sort: "asc", order_by: "created_at", activity_filter: "only_comments" };
    const [issue, notes] = await Promise.all([
      client.get(issueWire, path),
      client.list(noteWire, `${path}/notes`, { ...order, page, per_page: COMMENTS }),
    ]);
    return {
      ...commentOf(issue, issue.description),
      ...headOf(issue),
      isPull: false,
      labels: issue.labels,
      comments: notes.items.filter(({ system }) => !system).map((note) => commentOf(note, note.body)),
      commentsInAll: issue.user_notes_count,
    };
  };

/** Lists to search, each with GitLab's name of the state; without a name GitLab returns all states. */
const LISTS = {
  open: ["issues opened", "merge_requests opened"],
  closed: ["issues closed", "merge_requests merged", "merge_requests closed"],
  all: ["issues", "merge_requests"],
} as const satisfies Record<SearchState, unknown>;

/** Searches the project's own two lists. No query can reach beyond the project in these lists. Newest first. */
const search =
  (query: string, state: SearchState) =>
  async (client: Client): Promise<SearchResult> => {
    const words = { search: query, in: "title,description", scope: "all" };
    const asked = { ...words, page: 1, per_page: HITS };
    const lists = await Promise.all(
      LISTS[state].map(async (list) => {
        const [name = "", called] = list.split(" ");
        const query = { ...asked, ...omitUndefined({ state: called }) };
        const isPull = name === "merge_requests";
        return hitsOf(await client.list(isPull ? mergeWire : issueWire, `/${name}`, query), isPull);
      }),
    );
    return {
      inAll: lists.reduce<number | null>(
        (sum, { inAll }) => (sum === null || inAll === null ? null : sum + inAll),
        0,
      ),
      hits: lists
        .flatMap(({ hits }) => hits)
        .toSorted((a, b) => b.at - a.at)
        .slice(0, HITS),
    };
  };

const hitsOf = (
  { items, inAll, isLast }: GitLabPage<IssueWire | MergeWire>,
  isPull: boolean,
): SearchResult => ({
  hits: items.map((item) => hitOf(item, isPull)),
  inAll: inAll ?? (isLast ? items.length : null),
});

const headOf = (given: IssueWire | MergeWire): Pick<IssueHit, "number" | "title" | "state" | "url"> => ({
  number: given.iid,
  title: given.title,
  state: stateOf(given.state),
  url: given.web_url,
});

const hitOf = (given: IssueWire | MergeWire, isPull: boolean): IssueHit => {
  const { author, at } = commentOf(given, null);
  return { ...headOf(given), isPull, author, at };
};

const stateOf = (state: string): string => (state === "opened" ? "open" : state);

/** Maximum number of pages of files, and of notes. */
const MAX_PAGES = 5;

const readMerge =
  (number: number) =>
  async (client: Client): Promise<Pull> => {
    const path = `/merge_requests/${number}`;
    const newest = { sort: "desc", order_by: "created_at", per_page: ITEMS_A_PAGE };
    const [merge, diffs, notes] = await Promise.all([
      client.get(mergeWire, path),
      gather((page) => client.list(diffWire, `${path}/diffs`, { page, per_page: ITEMS_A_PAGE }), MAX_PAGES),
      gather((page) => client.list(noteWire, `${path}/notes`, { ...newest, page }), MAX_PAGES),
    ]);
    const files = diffs.items.map(fileOf);
    const sum = (of: "added" | "removed"): number => files.reduce((all, file) => all + file[of], 0);
    return {
      ...commentOf(merge, merge.description),
      number: merge.iid,
      title: merge.title,
      state: mergeStateOf(merge),
      url: merge.web_url,
      base: merge.target_branch,
      head: merge.source_branch,
      headCommit: merge.sha ?? "",
      fork: forkOf(merge),
      added: sum("added"),
      removed: sum("removed"),
      filesInAll: Math.max(files.length, Number.parseInt(merge.changes_count ?? "0", 10) || 0),
      files,
      reviewsLeft: notes.left,
      reviews: notes.items.toReversed().flatMap(reviewOf),
    };
  };

const mergeStateOf = ({ state, draft }: MergeWire): string => {
  if (state !== "opened") return state;
  return draft ? "draft" : "open";
};

/**
 * The name of another project is not looked up, because only the conversation's own project may be accessed.
 */
const forkOf = ({ source_project_id: source, target_project_id: target }: MergeWire): string | null => {
  if (source === target) return null;
  return source == null ? "a deleted fork" : `a fork (project ${source})`;
};

const fileOf = (file: DiffWire): PullFile => {
  const lines = file.diff.split("\n");
  return {
    path: file.new_path,
    ...(file.old_path === file.new_path ? {} : { oldPath: file.old_path }),
    status: statusOf(file),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    patch: file.diff === "" ? null : file.diff,
  };
};

const statusOf = (file: DiffWire): string => {
  if (file.new_file) return "added";
  if (file.deleted_file) return "removed";
  return file.renamed_file ? `renamed from ${file.old_path}` : "modified";
};

/** GitLab stores verdicts as system notes; other system notes (labels, pushes) are not reviews. */
const VERDICTS: readonly (readonly [RegExp, string])[] = [
  [/^approved this merge request/, "approved"],
  [/^unapproved this merge request/, "approval taken back"],
  [/^requested changes/, "changes requested"],
];

const reviewOf = (note: NoteWire): readonly Review[] => {
  if (note.system) {
    const [, verdict] = VERDICTS.find(([sign]) => sign.test(note.body)) ?? [];
    return verdict === undefined ? [] : [{ ...commentOf(note, ""), on: verdict }];
  }
  const { position } = note;
  const path = position?.new_path ?? position?.old_path;
  const on = path == null ? "commented" : `${path}:${position?.new_line ?? position?.old_line ?? "?"}`;
  return [{ ...commentOf(note, note.body), on }];
};
