/** Checks of a commit, with the end of the log of each failed check. */

import type { CheckReading, CheckRun, Checks } from "../ports/project.ts";
import { gather, leftOf, ITEMS_A_PAGE } from "../api/gather.ts";
import type { GitHubClient } from "./ask.ts";
import { pagedBy } from "./paged.ts";

/** Maximum number of logs, and of characters kept from each; the failure is at the end. */
const MAX_LOGS = 5;
const MAX_LOG = 6_000;
/** Time limit for one log, in milliseconds. */
const LOG_TIME = 20_000;
const FAILED: readonly string[] = ["failure", "timed_out", "startup_failure", "action_required"];

export const readGithubChecks =
  (ref: string, read: CheckReading = "logs") =>
  async (client: GitHubClient): Promise<Checks> => {
    const { octokit, bounds } = client;
    const asked = { ...bounds, ref, per_page: ITEMS_A_PAGE };
    const [runs, statuses] = await Promise.all([
      gather(async (page) => {
        const path = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
        const { data, headers } = await octokit.request(path, { ...asked, page });
        return { ...pagedBy(headers), items: data.check_runs, inAll: data.total_count };
      }),
      gather(async (page) => {
        const path = "GET /repos/{owner}/{repo}/commits/{ref}/status";
        const { data, headers } = await octokit.request(path, { ...asked, page });
        return { ...pagedBy(headers), items: data.statuses, inAll: data.total_count };
      }),
    ]);
    const failed = runs.items.filter(isFailed);
    const logs = new Map(
      await Promise.all(
        failed
          .slice(0, read === "logs" ? MAX_LOGS : 0)
          .map(async ({ id, app }) => [id, await logOf(client, app?.slug, Number(id))] as const),
      ),
    );
    return {
      ref,
      left: leftOf(runs, statuses),
      runs: [
        ...runs.items.map(
          (run): CheckRun => ({
            id: `k${run.id}`,
            name: run.name,
            state: run.conclusion ?? run.status.replaceAll("_", " "),
            failed: isFailed(run),
            url: run.html_url,
            log: logs.get(run.id) ?? summaryOf(run),
          }),
        ),
        ...statuses.items.map(
          (one): CheckRun => ({
            id: `s${one.id}`,
            name: one.context,
            state: one.state,
            failed: one.state === "failure" || one.state === "error",
            url: one.target_url,
            log: one.description,
          }),
        ),
      ],
    };
  };

const isFailed = ({ conclusion }: { readonly conclusion: string | null }): boolean =>
  conclusion !== null && FAILED.includes(conclusion);

interface Summed {
  readonly conclusion: string | null;
  readonly output: { readonly summary: string | null; readonly text: string | null };
}

const summaryOf = (run: Summed): string | null => {
  const said = [run.output.summary, run.output.text].filter((text) => text !== null && text !== "");
  return isFailed(run) && said.length > 0 ? said.join("\n").slice(0, MAX_LOG) : null;
};

/** Only logs of GitHub's own runner can be read. A missing log is not an error. */
const logOf = async (
  { octokit, bounds: { request, ...bounds }, api, wire }: GitHubClient,
  app: string | undefined,
  job: number,
): Promise<string | null> => {
  if (app !== "github-actions") return null;
  try {
    const { headers } = await octokit.request("GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", {
      ...bounds,
      job_id: job,
      request: { ...request, redirect: "manual" },
    });
    const url = URL.parse(headers.location ?? "");
    if (url === null) return null;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(LOG_TIME)]);
    // A self-hosted forge may store its logs itself on an internal address; any other store is checked like a
    // foreign address.
    const response =
      url.origin === new URL(api).origin
        ? await wire.fetch(url, { signal, redirect: "manual" })
        : await wire.outward(url, { signal });
    return await tailOf(response);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return null;
  }
};

/** The end of a text of any size, read in bounded memory. The store never receives the credential. */
const tailOf = async (response: Response): Promise<string | null> => {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    return null;
  }
  let tail = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    tail = (tail + part).slice(-MAX_LOG);
  }
  return tail;
};
