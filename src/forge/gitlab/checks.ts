/** The jobs and statuses of a commit, with the end of the log of each that failed. */

import { z } from "zod";
import type { CheckRun, Checks } from "../../runtime/ports-forge.ts";
import type { Reader } from "./ask.ts";
import { commitWire, statusWire, type StatusWire } from "./wire.ts";

const PAGE = 100;
/** Logs that are fetched, and characters of each that are kept: what failed is said at the end. */
const MAX_LOGS = 5;
const MAX_LOG = 6_000;

export const readChecks =
  (ref: string) =>
  async (reader: Reader): Promise<Checks> => {
    const { id } = await reader.get(`/repository/commits/${encodeURIComponent(ref)}`, commitWire);
    const statuses = await reader.get(`/repository/commits/${id}/statuses`, z.array(statusWire), {
      per_page: PAGE,
    });
    const failed = statuses.filter(isFailed).slice(0, MAX_LOGS);
    const logs = new Map(
      await Promise.all(failed.map(async (one) => [one.id, await logOf(reader, one)] as const)),
    );
    return {
      ref,
      runs: statuses.map(
        (one): CheckRun => ({
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

/** Only GitLab's own runner keeps logs; another's status has none, and one that is gone is no reason to fail. */
const logOf = async ({ client, signal }: Reader, { id }: StatusWire): Promise<string | null> => {
  try {
    const { body } = await client(`/jobs/${id}/trace`, { signal });
    if (body === null) return null;
    let tail = "";
    for await (const part of body.pipeThrough(new TextDecoderStream())) tail = (tail + part).slice(-MAX_LOG);
    return tail === "" ? null : tail;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
};
