/** How the questions of a week went: for the page, for spreadsheets, and the draft of a page that was missed. */

import * as z from "zod";
import type { DigestScope } from "../../../src/ports/digest/digests.ts";
import type { ConsoleDeps } from "../deps.ts";
import type { Handler } from "../handler.ts";
import type { DigestBody } from "../render/digest-body.ts";
import { digestCsv } from "../render/digest-csv.ts";
import { repoName } from "../render/summary.ts";
import { accepted } from "./problem.ts";
import { readJson, readQuery } from "./body.ts";

/** Questions of a week and what became of them. `week`: any day of it (this week), `channel`: `slack:C…` (all of the host). */
export const readDigest: Handler = async (deps, c) => {
  const { week, channel } = wanted(deps, readQuery(c, digestQuery, USAGE));
  const digest = await deps.digests.read(channel, week);
  const { spent, spentEach, topics, ...rest } = digest;
  const body: DigestBody = {
    ...rest,
    isOver: week < deps.digests.thisWeek(),
    spentUsd: spent / 1_000_000,
    spentEachUsd: spentEach === null ? null : spentEach / 1_000_000,
    topics: topics.map(({ repo, ...topic }) => ({ ...topic, repo: repoName(repo) })),
  };
  return c.json(body);
};

/** The same for spreadsheets. */
export const downloadDigest: Handler = async (deps, c) => {
  const { week, channel } = wanted(deps, readQuery(c, digestQuery, USAGE));
  const digest = await deps.digests.read(channel, week);
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="parley-${digest.week}.csv"`,
  };
  return new Response(digestCsv(digest), { headers });
};

/** Begins a conversation that drafts the page which a topic lacks: `week`, `topic` (its `key`), perhaps `channel`. Answers its id. */
export const draftPage: Handler = async (deps, c) => {
  const { digests, operator } = deps;
  const { topic, ...given } = await readJson(c, draftBody);
  const { week, channel } = wanted(deps, given);
  const begun = await digests.draft(channel, week, topic, operator);
  return c.json({ conversation: accepted(begun, "unknown_topic").conversation });
};

const wanted = (
  { digests }: ConsoleDeps,
  { week, channel }: z.output<typeof digestQuery>,
): { readonly week: string; readonly channel: DigestScope } => {
  const [surface, place] = channel?.split(":") ?? [];
  return {
    week: week ?? digests.thisWeek(),
    channel:
      surface === undefined || place === undefined ? null : { surface, place, server: null, of: "own" },
  };
};

const USAGE = "week is a day such as 2026-11-23, channel a surface and an id such as slack:C024BE91L";

const digestQuery = z.object({
  week: z.iso.date().exactOptional(),
  channel: z
    .string()
    .regex(/^[a-z]{1,20}:[\w-]{1,40}$/)
    .exactOptional(),
});

const draftBody = digestQuery.extend({ topic: z.string().regex(/^[0-9a-f]{12}$/, "must be a topic's key") });
