/** How the questions of a week went: for the page, for spreadsheets, and the draft of a page that was missed. */

import * as z from "zod";
import type { DigestScope } from "./ports.ts";
import type { DigestBody } from "./digest-body.ts";
import { digestCsv } from "./digest-csv.ts";
import { repoName } from "../../../adapters/console/render/summary.ts";
import type { DigestContext } from "./open.ts";
import { accepted } from "../../../adapters/console/api/problem.ts";
import { jsonOf, queryOf } from "../../../adapters/console/api/body.ts";

export const readDigest = async (own: DigestContext, request: Request): Promise<Response> => {
  const { week, channel } = wanted(own, queryOf(request, digestQuery, USAGE));
  const digest = await own.digests.read(channel, week);
  const { spent, spentEach, topics, ...rest } = digest;
  const body: DigestBody = {
    ...rest,
    isOver: week < own.digests.thisWeek(),
    spentUsd: spent / 1_000_000,
    spentEachUsd: spentEach === null ? null : spentEach / 1_000_000,
    topics: topics.map(({ repo, ...topic }) => ({ ...topic, repo: repoName(repo) })),
  };
  return Response.json(body);
};

export const downloadDigest = async (own: DigestContext, request: Request): Promise<Response> => {
  const { week, channel } = wanted(own, queryOf(request, digestQuery, USAGE));
  const digest = await own.digests.read(channel, week);
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="parley-${digest.week}.csv"`,
  };
  return new Response(digestCsv(digest), { headers });
};

export const draftPage = async (own: DigestContext, request: Request): Promise<Response> => {
  const { digests, operator } = own;
  const { topic, ...given } = await jsonOf(request, draftBody);
  const { week, channel } = wanted(own, given);
  const begun = await digests.draft(channel, week, topic, operator);
  return Response.json({ conversation: accepted(begun, "unknown_topic").conversation });
};

const wanted = (
  { digests }: DigestContext,
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
