/** A GitLab project as the host writes to it, once a person has approved. */

import type { z } from "zod";
import type { Desk, Landed, Standing, Target } from "../../ports/desk.ts";
import type { Asked } from "../../ports/forge.ts";
import { projectName } from "../address.ts";
import { hasMark, marked, once, PAGE, pages, sinceOf, sought, twice } from "../once.ts";
import { createRemote, type RemoteAccess } from "../remote.ts";
import { createAsk, PROJECT } from "./ask.ts";
import type { Client } from "./client.ts";
import { shortName, threadOf } from "./thread.ts";
import { type GitLabAccess, Refused } from "./transport.ts";
import {
  issueWire,
  type IssueWire,
  labelWire,
  mergeWire,
  type MergeWire,
  pageOf,
  projectWire,
} from "./wire.ts";

const NEWEST = { orderBy: "created_at", sort: "desc", perPage: PAGE, showExpanded: true } as const;

export const createGitLabDesk = (access: GitLabAccess, remoteAccess: RemoteAccess): Desk => {
  const ask = createAsk(access, "write");
  const project = projectName(access.address);
  const remote = createRemote(access.address, remoteAccess);
  const postAt = (target: Target, url: string): Landed => ({ name: `${project}${shortName(target)}`, url });
  const issueAt = ({ iid: number, web_url: url }: IssueWire): Landed =>
    postAt({ number, isPull: false }, url);
  const mergeAt = ({ iid: number, web_url: url }: MergeWire): Landed => postAt({ number, isPull: true }, url);

  return {
    repository: async (signal) => {
      const asked = await ask(PROJECT, signal, async ({ projects, projectId }) =>
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
            const asked = { ...NEWEST, projectId, scope: "all", createdAfter: sinceOf(mark).toISOString() };
            const found = await sought(
              async (page) => pageOf(issueWire, await issues.all({ ...asked, page })).items,
              ({ description }) => hasMark(description, mark),
            );
            return found && issueAt(found);
          },
          async () => {
            const description = withoutActions(marked(text, mark));
            const made = await issues.create(projectId, title, { description, labels: labels.join(",") });
            return issueAt(issueWire.parse(made));
          },
        ),
      ),
    comment: (target, text, mark, signal) =>
      ask(described(target), signal, (client) => {
        const thread = threadOf(client, target);
        const asked = thread.url();
        const landed = async (note: number): Promise<Landed> => postAt(target, `${await asked}#note_${note}`);
        return once(
          { mark, signal, isRefusal },
          async () => {
            // Where its address cannot be read, nothing is written: a comment without one would look like a failure.
            await asked;
            const found = await thread.find(mark);
            return found === null ? null : landed(found);
          },
          async () => landed(await thread.comment(withoutActions(marked(text, mark)))),
        );
      }),
    // To do it twice is to do it once.
    label: (target, change, signal) =>
      ask(described(target), signal, async (client) => {
        const thread = threadOf(client, target);
        const url = await thread.url();
        await twice(isRefusal, () => thread.label(change));
        return postAt(target, url);
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

const described = (target: Target): string =>
  `${target.isPull ? "merge request" : "issue"} ${shortName(target)}`;

/** Merge requests from a branch of the project itself, the newest first. */
const mergesOf = async ({ merges, projectId }: Client, branch: string): Promise<readonly MergeWire[]> => {
  const asked = { ...NEWEST, projectId, sourceBranch: branch, scope: "all", page: 1 } as const;
  const { items } = pageOf(mergeWire, await merges.all(asked));
  return items.filter((each) => each.source_project_id === each.target_project_id);
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
