/** What the fake GitLab answers about a merge request that is looked after: commits of git, discussions, members. */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Route } from "./routes.ts";
import { noteWire } from "./wire.ts";
import type { FakeMerge, FakeProject, Note } from "./world.ts";

const gitIn = ({ git }: FakeProject, ...args: readonly string[]): Buffer | null => {
  if (git === null) return null;
  const done = spawnSync("git", ["--git-dir", `${git.root}${git.path}`, ...args]);
  return done.status === 0 ? done.stdout : null;
};

interface Pushed {
  readonly sha: string;
  readonly author: string;
  readonly at: number;
  readonly text: string;
}

/** A commit that was pushed. */
export const pushedCommit = (project: FakeProject, ref: string): Pushed | null => {
  const shown = gitIn(project, "show", "-s", "--format=%H%n%an%n%ct%n%B", `${ref}^{commit}`)?.toString();
  if (shown === undefined) return null;
  const [sha = "", author = "", at = "", ...text] = shown.split("\n");
  return { sha, author, at: Number(at) * 1_000, text: text.join("\n").trim() };
};

export const pushedFile = (project: FakeProject, ref: string, path: string): string | null =>
  gitIn(project, "show", `${ref}:${path}`)?.toString() ?? null;

const discussionOf = (merge: FakeMerge, note: Note): string =>
  note.discussion ??
  createHash("sha1")
    .update(`${merge.iid}/${merge.notes.indexOf(note)}`)
    .digest("hex");

/** Place of the first note of a discussion. */
export const noteOfDiscussion = (merge: FakeMerge, id: string): number =>
  merge.notes.findIndex((note) => discussionOf(merge, note) === id);

const pages = { page: z.string().optional(), per_page: z.string().optional() };
const noteBody = z.strictObject({ body: z.string().min(1).max(1_000_000) });
const mergeIn = ({ merges }: FakeProject, iid: string | undefined): FakeMerge | undefined =>
  merges.find((one) => String(one.iid) === iid);
const notFound = { kind: "refused", status: 404, message: "404 Not found" } as const;

export const tendingRoutes: readonly Route[] = [
  {
    name: "merge request discussions",
    method: "GET",
    path: /^\/merge_requests\/(\d+)\/discussions$/,
    needs: "read_api",
    query: z.strictObject(pages),
    body: null,
    serve: ({ project, params }) => {
      const merge = mergeIn(project, params[0]);
      if (merge === undefined) return notFound;
      const ids = [...new Set(merge.notes.map((note) => discussionOf(merge, note)))];
      const items = ids.map((id) => {
        const notes = merge.notes.filter((note) => discussionOf(merge, note) === id);
        return {
          id,
          individual_note: notes.length === 1 && notes[0]?.position === undefined,
          notes: notes.map((note) => ({
            ...noteWire(project, merge, note),
            type: note.position === undefined ? null : "DiffNote",
          })),
        };
      });
      return { kind: "list", items };
    },
  },
  {
    name: "new discussion note",
    method: "POST",
    path: /^\/merge_requests\/(\d+)\/discussions\/([0-9a-f]{40})\/notes$/,
    needs: "api",
    query: z.strictObject({}),
    body: noteBody,
    serve: ({ project, params: [iid, id], body, now }) => {
      const merge = mergeIn(project, iid);
      if (id === undefined || merge?.notes.some((note) => discussionOf(merge, note) === id) !== true)
        return notFound;
      const note: Note = { author: "parley-bot", at: now, text: noteBody.parse(body).body, discussion: id };
      merge.notes.push(note);
      return { kind: "json", status: 201, body: noteWire(project, merge, note) };
    },
  },
  {
    name: "members",
    method: "GET",
    path: /^\/members\/all$/,
    needs: "read_api",
    query: z.strictObject({ ...pages, query: z.string().optional() }),
    body: null,
    serve: ({ project, query }) => ({
      kind: "list",
      items: Object.entries(project.members ?? {}).flatMap(([username, level], index) =>
        username.includes(query["query"] ?? "")
          ? [{ id: index + 1, username, name: username, state: "active", access_level: level }]
          : [],
      ),
    }),
  },
];
