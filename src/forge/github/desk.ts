/** A GitHub repository as the host writes to it, once a person has approved. */

import { RequestError } from "@octokit/request-error";
import type { Octokit } from "@octokit/core";
import type { Desk, Landed, Mark, Standing } from "../../ports/desk.ts";
import type { Asked } from "../../ports/forge.ts";
import { projectName } from "../address.ts";
import { createRemote, type RemoteAccess } from "../remote.ts";
import { hasMark, marked, once, PAGE, pages, sinceOf, sought, twice } from "../once.ts";
import { type Bounds, createAsk, REPOSITORY } from "./ask.ts";
import type { GitHubAccess } from "./client.ts";

export const createGitHubDesk = (access: GitHubAccess, remoteAccess: RemoteAccess): Desk => {
  const ask = createAsk(access, "write");
  const project = projectName(access.address);
  const remote = createRemote(access.address, remoteAccess);
  const numbered = (number: number, url: string): Landed => ({ name: `${project}#${number}`, url });

  return {
    repository: async (signal) => {
      const asked = await ask(REPOSITORY, signal, (client, bounds) =>
        client.request("GET /repos/{owner}/{repo}", { ...bounds }),
      );
      return asked.kind === "trouble" ? asked : standing(access, asked.value.data);
    },
    unknownLabels: (names, signal) =>
      ask("label", signal, async (client, bounds) => {
        const known = await pages(async (page) => {
          const { data } = await client.request("GET /repos/{owner}/{repo}/labels", {
            ...bounds,
            per_page: PAGE,
            page,
          });
          return data.map(({ name }) => name.toLowerCase());
        });
        return names.filter((name) => !known.includes(name.toLowerCase()));
      }),
    fileIssue: ({ title, text, labels }, mark, signal) =>
      ask("issue", signal, (client, bounds) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const found = await sought(
              async (page) => {
                const { data } = await client.request("GET /repos/{owner}/{repo}/issues", {
                  ...bounds,
                  state: "all",
                  sort: "created",
                  direction: "desc",
                  since: sinceOf(mark).toISOString(),
                  per_page: PAGE,
                  page,
                });
                return data;
              },
              (issue) => issue.pull_request === undefined && isMarked(issue, mark),
            );
            return found && numbered(found.number, found.html_url);
          },
          async () => {
            const { data } = await client.request("POST /repos/{owner}/{repo}/issues", {
              ...bounds,
              title,
              body: marked(text, mark),
              labels: [...labels],
            });
            return numbered(data.number, data.html_url);
          },
        ),
      ),
    comment: ({ number }, text, mark, signal) =>
      ask(`issue #${number}`, signal, (client, bounds) => {
        const on = { ...bounds, issue_number: number };
        return once(
          { mark, signal, isRefusal },
          async () => {
            const found = await sought(
              async (page) => {
                const { data } = await client.request(
                  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
                  { ...on, since: sinceOf(mark).toISOString(), per_page: PAGE, page },
                );
                return data;
              },
              (comment) => isMarked(comment, mark),
            );
            return found && numbered(number, found.html_url);
          },
          async () => {
            const { data } = await client.request(
              "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
              { ...on, body: marked(text, mark) },
            );
            return numbered(number, data.html_url);
          },
        );
      }),
    // To do it twice is to do it once.
    label: ({ number }, { add, remove }, signal) =>
      ask(`issue #${number}`, signal, async (client, bounds) => {
        const on = { ...bounds, issue_number: number };
        const { data } = await client.request("GET /repos/{owner}/{repo}/issues/{issue_number}", on);
        await twice(isRefusal, async () => {
          if (add.length > 0) {
            await client.request("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", {
              ...on,
              labels: [...add],
            });
          }
          for (const name of remove) await unlabel(client, on, name);
        });
        return numbered(number, data.html_url);
      }),
    pullOf: (branch, signal) =>
      ask("branch", signal, async (client, bounds) => {
        const found = (await pullsOf(client, bounds, branch)).find(({ state }) => state === "open");
        return found === undefined ? null : numbered(found.number, found.html_url);
      }),
    branches: (signal) => remote.branches(signal),
    push: (push, signal) => remote.push(push, signal),
    openPull: ({ title, text, base, branch }, mark, signal) =>
      ask("branch", signal, (client, bounds) =>
        once(
          { mark, signal, isRefusal },
          async () => {
            const found = (await pullsOf(client, bounds, branch)).find(
              (pull) => pull.state === "open" || isMarked(pull, mark),
            );
            return found === undefined ? null : numbered(found.number, found.html_url);
          },
          async () => {
            const { data } = await client.request("POST /repos/{owner}/{repo}/pulls", {
              ...bounds,
              title,
              body: marked(text, mark),
              head: branch,
              base,
              draft: true,
            });
            return numbered(data.number, data.html_url);
          },
        ),
      ),
  };
};

/** Pull requests from a branch of the repository itself, the newest first. */
const pullsOf = async (client: Octokit, bounds: Bounds, branch: string) => {
  const { data } = await client.request("GET /repos/{owner}/{repo}/pulls", {
    ...bounds,
    head: `${bounds.owner}:${branch}`,
    state: "all",
    per_page: PAGE,
  });
  return data;
};

interface Facts {
  readonly full_name: string;
  readonly archived: boolean;
  readonly has_issues: boolean;
  readonly default_branch: string;
}

const standing = ({ address }: GitHubAccess, facts: Facts): Asked<Standing> => {
  const project = projectName(address);
  if (facts.full_name.toLowerCase() !== `${address.owner}/${address.name}`.toLowerCase()) {
    const why = `${project} is called ${facts.full_name} now: bind the channel to it under its new name.`;
    return { kind: "trouble", why };
  }
  if (facts.archived)
    return { kind: "trouble", why: `${project} is archived: nothing can be written to it.` };
  return {
    kind: "found",
    value: { defaultBranch: facts.default_branch, hasIssues: facts.has_issues },
  };
};

/** The forge has answered, and did not do it. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RequestError && error.response !== undefined && error.status < 500;

/** One that is not there any more is no failure. */
const unlabel = async (
  client: Octokit,
  on: Bounds & { readonly issue_number: number },
  name: string,
): Promise<void> => {
  try {
    await client.request("DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", { ...on, name });
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 404) throw error;
  }
};

const isMarked = ({ body }: { readonly body?: string | null }, mark: Mark): boolean => hasMark(body, mark);
