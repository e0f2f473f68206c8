/**
 * Reviews of a merge request. All notes are written as drafts, which only the credential's user sees, and then published
 * together. Each note has the review's mark and its own number, so a later process continues where this one ended.
 */

import { hash } from "node:crypto";
import type { ReviewThread } from "../api/forge-writer.ts";
import { gather, ITEMS_A_PAGE } from "../api/gather.ts";
import { findOnPages, hasWriteMarker, sinceOf, TooMuch } from "../api/idempotent.ts";
import type { LineNumbers, ReviewComment, ReviewDraft, WriteMarker } from "../ports/forge-writer.ts";
import { type Client, Refused } from "./client.ts";
import {
  type DraftNoteWire,
  draftNoteWire,
  mergeWire,
  type NoteWire,
  noteWire,
  versionWire,
} from "./schema.ts";
import { withoutActions } from "./without-actions.ts";

/** Maximum number of pages of drafts, and of versions. */
const MAX_PAGES = 5;

export const gitlabReviews = (client: Client, pull: number): ReviewThread => {
  const path = `/merge_requests/${pull}`;

  const url = async ({ id }: Pick<NoteWire, "id">): Promise<string> =>
    `${(await client.get(mergeWire, path)).web_url}#note_${id}`;

  const drafts = async (mark: WriteMarker): Promise<Drafts> => {
    const { items, left } = await gather(
      (page) => client.list(draftNoteWire, `${path}/draft_notes`, { page, per_page: ITEMS_A_PAGE }),
      MAX_PAGES,
    );
    if (left !== 0) throw new TooMuch();
    const own = items.filter(({ note }) => hasWriteMarker(note, mark));
    return { own, isAlone: own.length === items.length };
  };

  const published = async (mark: WriteMarker): Promise<NoteWire | null> => {
    const since = sinceOf(mark).getTime();
    const newest = { order_by: "created_at", sort: "desc", per_page: ITEMS_A_PAGE };
    return findOnPages(
      async (page) => {
        const { items, isLast } = await client.list(noteWire, `${path}/notes`, { ...newest, page });
        return { items, isLast: isLast || items.some(({ created_at: at }) => Date.parse(at) < since) };
      },
      ({ body }) => hasWriteMarker(body, mark),
    );
  };

  /** Other drafts of the credential's user stay drafts. */
  const publish = async ({ own, isAlone }: Drafts): Promise<void> => {
    if (isAlone && own.length > 0) return client.act("POST", `${path}/draft_notes/bulk_publish`);
    for (const { id } of own) await client.act("PUT", `${path}/draft_notes/${id}/publish`);
  };

  const write = async (review: ReviewDraft, mark: WriteMarker): Promise<Drafts> => {
    const refs = await refsOf(client, path, review.commit);
    const { own } = await drafts(mark);
    const parts = [
      { note: review.text },
      ...review.comments.map((one) => ({ note: one.text, ...on(one, refs) })),
    ];
    for (const [index, part] of parts.entries()) {
      const note = `${withoutActions(part.note)}\n\n${markOf(mark, index)}`;
      if (own.some((one) => one.note.includes(markOf(mark, index)))) continue;
      await client.act("POST", `${path}/draft_notes`, { ...part, note });
    }
    return drafts(mark);
  };

  return {
    find: async (mark) => {
      const note = await published(mark);
      if (note === null) return null;
      // Publishing begins only once all drafts exist.
      await publish(await drafts(mark));
      return url(note);
    },
    post: async (review, mark) => {
      const written = await write(review, mark).catch(async (error: unknown) => {
        if (error instanceof Refused) await forget(client, path, await drafts(mark));
        throw error;
      });
      await publish(written);
      const note = await published(mark);
      return note === null ? (await client.get(mergeWire, path)).web_url : url(note);
    },
  };
};

interface Drafts {
  readonly own: readonly DraftNoteWire[];
  /** Whether the user has no other drafts here. */
  readonly isAlone: boolean;
}

/** GitLab refused one note, so the others must not be published with a later review. */
const forget = async (client: Client, path: string, { own }: Drafts): Promise<void> => {
  for (const { id } of own) await client.act("DELETE", `${path}/draft_notes/${id}`);
};

const markOf = ({ key }: WriteMarker, index: number): string => `<!-- parley:${key}-${index} -->`;

interface Refs {
  readonly head_sha: string;
  readonly base_sha: string;
  readonly start_sha: string;
}

/** The version of the diff with that head, even if the head has moved since. */
const refsOf = async (client: Client, path: string, commit: string): Promise<Refs> => {
  const found = await findOnPages(
    async (page) => {
      const query = { page, per_page: ITEMS_A_PAGE };
      const { items, isLast } = await client.list(versionWire, `${path}/versions`, query);
      return { items, isLast };
    },
    ({ head_commit_sha: head }) => head === commit,
  );
  if (found === null)
    throw new Refused(409, new Headers(), { message: "the diff of this commit is not there" });
  const { head_commit_sha: head, base_commit_sha: base, start_commit_sha: start } = found;
  return { head_sha: head, base_sha: base, start_sha: start };
};

/** A line that both sides have is named with both numbers. */
const on = ({ path, oldPath, side, first, last }: ReviewComment, refs: Refs) => ({
  position: {
    ...refs,
    position_type: "text",
    old_path: oldPath,
    new_path: path,
    ...numbered(last),
    ...(first[side] === last[side] ? {} : { line_range: { start: end(path, first), end: end(path, last) } }),
  },
});

const numbered = ({ old, new: now }: LineNumbers) => ({
  ...(old === null ? {} : { old_line: old }),
  ...(now === null ? {} : { new_line: now }),
});

const end = (path: string, line: LineNumbers) => ({
  line_code: `${hash("sha1", path)}_${line.next.old}_${line.next.new}`,
  type: line.old === null ? "new" : "old",
  ...numbered(line),
});
