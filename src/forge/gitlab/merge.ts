/** A merge request with its files and what reviewers said. */

import type { Pull, PullFile, Review } from "../../ports/forge.ts";
import { gather, PAGE } from "../gather.ts";
import type { Client } from "./client.ts";
import {
  byWhom,
  diffWire,
  type DiffWire,
  mergeWire,
  type MergeWire,
  noteWire,
  type NoteWire,
} from "./schema.ts";

/** Pages of files, and of notes, that are read. */
const MAX_PAGES = 5;

export const readMerge =
  (number: number) =>
  async (client: Client): Promise<Pull> => {
    const path = `/merge_requests/${number}`;
    const newest = { sort: "desc", order_by: "created_at", per_page: PAGE };
    const [merge, diffs, notes] = await Promise.all([
      client.get(mergeWire, path),
      gather((page) => client.list(diffWire, `${path}/diffs`, { page, per_page: PAGE }), MAX_PAGES),
      gather((page) => client.list(noteWire, `${path}/notes`, { ...newest, page }), MAX_PAGES),
    ]);
    const files = diffs.items.map(fileOf);
    const sum = (of: "added" | "removed"): number => files.reduce((all, file) => all + file[of], 0);
    return {
      ...byWhom(merge, merge.description),
      number: merge.iid,
      title: merge.title,
      state: stateOf(merge),
      url: merge.web_url,
      base: merge.target_branch,
      head: merge.source_branch,
      headCommit: merge.sha ?? "",
      fork: forkOf(merge),
      added: sum("added"),
      removed: sum("removed"),
      filesInAll: Math.max(files.length, Number.parseInt(merge.changes_count ?? "0", 10) || 0),
      files,
      reviewsLeft: notes.left,
      reviews: notes.items.toReversed().flatMap(reviewOf),
    };
  };

const stateOf = ({ state, draft }: MergeWire): string => {
  if (state !== "opened") return state;
  return draft ? "draft" : "open";
};

/** Another project is not asked for its name: nothing but the conversation's own is reached. */
const forkOf = ({ source_project_id: source, target_project_id: target }: MergeWire): string | null => {
  if (source === target) return null;
  return source == null ? "a deleted fork" : `a fork (project ${source})`;
};

const fileOf = (file: DiffWire): PullFile => {
  const lines = file.diff.split("\n");
  return {
    path: file.new_path,
    status: statusOf(file),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    patch: file.diff === "" ? null : file.diff,
  };
};

const statusOf = (file: DiffWire): string => {
  if (file.new_file) return "added";
  if (file.deleted_file) return "removed";
  return file.renamed_file ? `renamed from ${file.old_path}` : "modified";
};

/** Verdicts are notes of the system; what else it notes (labels, pushes) is no review. */
const VERDICTS: readonly (readonly [RegExp, string])[] = [
  [/^approved this merge request/, "approved"],
  [/^unapproved this merge request/, "approval taken back"],
  [/^requested changes/, "changes requested"],
];

const reviewOf = (note: NoteWire): readonly Review[] => {
  if (note.system) {
    const [, verdict] = VERDICTS.find(([sign]) => sign.test(note.body)) ?? [];
    return verdict === undefined ? [] : [{ ...byWhom(note, ""), on: verdict }];
  }
  const { position } = note;
  const path = position?.new_path ?? position?.old_path;
  const on = path == null ? "commented" : `${path}:${position?.new_line ?? position?.old_line ?? "?"}`;
  return [{ ...byWhom(note, note.body), on }];
};
