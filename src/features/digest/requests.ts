import * as z from "zod";
import type { DigestScope } from "./ports.ts";
import type { DigestBody } from "./digest-body.ts";
import type { DigestContext } from "./open.ts";
import type { Digest } from "./digest.ts";
import { locationsOf } from "../../ports/conversation.ts";
import { accepted } from "../../../adapters/http/problem.ts";
import { jsonOf, urlQueryOf } from "../../../adapters/http/body.ts";

export const readDigest = async (own: DigestContext, request: Request): Promise<Response> => {
  const { week, channel } = wanted(own, urlQueryOf(request, digestQuery, USAGE));
  const digest = await own.digests.read(channel, week);
  const { spent, spentEach, topics, ...rest } = digest;
  const body: DigestBody = {
    ...rest,
    isOver: week < own.digests.thisWeek(),
    spentUsd: spent / 1_000_000,
    spentEachUsd: spentEach === null ? null : spentEach / 1_000_000,
    topics: topics.map(({ repo, ...topic }) => ({ ...topic, repo: locationsOf(repo) })),
  };
  return Response.json(body);
};

export const downloadDigest = async (own: DigestContext, request: Request): Promise<Response> => {
  const { week, channel } = wanted(own, urlQueryOf(request, digestQuery, USAGE));
  const digest = await own.digests.read(channel, week);
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="parley-${digest.week}.csv"`,
  };
  return new Response(digestCsv(digest), { headers });
};

export const requestDraftPage = async (own: DigestContext, request: Request): Promise<Response> => {
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

const CSV_HEAD = ["week", "kind", "what", "count", "detail"];

/** Formats a digest for spreadsheets: one line for each figure, topic, question or file. */
export const digestCsv = (digest: Digest): string => {
  const { week, counts, spent, spentEach, topics, disliked, unanswered, stale, cited } = digest;
  const rows: readonly (readonly [kind: string, what: string, count: number | "", detail: string])[] = [
    ...Object.entries(counts).map(([what, count]) => ["figure", what, count, ""] as const),
    ["figure", "spent in dollars", spent / 1_000_000, ""],
    ["figure", "dollars for each solved question", spentEach === null ? "" : spentEach / 1_000_000, ""],
    ...topics.map(
      ({ name, questions, codeOnly }) => ["topic", name, questions, `${codeOnly} from code alone`] as const,
    ),
    ...unanswered.map((question) => ["without an answer", question, "", ""] as const),
    ...disliked.map(
      ({ question, reasons }) => ["thumb down", question ?? "", "", reasons.join("; ")] as const,
    ),
    ...stale.map((question) => ["gone stale", question, "", ""] as const),
    ...cited.map(({ what, times }) => ["cited", what, times, ""] as const),
  ];
  return [CSV_HEAD, ...rows.map((row) => [week, ...row])]
    .map((row) => `${row.map(cell).join(",")}\r\n`)
    .join("");
};

/**
 * Puts an apostrophe before text that a spreadsheet would treat as a formula. Spreadsheets in many countries also split at
 * semicolons, and some at tabs, so the start of each such part counts as the start of a cell.
 */
const cell = (value: string | number): string => {
  const text = String(value);
  const plain = typeof value === "string" && FORMULA.test(text) ? `'${text.replaceAll(PART, "$1'")}` : text;
  return /[";,\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

const FORMULA = /(?:^|[;\t\r\n"])\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PART = /([;\t\r\n"]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
