/**
 * Draft notes of merge requests, after GitLab's documentation of its draft notes API: only their author sees them, and
 * publishing makes them notes. A position needs a line of the diff, and both numbers of a line that both sides have.
 */

import { z } from "zod";
import type { Answer, Ask, Route } from "./routes.ts";
import { BASE, draftWire, versionWire } from "./wire.ts";
import type { FakeDraft, FakeMerge } from "./world.ts";

const LOGIN = "parley-bot";
const iid = "(\\d+)";
const none = z.strictObject({});
const pages = z.strictObject({ page: z.string().optional(), per_page: z.string().optional() });
const line = z.int().positive().optional();
const end = z.strictObject({
  line_code: z.string(),
  type: z.enum(["new", "old"]),
  old_line: line,
  new_line: line,
});
const position = z.strictObject({
  position_type: z.literal("text"),
  base_sha: z.string(),
  start_sha: z.string(),
  head_sha: z.string(),
  old_path: z.string(),
  new_path: z.string(),
  old_line: line,
  new_line: line,
  line_range: z.strictObject({ start: end, end }).optional(),
});
type Position = z.output<typeof position>;
const draftBody = z.strictObject({ note: z.string().min(1), position: position.optional() });

const notFound: Answer = { kind: "refused", status: 404, message: "404 Not found" };
const empty: Answer = { kind: "empty" };

const withMerge =
  (serve: (ask: Ask, merge: FakeMerge) => Answer): Route["serve"] =>
  (ask) => {
    const merge = ask.project.merges.find((one) => String(one.iid) === ask.params[0]);
    return merge === undefined ? notFound : serve(ask, merge);
  };

const withDraft = (serve: (ask: Ask, merge: FakeMerge, draft: FakeDraft) => Answer): Route["serve"] =>
  withMerge((ask, merge) => {
    const draft = merge.drafts.find(({ id }) => String(id) === ask.params[1]);
    return draft === undefined ? notFound : serve(ask, merge, draft);
  });

const route = (
  method: Route["method"],
  name: string,
  path: string,
  serve: Route["serve"],
  body: z.ZodObject | null = null,
): Route => ({
  name,
  method,
  path: new RegExp(`^/merge_requests/${iid}${path}$`),
  needs: method === "GET" ? "read_api" : "api",
  query: method === "GET" ? pages : none,
  body,
  serve,
});

export const reviewRoutes: readonly Route[] = [
  route(
    "GET",
    "merge request versions",
    "/versions",
    withMerge((_, merge) => ({
      kind: "list",
      items: [...merge.heads, merge.sha].map((head, id) => versionWire(merge, head, id)).toReversed(),
    })),
  ),
  route(
    "GET",
    "draft notes",
    "/draft_notes",
    withMerge((_, merge) => ({ kind: "list", items: merge.drafts.map((draft) => draftWire(merge, draft)) })),
  ),
  route(
    "POST",
    "new draft note",
    "/draft_notes",
    withMerge((ask, merge) => {
      const { note: text, position: at } = draftBody.parse(ask.body);
      const wrong = at === undefined ? null : complaintOf(merge, at);
      if (wrong !== null) return { kind: "refused", status: 400, message: wrong };
      const draft: FakeDraft = {
        id: 1 + Math.max(500, ...merge.drafts.map(({ id }) => id)),
        author: LOGIN,
        at: ask.now,
        text,
        ...(at === undefined
          ? {}
          : { position: { path: at.new_path, line: at.new_line ?? null, oldLine: at.old_line ?? null } }),
      };
      merge.drafts.push(draft);
      return { kind: "json", status: 201, body: draftWire(merge, draft) };
    }),
    draftBody,
  ),
  route(
    "DELETE",
    "delete draft note",
    `/draft_notes/${iid}`,
    withDraft((_, merge, draft) => {
      merge.drafts.splice(merge.drafts.indexOf(draft), 1);
      return empty;
    }),
  ),
  route(
    "PUT",
    "publish draft note",
    `/draft_notes/${iid}/publish`,
    withDraft(({ now }, merge, draft) => {
      publish(merge, [draft], now);
      return empty;
    }),
  ),
  route(
    "POST",
    "publish all draft notes",
    "/draft_notes/bulk_publish",
    withMerge(({ now }, merge) => {
      publish(merge, merge.drafts, now);
      return empty;
    }),
  ),
];

const publish = (merge: FakeMerge, drafts: readonly FakeDraft[], now: number): void => {
  for (const draft of drafts.slice()) {
    const { id: _, ...note } = draft;
    merge.notes.push({ ...note, at: now });
    merge.drafts.splice(merge.drafts.indexOf(draft), 1);
  }
};

const complaintOf = (merge: FakeMerge, at: Position): string | null => {
  const { base_sha: base, start_sha: start, head_sha: head } = at;
  if (base !== BASE || start !== BASE || ![...merge.heads, merge.sha].includes(head))
    return "position is invalid: no such version";
  const diff = merge.diffs.find(({ path }) => path === at.new_path)?.diff ?? "";
  return isRow(diff, at.old_line ?? null, at.new_line ?? null)
    ? null
    : "Line code can't be blank and must be a valid line code";
};

/** Whether a row of the diff has exactly these numbers. */
const isRow = (diff: string, old: number | null, now: number | null): boolean => {
  for (const hunk of diff.split(/^(?=@@ )/m)) {
    const [, first = "", second = ""] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(hunk) ?? [];
    let [left, right] = [Number(first), Number(second)];
    for (const row of hunk.split("\n").slice(1)) {
      if (row === "" || row.startsWith("\\")) continue;
      const [isAdded, isRemoved] = [row.startsWith("+"), row.startsWith("-")];
      if ((isAdded ? null : left) === old && (isRemoved ? null : right) === now) return true;
      left += isAdded ? 0 : 1;
      right += isRemoved ? 0 : 1;
    }
  }
  return false;
};
