/**
 * New reviews, as GitHub's reference describes them: all of a review or nothing. A comment needs a line of the diff, on its
 * side; several lines are within one hunk. Nobody requests changes of their own pull request.
 */

import { z } from "zod";
import type { Answer, Ask } from "./routes.ts";
import { reviewWire } from "./wire.ts";
import type { FakeIssue, FakePull } from "./world.ts";

const side = z.enum(["LEFT", "RIGHT"]);
const body = z.object({
  commit_id: z.string().optional(),
  body: z.string().optional(),
  event: z.enum(["APPROVE", "REQUEST_CHANGES", "COMMENT"]).optional(),
  comments: z
    .array(
      z.object({
        path: z.string(),
        body: z.string(),
        line: z.int(),
        side: side.default("RIGHT"),
        start_line: z.int().optional(),
        start_side: side.optional(),
      }),
    )
    .default([]),
});
type Comment = z.output<typeof body>["comments"][number];

export const createReview = (pull: FakePull, issue: FakeIssue, ask: Ask): Answer => {
  const { base, repo, login, now } = ask;
  const { commit_id: commit = pull.headCommit, body: text = "", event, comments } = body.parse(ask.body);
  if (event === undefined) return unprocessable("The fake has no pending reviews");
  if (event !== "APPROVE" && text === "") return unprocessable(`Review body is required for ${event}`);
  if (event === "REQUEST_CHANGES" && issue.author === login)
    return unprocessable("Review Can not request changes on your own pull request");
  const wrong = comments.flatMap((comment) => complaintOf(pull, comment));
  if (wrong.length > 0) return unprocessable(...wrong);
  const said = { author: login, at: now };
  pull.reviews.push({ ...said, text, state: STATES[event], commit });
  const review = pull.reviews.length;
  pull.remarks.push(
    ...comments.map(({ path, line, side: on, start_line: startLine, body: remark }) => ({
      ...said,
      path,
      line,
      side: on,
      text: remark,
      review,
      ...(startLine === undefined ? {} : { startLine }),
    })),
  );
  const made = pull.reviews[review - 1];
  if (made === undefined) throw new Error("no review");
  return { kind: "json", body: reviewWire(base, repo, issue, made, review - 1) };
};

const STATES = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" } as const;

const unprocessable = (...errors: readonly string[]): Answer => ({ kind: "unprocessable", errors });

const complaintOf = (pull: FakePull, { path, line, side: on, ...from }: Comment): readonly string[] => {
  const file = pull.files.find((one) => one.path === path);
  if (file === undefined) return ["Path could not be resolved"];
  const hunk = hunkOf(file.patch ?? "", on, line);
  if (hunk === null) return ["Line could not be resolved"];
  const { start_line: start } = from;
  if (start === undefined) return [];
  if (start >= line) return ["Start line must precede the end line."];
  return hunkOf(file.patch ?? "", from.start_side ?? on, start) === hunk
    ? []
    : ["Start line could not be resolved"];
};

/** Number of the hunk that has the line on that side; null if none has. */
const hunkOf = (patch: string, on: Comment["side"], line: number): number | null => {
  for (const [index, hunk] of patch.split(/^(?=@@ )/m).entries()) {
    const [, old = "", now = ""] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(hunk) ?? [];
    let at = Number(on === "LEFT" ? old : now);
    for (const row of hunk.split("\n").slice(1)) {
      if (row === "" || row.startsWith("\\") || row.startsWith(on === "LEFT" ? "+" : "-")) continue;
      if (at === line) return index;
      at += 1;
    }
  }
  return null;
};
