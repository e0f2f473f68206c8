/** A GitLab project as the host writes to it, once a person has approved. */

import { z } from "zod";
import type { Desk, Landed, Mark, Standing } from "../../runtime/ports-desk.ts";
import type { Asked } from "../../runtime/ports-forge.ts";
import { projectName } from "../address.ts";
import { hasMark, marked, once, PAGE, pages, sought, TooMuch, twice } from "../once.ts";
import { createRemote, type RemoteAccess } from "../remote.ts";
import { createAsk, type Reader } from "./ask.ts";
import { type GitLabAccess, Refused } from "./client.ts";
import { issueWire, labelWire, mergeWire, type MergeWire, noteWire, projectWire } from "./wire.ts";

/** Clocks differ: an answer of the forge may seem to be older than what it answers. */
const SLACK = 10 * 60_000;
const NEWEST = { order_by: "created_at", sort: "desc" } as const;

export const createGitLabDesk = (access: GitLabAccess, remoteAccess: RemoteAccess): Desk => {
  const ask = createAsk(access, "write");
  const project = projectName(access.address);
  const remote = createRemote(access.address, remoteAccess);
  const issueAt = (number: number, url: string): Landed => ({ name: `${project}#${number}`, url });
  const mergeAt = ({ iid, web_url: url }: MergeWire): Landed => ({ name: `${project}!${iid}`, url });

  return {
    repository: async (signal) => {
      const asked = await ask("repository", signal, ({ get }) => get("", projectWire));
      return asked.kind === "trouble" ? asked : standing(access, asked.value);
    },
    unknownLabels: (names, signal) =>
      ask("label", signal, async ({ get }) => {
        const known = await pages((page) => get("/labels", z.array(labelWire), { page, per_page: PAGE }));
        const lower = new Set(known.map(({ name }) => name.toLowerCase()));
        return names.filter((name) => !lower.has(name.toLowerCase()));
      }),
    fileIssue: ({ title, text, labels }, mark, signal) =>
      ask("issue", signal, ({ get, send }) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const query = { ...NEWEST, scope: "all", created_after: sinceOf(mark), per_page: PAGE };
            const found = await sought(
              (page) => get("/issues", z.array(issueWire), { ...query, page }),
              ({ description }) => hasMark(description, mark),
            );
            return found && issueAt(found.iid, found.web_url);
          },
          async () => {
            const description = withoutActions(marked(text, mark));
            const made = await send("POST", "/issues", issueWire, {
              title,
              description,
              labels: labels.join(","),
            });
            return issueAt(made.iid, made.web_url);
          },
        ),
      ),
    comment: (number, text, mark, signal) =>
      ask(`issue #${number}`, signal, (reader) => {
        const { get, send } = reader;
        const path = `/issues/${number}`;
        const landed = async (note: number): Promise<Landed> => {
          const issue = await get(path, issueWire);
          return issueAt(number, `${issue.web_url}#note_${note}`);
        };
        return once(
          { mark, signal, isRefusal },
          async () => {
            const found = await noteOf(reader, path, mark);
            return found === null ? null : landed(found);
          },
          async () => {
            const body = withoutActions(marked(text, mark));
            const made = await send("POST", `${path}/notes`, noteWire, { body });
            return landed(made.id);
          },
        );
      }),
    // To do it twice is to do it once.
    label: (number, { add, remove }, signal) =>
      ask(`issue #${number}`, signal, async ({ send }) => {
        const change = {
          ...(add.length === 0 ? {} : { add_labels: add.join(",") }),
          ...(remove.length === 0 ? {} : { remove_labels: remove.join(",") }),
        };
        const issue = await twice(isRefusal, () => send("PUT", `/issues/${number}`, issueWire, change));
        return issueAt(number, issue.web_url);
      }),
    branches: (signal) => remote.branches(signal),
    push: (push, signal) => remote.push(push, signal),
    pullOf: (branch, signal) =>
      ask("branch", signal, async (reader) => {
        const found = (await mergesOf(reader, branch)).find(({ state }) => state === "opened");
        return found === undefined ? null : mergeAt(found);
      }),
    openPull: ({ title, text, base, branch }, mark, signal) =>
      ask("branch", signal, (reader) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const found = (await mergesOf(reader, branch)).find(
              ({ state, description }) => state === "opened" || hasMark(description, mark),
            );
            return found === undefined ? null : mergeAt(found);
          },
          async () =>
            mergeAt(
              await reader.send("POST", "/merge_requests", mergeWire, {
                title: `Draft: ${title}`,
                description: withoutActions(marked(text, mark)),
                source_branch: branch,
                target_branch: base,
              }),
            ),
        ),
      ),
  };
};

/** Merge requests from a branch of the project itself, the newest first. */
const mergesOf = async ({ get }: Reader, branch: string): Promise<readonly MergeWire[]> => {
  const query = { ...NEWEST, source_branch: branch, state: "all", scope: "all", per_page: PAGE };
  const found = await get("/merge_requests", z.array(mergeWire), query);
  return found.filter((each) => each.source_project_id === each.target_project_id);
};

/** Pages of notes that are looked through. */
const MAX_PAGES = 5;

/** The note that carries the mark; nothing older than the mark can. A page may be shorter than what was asked for. */
const noteOf = async ({ counted }: Reader, path: string, mark: Mark): Promise<number | null> => {
  const since = mark.since - SLACK;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { ...NEWEST, page, per_page: PAGE };
    const { items, isLast } = await counted(`${path}/notes`, z.array(noteWire), query);
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
