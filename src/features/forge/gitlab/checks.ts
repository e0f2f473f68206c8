/** Jobs and statuses of a commit, with the end of the log of each failed job. */

import type { CheckReading, CheckRun, Checks } from "../ports/project.ts";
import { gather, ITEMS_A_PAGE } from "../api/gather.ts";
import type { Client } from "./client.ts";
import { commitWire, statusWire, type StatusWire } from "./schema.ts";

const MAX_LOGS = 5;

export const readGitlabChecks =
  (ref: string, read: CheckReading = "logs") =>
  async (client: Client): Promise<Checks> => {
    const commits = "/repository/commits";
    const { id } = await client.get(commitWire, `${commits}/${encodeURIComponent(ref)}`);
    const { items: statuses, left } = await gather((page) =>
      client.list(statusWire, `${commits}/${id}/statuses`, { page, per_page: ITEMS_A_PAGE }),
    );
    const failed = statuses.filter(isFailed).slice(0, read === "logs" ? MAX_LOGS : 0);
    const logs = new Map(
      await Promise.all(failed.map(async (one) => [one.id, await logOf(client, one)] as const)),
    );
    return {
      ref,
      left,
      runs: statuses.map(
        (one): CheckRun => ({
          id: `j${one.id}`,
          name: one.name,
          state: one.status.replaceAll("_", " "),
          failed: isFailed(one),
          url: one.target_url ?? null,
          log: logs.get(one.id) ?? (isFailed(one) ? (one.description ?? null) : null),
        }),
      ),
    };
  };

const isFailed = ({ status, allow_failure: allowed }: StatusWire): boolean =>
  status === "failed" && allowed !== true;

/** Only GitLab's own runner has logs. A missing log is not an error. */
const logOf = async (client: Client, { id }: StatusWire): Promise<string | null> => {
  try {
    const log = await client.log(`/jobs/${id}/trace`);
    return log === "" ? null : log;
  } catch (error) {
    if (client.signal.aborted) throw error;
    return null;
  }
};
