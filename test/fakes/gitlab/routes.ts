/**
 * The operations of GitLab's REST API that Parley uses: the attributes that its documentation lists for each, which scope
 * they need, and what they do. An attribute that is not listed is a violation, although GitLab would ignore it.
 */

import { z } from "zod";
import { liveDiffs, mergingRoutes, mergingWire, refreshed } from "./merging.ts";
import { pushedCommit, pushedFile, tendingRoutes } from "./tending.ts";
import { diffWire, issueWire, labelWire, mergeWire, noteWire, projectWire, statusWire } from "./wire.ts";
import { reviewRoutes } from "./reviews.ts";
import type { FakeIssue, FakeMerge, FakeProject, GitLabWorld, Note } from "./world.ts";

export interface Ask {
  readonly base: string;
  readonly world: GitLabWorld;
  readonly project: FakeProject;
  /** What the path names, in order. */
  readonly params: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** In whose name is written. */
  readonly login: string;
  readonly now: number;
}

export type Answer =
  | { readonly kind: "json"; readonly status?: number; readonly body: unknown }
  | { readonly kind: "list"; readonly items: readonly unknown[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "empty" }
  | { readonly kind: "refused"; readonly status: number; readonly message: string };

export interface Route {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Of the path below the project. */
  readonly path: RegExp;
  readonly needs: "read_api" | "api";
  readonly query: z.ZodObject;
  readonly body: z.ZodObject | null;
  readonly serve: (ask: Ask) => Answer;
}

/** Owner of the operator's token. */
export const LOGIN = "parley-bot";
const iid = "(\\d+)";
const pages = {
  page: z.string().regex(/^\d+$/).optional(),
  per_page: z
    .string()
    .regex(/^\d{1,3}$/)
    .optional(),
};
const order = {
  order_by: z.enum(["created_at", "updated_at"]).optional(),
  sort: z.enum(["asc", "desc"]).optional(),
};
const none = z.strictObject({});
const listed = {
  ...pages,
  ...order,
  scope: z.enum(["created_by_me", "assigned_to_me", "all"]).optional(),
  search: z.string().optional(),
  in: z.string().optional(),
  created_after: z.iso.datetime().optional(),
};
const noteQuery = z.strictObject({
  ...pages,
  ...order,
  activity_filter: z.enum(["all_notes", "only_comments", "only_activity"]).optional(),
});

const json = (body: unknown, status = 200): Answer => ({ kind: "json", status, body });
const notFound: Answer = { kind: "refused", status: 404, message: "404 Not found" };

const read = (name: string, path: string, query: z.ZodObject, serve: Route["serve"]): Route => ({
  name,
  method: "GET",
  path: new RegExp(`^${path}$`),
  needs: "read_api",
  query,
  body: null,
  serve,
});

const write = (
  method: "POST" | "PUT",
  name: string,
  path: string,
  body: z.ZodObject,
  serve: Route["serve"],
): Route => ({ name, method, path: new RegExp(`^${path}$`), needs: "api", query: none, body, serve });

const found = <T extends { readonly iid: number }>(
  list: readonly T[],
  [number]: Ask["params"],
): T | undefined => list.find((one) => String(one.iid) === number);

const withIssue =
  (serve: (ask: Ask, issue: FakeIssue) => Answer): Route["serve"] =>
  (ask) => {
    const issue = found(ask.project.issues, ask.params);
    return issue === undefined ? notFound : serve(ask, issue);
  };

const withMerge =
  (serve: (ask: Ask, merge: FakeMerge) => Answer): Route["serve"] =>
  (ask) => {
    const merge = found(ask.project.merges, ask.params);
    return merge === undefined ? notFound : serve(ask, merge);
  };

const notesOf = ({ project, query }: Ask, on: FakeIssue | FakeMerge): Answer => {
  const kept = on.notes.filter(
    ({ system }) => query["activity_filter"] !== "only_comments" || system !== true,
  );
  const items = kept.map((note) => noteWire(project, on, note));
  return { kind: "list", items: query["sort"] === "asc" ? items : items.toReversed() };
};

/** Every word of the search stands in the title or the text; the newest first. */
const chosen = <T extends FakeIssue | FakeMerge>({ query }: Ask, list: readonly T[]): readonly T[] => {
  const words = (query["search"] ?? "").toLowerCase().split(/\s+/);
  const state = query["state"] ?? "all";
  const after = Date.parse(query["created_after"] ?? "1970-01-01T00:00:00Z");
  const fits = list.filter(
    (one) =>
      words.every((word) =>
        (query["in"] === "title" ? one.title : `${one.title} ${one.text}`).toLowerCase().includes(word),
      ) &&
      (state === "all" || one.state === state) &&
      one.at >= after,
  );
  return query["sort"] === "asc" ? fits : fits.toReversed();
};

/** Quick actions, as far as a test needs them: such a line is carried out and is not kept. */
const acted = (text: string, on: { state: string; labels: readonly string[] }): string =>
  text.replaceAll(/^\/(close|label)(?: ([^\n]*))?(?:\s*\n|$)/gim, (_, action: string, argument = "") => {
    if (action === "close") on.state = "closed";
    else on.labels = [...on.labels, String(argument)];
    return "";
  });

const namesIn = (text: string | undefined): readonly string[] =>
  text === undefined || text === "" ? [] : text.split(",");

const issueBody = z.strictObject({
  title: z.string().max(255),
  description: z.string().max(1_048_576).optional(),
  labels: z.string().optional(),
});
const labelBody = z.strictObject({ add_labels: z.string().optional(), remove_labels: z.string().optional() });
const titledBody = z.looseObject({ title: z.string().optional() });
const noteBody = z.strictObject({ body: z.string().min(1).max(1_000_000) });
const mergeBody = z.strictObject({
  title: z.string().max(255),
  description: z.string().max(1_048_576).optional(),
  source_branch: z.string(),
  target_branch: z.string(),
});

const relabelled = (on: FakeIssue | FakeMerge, body: unknown, answer: () => unknown): Answer => {
  const { add_labels: add, remove_labels: remove } = labelBody.parse(body);
  if (add === undefined && remove === undefined) {
    return { kind: "refused", status: 400, message: "at least one parameter must be provided" };
  }
  const gone = namesIn(remove);
  on.labels = [...new Set([...on.labels, ...namesIn(add)])].filter((name) => !gone.includes(name));
  return json(answer());
};

const noted = ({ project, body, login, now }: Ask, on: FakeIssue | FakeMerge): Answer => {
  const given = { state: on.state as string, labels: on.labels };
  const text = acted(noteBody.parse(body).body, given);
  if (given.state === "closed") on.state = "closed";
  on.labels = given.labels;
  const note: Note = { author: login, at: now, text };
  on.notes.push(note);
  return json(noteWire(project, on, note), 201);
};

export const routes: readonly Route[] = [
  ...reviewRoutes,
  read("project", "", none, ({ base, project, world, login }) =>
    json(projectWire(base, project, world.lesser.has(login) ? 20 : 40)),
  ),
  read(
    "issues",
    "/issues",
    z.strictObject({ ...listed, state: z.enum(["opened", "closed", "all"]).optional() }),
    (ask) => ({
      kind: "list",
      items: chosen(ask, ask.project.issues).map((issue) => issueWire(ask.base, ask.project, issue)),
    }),
  ),
  read(
    "issue",
    `/issues/${iid}`,
    none,
    withIssue(({ base, project }, issue) => json(issueWire(base, project, issue))),
  ),
  read(
    "issue notes",
    `/issues/${iid}/notes`,
    noteQuery,
    withIssue((ask, issue) => notesOf(ask, issue)),
  ),
  read(
    "merge requests",
    "/merge_requests",
    z.strictObject({
      ...listed,
      state: z.enum(["opened", "closed", "locked", "merged", "all"]).optional(),
      source_branch: z.string().optional(),
    }),
    (ask) => ({
      kind: "list",
      items: chosen(ask, ask.project.merges)
        .filter(({ source }) => source === (ask.query["source_branch"] ?? source))
        .map((merge) => mergeWire(ask.base, ask.project, merge)),
    }),
  ),
  read(
    "merge request",
    `/merge_requests/${iid}`,
    none,
    withMerge(({ base, project }, merge) => {
      const status = mergingWire(project, merge);
      return json({ ...mergeWire(base, project, merge), ...status });
    }),
  ),
  read(
    "merge request diffs",
    `/merge_requests/${iid}/diffs`,
    z.strictObject(pages),
    withMerge(({ project }, merge) => ({ kind: "list", items: liveDiffs(project, merge).map(diffWire) })),
  ),
  read(
    "merge request notes",
    `/merge_requests/${iid}/notes`,
    noteQuery,
    withMerge((ask, merge) => notesOf(ask, merge)),
  ),
  read("commit", "/repository/commits/([^/]+)", none, ({ project, params }) => {
    const name = decodeURIComponent(params[0] ?? "");
    const heads = [...project.refs.values(), ...project.merges.map(({ sha }) => sha)];
    const pushed = pushedCommit(project, name);
    const id = project.refs.get(name) ?? heads.find((sha) => sha === name) ?? pushed?.sha;
    const {
      text = "a commit",
      author = "ana",
      at = 0,
    } = project.commits.find(({ sha }) => sha === name) ?? pushed ?? {};
    const created = new Date(at).toISOString();
    return id === undefined
      ? notFound
      : json({
          id,
          short_id: id.slice(0, 8),
          title: text,
          message: text,
          author_name: author,
          created_at: created,
        });
  }),
  read(
    "commit diff",
    "/repository/commits/([0-9a-f]+)/diff",
    z.strictObject(pages),
    ({ project, params }) => {
      const found = project.commits.find(({ sha }) => sha === params[0]);
      if (found === undefined && pushedCommit(project, params[0] ?? "") !== null)
        return { kind: "list", items: [] };
      return found === undefined ? notFound : { kind: "list", items: found.diffs.map(diffWire) };
    },
  ),
  read(
    "file",
    "/repository/files/([^/]+)",
    z.strictObject({ ref: z.string() }),
    ({ project, params, query }) => {
      const path = decodeURIComponent(params[0] ?? "");
      const ref = query["ref"] ?? "HEAD";
      const text = project.contents.get(`${ref}:${path}`) ?? pushedFile(project, ref, path);
      return text === null
        ? notFound
        : json({ file_path: path, encoding: "base64", content: Buffer.from(text).toString("base64") });
    },
  ),
  read(
    "tree",
    "/repository/tree",
    z.strictObject({ ...pages, path: z.string().optional(), ref: z.string().optional() }),
    ({ project, query }) => {
      const below = `${query["ref"]}:${query["path"] ?? ""}/`;
      const names = [...project.contents.keys()]
        .filter((key) => key.startsWith(below))
        .map((key) => key.slice(below.length));
      if (names.length === 0) return { kind: "refused", status: 404, message: "404 Tree Not Found" };
      const items = names.map((name) => ({
        id: "0".repeat(40),
        name: name.split("/")[0],
        type: name.includes("/") ? "tree" : "blob",
        path: `${query["path"] ?? ""}/${name.split("/")[0]}`,
        mode: name.includes("/") ? "040000" : "100644",
      }));
      return { kind: "list", items };
    },
  ),
  read("commit statuses", "/repository/commits/([0-9a-f]{40})/statuses", z.strictObject(pages), (ask) => ({
    kind: "list",
    items: ask.project.jobs
      .filter(({ sha }) => sha === ask.params[0])
      .map((job) => statusWire(ask.base, ask.project, job)),
  })),
  read("job log", `/jobs/${iid}/trace`, none, ({ project, params }) => {
    const log = project.jobs.find(({ id }) => String(id) === params[0])?.log ?? null;
    return log === null ? notFound : { kind: "text", text: log };
  }),
  read("labels", "/labels", z.strictObject(pages), ({ project }) => ({
    kind: "list",
    items: project.labels.map(labelWire),
  })),
  write("POST", "new issue", "/issues", issueBody, ({ base, world, project, body, login, now }) => {
    const { title, description = "", labels } = issueBody.parse(body);
    const given = { state: "opened", labels: namesIn(labels) };
    const text = acted(description, given);
    const state = given.state === "closed" ? "closed" : "opened";
    const made = world.addIssue(project.path, { title, text, author: login, at: now, ...given, state });
    return json(issueWire(base, project, made), 201);
  }),
  write(
    "PUT",
    "edit issue",
    `/issues/${iid}`,
    labelBody,
    withIssue(({ base, project, body }, issue) =>
      relabelled(issue, body, () => issueWire(base, project, issue)),
    ),
  ),
  write(
    "PUT",
    "edit merge request",
    `/merge_requests/${iid}`,
    labelBody.extend({ title: z.string().max(255).optional() }),
    withMerge(({ base, project, body }, merge) => {
      const { title, ...labels } = titledBody.parse(body);
      if (title === undefined) return relabelled(merge, labels, () => mergeWire(base, project, merge));
      merge.title = title;
      return json(mergeWire(base, project, merge));
    }),
  ),
  write(
    "POST",
    "new issue note",
    `/issues/${iid}/notes`,
    noteBody,
    withIssue((ask, issue) => noted(ask, issue)),
  ),
  write(
    "POST",
    "new merge request note",
    `/merge_requests/${iid}/notes`,
    noteBody,
    withMerge((ask, merge) => noted(ask, merge)),
  ),
  write("POST", "new merge request", "/merge_requests", mergeBody, (ask) => {
    const { base, world, project, body, login, now } = ask;
    if (world.lesser.has(login)) return { kind: "refused", status: 403, message: "403 Forbidden" };
    const { title, description = "", source_branch: source, target_branch: target } = mergeBody.parse(body);
    const open = project.merges.find((merge) => merge.state === "opened" && merge.source === source);
    if (open !== undefined) {
      const message = `Another open merge request already exists for this source branch: !${open.iid}`;
      return { kind: "refused", status: 409, message };
    }
    const given = { state: "opened", labels: [] };
    const text = acted(description, given);
    const made = world.addMerge(project.path, { title, text, source, target, author: login, at: now });
    refreshed(project, made);
    return json(mergeWire(base, project, made), 201);
  }),
  ...mergingRoutes(read, write, withMerge),
  ...tendingRoutes,
];
