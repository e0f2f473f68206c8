/** A GitLab project as the host writes to it, once a person has approved. */

import type { z } from "zod";
import type { Desk, Landed, Mark, Standing } from "../../runtime/ports-desk.ts";
import type { Asked } from "../../runtime/ports-forge.ts";
import { projectName } from "../address.ts";
import { hasMark, marked, once, PAGE, pages, sought, TooMuch, twice } from "../once.ts";
import { createRemote, type RemoteAccess } from "../remote.ts";
import { createAsk } from "./ask.ts";
import type { Client } from "./client.ts";
import { type GitLabAccess, Refused } from "./transport.ts";
import { issueWire, labelWire, mergeWire, type MergeWire, noteWire, pageOf, projectWire } from "./wire.ts";

/** Clocks differ: an answer of the forge may seem to be older than what it answers. */
const SLACK = 10 * 60_000;
const NEWEST = { orderBy: "created_at", sort: "desc", perPage: PAGE, showExpanded: true } as const;

export const createGitLabDesk = (access: GitLabAccess, remoteAccess: RemoteAccess): Desk => {
  const ask = createAsk(access, "write");
  const project = projectName(access.address);
  const remote = createRemote(access.address, remoteAccess);
  const issueAt = (number: number, url: string): Landed => ({ name: `${project}#${number}`, url });
  const mergeAt = ({ iid, web_url: url }: MergeWire): Landed => ({ name: `${project}!${iid}`, url });

  return {
    repository: async (signal) => {
      const asked = await ask("repository", signal, async ({ projects, projectId }) =>
        projectWire.parse(await projects.show(projectId)),
      );
      return asked.kind === "trouble" ? asked : standing(access, asked.value);
    },
    unknownLabels: (names, signal) =>
      ask("label", signal, async ({ labels, projectId }) => {
        const known = await pages(
          async (page) =>
            pageOf(labelWire, await labels.all(projectId, { page, perPage: PAGE, showExpanded: true })).items,
        );
        const lower = new Set(known.map(({ name }) => name.toLowerCase()));
        return names.filter((name) => !lower.has(name.toLowerCase()));
      }),
    fileIssue: ({ title, text, labels }, mark, signal) =>
      ask("issue", signal, ({ issues, projectId }) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const asked = { ...NEWEST, projectId, scope: "all", createdAfter: sinceOf(mark) };
            const found = await sought(
              async (page) => pageOf(issueWire, await issues.all({ ...asked, page })).items,
              ({ description }) => hasMark(description, mark),
            );
            return found && issueAt(found.iid, found.web_url);
          },
          async () => {
            const description = withoutActions(marked(text, mark));
            const made = await issues.create(projectId, title, { description, labels: labels.join(",") });
            const { iid, web_url: url } = issueWire.parse(made);
            return issueAt(iid, url);
          },
        ),
      ),
    comment: (number, text, mark, signal) =>
      ask(`issue #${number}`, signal, ({ issues, issueNotes, projectId }) => {
        const landed = async (note: number): Promise<Landed> => {
          const { web_url: url } = issueWire.parse(await issues.show(number, { projectId }));
          return issueAt(number, `${url}#note_${note}`);
        };
        return once(
          { mark, signal, isRefusal },
          async () => {
            const found = await noteOf(
              (page) => issueNotes.all(projectId, number, { ...NEWEST, page }),
              mark,
            );
            return found === null ? null : landed(found);
          },
          async () => {
            const body = withoutActions(marked(text, mark));
            return landed(noteWire.parse(await issueNotes.create(projectId, number, body)).id);
          },
        );
      }),
    // To do it twice is to do it once.
    label: (number, { add, remove }, signal) =>
      ask(`issue #${number}`, signal, async ({ issues, projectId }) => {
        const change = {
          ...(add.length === 0 ? {} : { addLabels: add.join(",") }),
          ...(remove.length === 0 ? {} : { removeLabels: remove.join(",") }),
        };
        const issue = await twice(isRefusal, () => issues.edit(projectId, number, change));
        return issueAt(number, issueWire.parse(issue).web_url);
      }),
    branches: (signal) => remote.branches(signal),
    push: (push, signal) => remote.push(push, signal),
    pullOf: (branch, signal) =>
      ask("branch", signal, async (client) => {
        const found = (await mergesOf(client, branch)).find(({ state }) => state === "opened");
        return found === undefined ? null : mergeAt(found);
      }),
    openPull: ({ title, text, base, branch }, mark, signal) =>
      ask("branch", signal, (client) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const found = (await mergesOf(client, branch)).find(
              ({ state, description }) => state === "opened" || hasMark(description, mark),
            );
            return found === undefined ? null : mergeAt(found);
          },
          async () => {
            const description = withoutActions(marked(text, mark));
            const { merges, projectId } = client;
            const made = await merges.create(projectId, branch, base, `Draft: ${title}`, { description });
            return mergeAt(mergeWire.parse(made));
          },
        ),
      ),
  };
};

/** Merge requests from a branch of the project itself, the newest first. */
const mergesOf = async ({ merges, projectId }: Client, branch: string): Promise<readonly MergeWire[]> => {
  const asked = { ...NEWEST, projectId, sourceBranch: branch, scope: "all", page: 1 } as const;
  const { items } = pageOf(mergeWire, await merges.all(asked));
  return items.filter((each) => each.source_project_id === each.target_project_id);
};

/** Pages of notes that are looked through. */
const MAX_PAGES = 5;

/** The note that carries the mark; nothing older than the mark can. A page may be shorter than what was asked for. */
const noteOf = async (read: (page: number) => Promise<unknown>, mark: Mark): Promise<number | null> => {
  const since = mark.since - SLACK;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, isLast } = pageOf(noteWire, await read(page));
    const found = items.find(({ body }) => hasMark(body, mark));
    if (found !== undefined) return found.id;
    if (isLast || items.some(({ created_at: at }) => Date.parse(at) < since)) return null;
  }
  throw new TooMuch();
};

const standing = ({ address }: GitLabAccess, facts: z.output<typeof projectWire>): Asked<Standing> => {
  const project = projectName(address);
  const { path_with_namespace: path, archived, default_branch: branch } = facts;
  if (path.toLowerCase() !== `${address.owner}/${address.name}`.toLowerCase()) {
    return trouble(`${project} is called ${path} now: bind the channel to it under its new name.`);
  }
  if (archived) return trouble(`${project} is archived: nothing can be written to it.`);
  if (branch == null) return trouble(`${project} has no branch yet.`);
  return { kind: "found", value: { defaultBranch: branch, hasIssues: facts.issues_enabled } };
};

const trouble = (why: string): Asked<never> => ({ kind: "trouble", why });

/**
 * GitLab carries out lines that begin with a slash and a word (`/close`, `/merge`, `/assign`): people approved a text,
 * not these. A backslash before the slash is not shown and keeps the line a text.
 */
const withoutActions = (text: string): string =>
  text.replaceAll(/\r\n?/g, "\n").replaceAll(/^([^\S\n]*)\/(?=[a-z_]+(?:\s|$))/gim, "$1\\/");

/** The forge has answered, and did not do it. */
const isRefusal = (error: unknown): boolean => error instanceof Refused && error.status < 500;

const sinceOf = ({ since }: Mark): string => new Date(since - SLACK).toISOString();
