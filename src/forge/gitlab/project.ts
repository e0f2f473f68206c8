/** A GitLab project as its conversation may read it. A merge request is what the port calls a pull request. */

import { z } from "zod";
import type { Hit, Hits, Issue, SearchState } from "../../runtime/ports-forge.ts";
import type { WritableProject } from "../../runtime/ports-desk.ts";
import { projectName } from "../address.ts";
import type { RemoteAccess } from "../remote.ts";
import { createAsk, type Reader } from "./ask.ts";
import { readChecks } from "./checks.ts";
import type { GitLabAccess } from "./client.ts";
import { createGitLabDesk } from "./desk.ts";
import { readMerge } from "./merge.ts";
import { byWhom, issueWire, type IssueWire, mergeWire, type MergeWire, noteWire } from "./wire.ts";

/** Comments of one page, and hits of a search. */
const PAGE = 30;
const HITS = 20;

export const createGitLabProject = (access: GitLabAccess, remote: RemoteAccess): WritableProject => {
  const ask = createAsk(access);
  return {
    name: projectName(access.address),
    host: access.address.host,
    desk: createGitLabDesk(access, remote),
    issue: (number, page, signal) => ask(`issue #${number}`, signal, readIssue(number, page)),
    search: (query, state, signal) => ask("search result", signal, search(query, state)),
    pull: (number, signal) => ask(`merge request !${number}`, signal, readMerge(number)),
    checks: (ref, signal) => ask(`commit or branch ${ref.slice(0, 80)}`, signal, readChecks(ref)),
  };
};

const readIssue =
  (number: number, page: number) =>
  async ({ get }: Reader): Promise<Issue> => {
    const path = `/issues/${number}`;
    const order = { sort: "asc", order_by: "created_at", activity_filter: "only_comments" };
    const [issue, notes] = await Promise.all([
      get(path, issueWire),
      get(`${path}/notes`, z.array(noteWire), { ...order, page, per_page: PAGE }),
    ]);
    return {
      ...byWhom(issue, issue.description),
      ...headOf(issue),
      isPull: false,
      labels: issue.labels,
      comments: notes.filter(({ system }) => !system).map((note) => byWhom(note, note.body)),
      commentsInAll: issue.user_notes_count,
    };
  };

/** What GitLab calls the states of each. */
const STATES = {
  open: { issues: ["opened"], merges: ["opened"] },
  closed: { issues: ["closed"], merges: ["merged", "closed"] },
  all: { issues: ["all"], merges: ["all"] },
} as const satisfies Record<SearchState, unknown>;

/** The project's own two lists: neither reaches beyond it, whatever the words are. The newest first. */
const search =
  (query: string, state: SearchState) =>
  async ({ counted }: Reader): Promise<Hits> => {
    const asked = { search: query, in: "title,description", scope: "all", per_page: HITS };
    const { issues, merges } = STATES[state];
    const lists = await Promise.all([
      ...issues.map(async (each) => {
        const { items, inAll } = await counted("/issues", z.array(issueWire), { ...asked, state: each });
        return { hits: items.map((issue) => hitOf(issue, false)), inAll: inAll ?? items.length };
      }),
      ...merges.map(async (each) => {
        const { items, inAll } = await counted("/merge_requests", z.array(mergeWire), {
          ...asked,
          state: each,
        });
        return { hits: items.map((merge) => hitOf(merge, true)), inAll: inAll ?? items.length };
      }),
    ]);
    return {
      inAll: lists.reduce((sum, list) => sum + list.inAll, 0),
      hits: lists
        .flatMap(({ hits }) => hits)
        .toSorted((a, b) => b.at - a.at)
        .slice(0, HITS),
    };
  };

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
