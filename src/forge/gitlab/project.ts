/** A GitLab project as its conversation may read it. A merge request is what the port calls a pull request. */

import type { Hit, Hits, Issue, SearchState } from "../../ports/forge.ts";
import type { WritableProject } from "../../ports/desk.ts";
import { given } from "../../text/given.ts";
import { projectName } from "../address.ts";
import type { RemoteAccess } from "../remote.ts";
import type { GitLabAccess } from "../access.ts";
import { createDesk } from "../desk.ts";
import { askGitLab } from "./ask.ts";
import { readChecks } from "./checks.ts";
import type { Client, Page } from "./client.ts";
import { gitlabDesk, isRefusal } from "./desk.ts";
import { readMerge } from "./merge.ts";
import { byWhom, issueWire, type IssueWire, mergeWire, type MergeWire, noteWire } from "./schema.ts";

/** Comments of one page, and hits of a search. */
const PAGE = 30;
const HITS = 20;

export const createGitLabProject = (access: GitLabAccess, git: RemoteAccess): WritableProject => {
  const ask = askGitLab(access, "read");
  const write = askGitLab(access, "write");
  return {
    name: projectName(access.address),
    host: access.address.host,
    pullSign: "!",
    desk: createDesk({
      address: access.address,
      git,
      pullSign: "!",
      ask: (what, signal, question) => write(what, signal, (client) => question(gitlabDesk(client))),
      isRefusal,
    }),
    issue: (number, page, signal) => ask(`issue #${number}`, signal, readIssue(number, page)),
    search: (query, state, signal) => ask("search result", signal, search(query, state)),
    pull: (number, signal) => ask(`merge request !${number}`, signal, readMerge(number)),
    checks: (ref, signal) => ask(`commit or branch ${ref.slice(0, 80)}`, signal, readChecks(ref)),
  };
};

const readIssue =
  (number: number, page: number) =>
  async (client: Client): Promise<Issue> => {
    const path = `/issues/${number}`;
    const order = { sort: "asc", order_by: "created_at", activity_filter: "only_comments" };
    const [issue, notes] = await Promise.all([
      client.get(issueWire, path),
      client.list(noteWire, `${path}/notes`, { ...order, page, per_page: PAGE }),
    ]);
    return {
      ...byWhom(issue, issue.description),
      ...headOf(issue),
      isPull: false,
      labels: issue.labels,
      comments: notes.items.filter(({ system }) => !system).map((note) => byWhom(note, note.body)),
      commentsInAll: issue.user_notes_count,
    };
  };

/** The lists that are asked, and what GitLab calls the states of each; it gives all where none is named. */
const LISTS = {
  open: ["issues opened", "merge_requests opened"],
  closed: ["issues closed", "merge_requests merged", "merge_requests closed"],
  all: ["issues", "merge_requests"],
} as const satisfies Record<SearchState, unknown>;

/** The project's own two lists: neither reaches beyond it, whatever the words are. The newest first. */
const search =
  (query: string, state: SearchState) =>
  async (client: Client): Promise<Hits> => {
    const words = { search: query, in: "title,description", scope: "all" };
    const asked = { ...words, page: 1, per_page: HITS };
    const lists = await Promise.all(
      LISTS[state].map(async (list) => {
        const [name = "", called] = list.split(" ");
        const query = { ...asked, ...given({ state: called }) };
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

const hitsOf = ({ items, inAll, isLast }: Page<IssueWire | MergeWire>, isPull: boolean): Hits => ({
  hits: items.map((item) => hitOf(item, isPull)),
  inAll: inAll ?? (isLast ? items.length : null),
});

const headOf = (given: IssueWire | MergeWire): Pick<Hit, "number" | "title" | "state" | "url"> => ({
  number: given.iid,
  title: given.title,
  state: stateOf(given.state),
  url: given.web_url,
});

const hitOf = (given: IssueWire | MergeWire, isPull: boolean): Hit => {
  const { author, at } = byWhom(given, null);
  return { ...headOf(given), isPull, author, at };
};

const stateOf = (state: string): string => (state === "opened" ? "open" : state);
