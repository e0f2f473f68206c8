/** The forge as the tools reach it where it is GitLab: the real client and git's own protocol against the wire. */

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { CredentialChoice } from "../../../src/features/forge/choose.ts";
import { createGitProxies } from "../../../src/features/forge/git-proxies.ts";
import { createForges } from "../../../src/features/forge/forges.ts";
import type { ForgeWriter, WritableProject } from "../../../src/features/forge/ports/forge-writer.ts";
import { createFakeGitLab, type FakeGitLab } from "../../fakes/gitlab/fake.ts";
import { scratch } from "../../scratch.ts";
import { commit, createScene, git, startSandbox } from "../../workspace/scene.ts";
import { told } from "./private.ts";

const TOKEN = "glpat-canary0123456789";
const SHOP = "team/web/shop";
const LOCATION = `https://gitlab.example.org/${SHOP}.git`;
const NOON = Date.UTC(2026, 10, 2, 12);
const COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const MARK = { key: "k0123456789", since: NOON, again: false };
const ISSUE = { number: 1, isPull: false };
const MERGE = { number: 1, isPull: true };
const { signal } = new AbortController();

type Scopes = readonly ("api" | "read_api" | "read_repository" | "write_repository")[];

const gitlab = async (scopes: Scopes = ["api"]): Promise<FakeGitLab> => {
  const fake = await createFakeGitLab(() => NOON);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addProject(SHOP);
  fake.world.tokens.set(TOKEN, { projects: [SHOP], scopes });
  return fake;
};

const choiceOf = ({ url, api }: FakeGitLab): CredentialChoice => ({
  credentials: [{ repos: ["*"], api, git: url, access: { kind: "gitlab-token", token: TOKEN } }],
  fits: () => true,
  userAgent: "parley-test",
});

const projectOn = (fake: FakeGitLab): WritableProject => {
  const located = createForges(choiceOf(fake)).at({ kind: "url", location: LOCATION });
  if (located.kind === "none") throw new Error(located.why);
  return located.project;
};

const deskOn = (fake: FakeGitLab): ForgeWriter => {
  const { desk } = projectOn(fake);
  if (desk === null) throw new Error("no desk");
  return desk;
};

describe("reading", () => {
  it("an issue comes with its labels and comments, without what the system notes", async () => {
    const fake = await gitlab(["read_api"]);
    fake.world.addIssue(SHOP, {
      title: "Retry loses the last attempt",
      text: "It stops after two.",
      author: "ben",
      at: NOON,
      labels: ["bug"],
      notes: [
        { author: "ana", at: NOON, text: "first" },
        { author: "ana", at: NOON, text: "changed the description", system: true },
        { author: "eve", at: NOON, text: "second" },
      ],
    });
    const project = projectOn(fake);
    expect(project.name).toBe(`gitlab.example.org/${SHOP}`);
    const read = await project.issue(1, 1, signal);
    expect(read).toMatchObject({
      kind: "found",
      value: { number: 1, state: "open", author: "ben", at: NOON, labels: ["bug"], commentsInAll: 2 },
    });
    expect(read.kind === "found" ? read.value.comments.map(({ text }) => text) : read).toEqual([
      "first",
      "second",
    ]);
  });

  it("a search finds issues and merge requests of this project, open and merged", async () => {
    const fake = await gitlab();
    fake.world.addProject("team/web/secrets");
    fake.world.addIssue("team/web/secrets", { title: "retry the launch" });
    fake.world.addIssue(SHOP, { title: "Retry policy", text: "timeouts", state: "closed", at: NOON - 1 });
    fake.world.addMerge(SHOP, { title: "Retry on timeouts", state: "merged", at: NOON });
    const project = projectOn(fake);
    const all = await project.search("retry timeouts", "all", signal);
    expect(all).toMatchObject({ kind: "found", value: { inAll: 2 } });
    expect(
      all.kind === "found" ? all.value.hits.map(({ number, isPull, state }) => [number, isPull, state]) : all,
    ).toEqual([
      [1, true, "merged"],
      [1, false, "closed"],
    ]);
    expect(await project.search("retry", "open", signal)).toMatchObject({ value: { inAll: 0 } });
    expect(await project.search("timeouts", "closed", signal)).toMatchObject({ value: { inAll: 2 } });
  });

  it("a merge request comes with its files, verdicts and remarks, and says that it is a fork's", async () => {
    const fake = await gitlab();
    fake.world.addMerge(SHOP, {
      title: "Draft: Keep the last attempt",
      sha: COMMIT,
      fork: 7,
      diffs: [{ path: "src/retry.ts", diff: "@@ -1 +1,2 @@\n-old\n+new\n+more\n" }],
      notes: [
        { author: "ben", at: NOON, text: "requested changes", system: true },
        { author: "ben", at: NOON, text: "added 1 commit", system: true },
        { author: "cleo", at: NOON, text: "approved this merge request", system: true },
        { author: "cleo", at: NOON, text: "Good." },
        { author: "ana", at: NOON, text: "why?", position: { path: "src/retry.ts", line: 12 } },
      ],
    });
    expect(await projectOn(fake).pull(1, signal)).toMatchObject({
      kind: "found",
      value: {
        state: "draft",
        fork: "a fork (project 7)",
        headCommit: COMMIT,
        added: 2,
        removed: 1,
        filesInAll: 1,
        files: [{ path: "src/retry.ts", status: "modified", added: 2, removed: 1 }],
        reviews: [
          { author: "ben", on: "changes requested" },
          { author: "cleo", on: "approved" },
          { author: "cleo", on: "commented", text: "Good." },
          { author: "ana", on: "src/retry.ts:12", text: "why?" },
        ],
      },
    });
  });

  it("checks of what failed come with the end of the log", async () => {
    const fake = await gitlab();
    const shop = fake.world.projects.get(SHOP);
    shop?.refs.set("main", COMMIT);
    const log = `${"noise\n".repeat(5_000)}AssertionError: 3 is not 2\n`;
    shop?.jobs.push(
      { id: 1, name: "test", sha: COMMIT, status: "failed", log },
      { id: 2, name: "lint", sha: COMMIT, status: "success", log: "all good" },
      { id: 3, name: "deploy", sha: COMMIT, status: "failed", log: null, description: "no route" },
    );
    const found = await projectOn(fake).checks("main", signal);
    const runs = found.kind === "found" ? found.value.runs : [];
    expect(runs.map(({ name, failed }) => [name, failed])).toEqual([
      ["test", true],
      ["lint", false],
      ["deploy", true],
    ]);
    expect(runs[0]?.log).toMatch(/AssertionError: 3 is not 2\n$/);
    expect(runs[0]?.log?.length).toBeLessThanOrEqual(6_000);
    expect([runs[1]?.log, runs[2]?.log]).toEqual([null, "no route"]);
  });

  it("40.C3 reads past the first page: 130 jobs, 150 notes, 230 files, 250 labels", async () => {
    const fake = await gitlab();
    const shop = fake.world.projects.get(SHOP);
    shop?.refs.set("main", COMMIT);
    const job = (id: number) =>
      ({ id, name: `job ${id}`, sha: COMMIT, status: id === 120 ? "failed" : "success", log: null }) as const;
    shop?.jobs.push(...Array.from({ length: 130 }, (_, index) => job(index + 1)));
    const found = await projectOn(fake).checks("main", signal);
    const checks = found.kind === "found" ? found.value : null;
    expect([checks?.runs.length, checks?.left]).toEqual([130, 0]);
    expect(checks?.runs.filter(({ failed }) => failed).map(({ name }) => name)).toEqual(["job 120"]);

    fake.world.addMerge(SHOP, {
      title: "Rewrite all",
      diffs: Array.from({ length: 230 }, (_, index) => ({ path: `f${index}.ts`, diff: "+x\n" })),
      notes: Array.from({ length: 150 }, (_, index) => ({
        author: "ben",
        at: NOON + index,
        text: `note ${index}`,
      })),
    });
    const read = await projectOn(fake).pull(1, signal);
    const pull = read.kind === "found" ? read.value : null;
    expect([pull?.files.length, pull?.reviews.length, pull?.reviewsLeft]).toEqual([230, 150, 0]);
    expect(pull?.reviews.at(-1)?.text).toBe("note 149");

    shop?.labels.push(...Array.from({ length: 250 }, (_, index) => `label ${index}`));
    expect(await deskOn(fake).unknownLabels(["label 249", "nope"], signal)).toMatchObject({
      value: ["nope"],
    });
  });

  it("40.C3 says what is left out if the forge no longer counts a list", async () => {
    const fake = await gitlab();
    const shop = fake.world.projects.get(SHOP);
    shop?.refs.set("main", COMMIT);
    const job = (id: number) => ({ id, name: "job", sha: COMMIT, status: "success", log: null }) as const;
    shop?.jobs.push(...Array.from({ length: 10_001 }, (_, index) => job(index + 1)));
    expect(await projectOn(fake).checks("main", signal)).toMatchObject({ value: { left: null } });
    shop?.jobs.splice(1_200);
    expect(await projectOn(fake).checks("main", signal)).toMatchObject({ value: { left: 200 } });

    for (let index = 0; index < 10_001; index += 1) fake.world.addIssue(SHOP, { title: "Timeout" });
    expect(await projectOn(fake).search("timeout", "open", signal)).toMatchObject({ value: { inAll: null } });
    shop?.labels.push(...Array.from({ length: 2_100 }, (_, index) => `label ${index}`));
    expect(await deskOn(fake).unknownLabels(["nope"], signal)).toMatchObject({
      kind: "trouble",
      why: expect.stringContaining("too much"),
    });
    expect(await deskOn(fake).unknownLabels(["label 5"], signal)).toMatchObject({ value: [] });
  });

  it("a merge request of 5 MB comes whole, and what is beyond any use is not taken into memory", async () => {
    const fake = await gitlab();
    const diff = `@@ -0,0 +1,50000 @@\n${`+${"x".repeat(99)}\n`.repeat(50_000)}`;
    fake.world.addMerge(SHOP, { title: "Vendor it", diffs: [{ path: "vendor.js", diff, isNew: true }] });
    const project = projectOn(fake);
    expect(await project.pull(1, signal)).toMatchObject({
      value: { added: 50_000, files: [{ status: "added", patch: diff }] },
    });
    fake.world.addIssue(SHOP, { title: "The log", text: "x".repeat(33 * 2 ** 20) });
    expect(await project.issue(1, 1, signal)).toEqual({
      kind: "trouble",
      why: `There is too much in gitlab.example.org/${SHOP} to look through.`,
    });
  });

  it("stopping the turn ends the request at once", async () => {
    const fake = await gitlab();
    fake.world.addIssue(SHOP, { title: "one" });
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate }, "issue");
    const stop = new AbortController();
    const asked = projectOn(fake).issue(1, 1, stop.signal);
    await gate.reached;
    stop.abort();
    expect(await asked).toEqual({ kind: "trouble", why: "The request was cancelled." });
    gate.open();
  });

  it("an answer that is none of GitLab's says where the operator looks", async () => {
    const fake = await gitlab();
    fake.fault({ kind: "status", status: 200 }, "issue");
    expect(await projectOn(fake).issue(1, 1, signal)).toMatchObject({
      why: expect.stringMatching(/not GitLab's; the operator should check the entry's `api`/),
    });
  });
});

describe("what GitLab refuses is one sentence that says what to do", () => {
  it.each([
    [
      "a token that was revoked",
      (fake: FakeGitLab) => fake.world.tokens.clear(),
      /the operator must renew it/,
    ],
    [
      "a token without the scope, named",
      (fake: FakeGitLab) =>
        void fake.world.tokens.set(TOKEN, { projects: [SHOP], scopes: ["read_repository"] }),
      /may not read this in .*; it lacks the scope api read_api\.$/,
    ],
    [
      "a project that is not there or hidden",
      (fake: FakeGitLab) => void fake.world.projects.delete(SHOP),
      /There is no issue #1 in .* that Parley's credential may read\.$/,
    ],
    [
      "a project that was moved",
      (fake: FakeGitLab) => void fake.world.moved.set(SHOP, "team/store"),
      /has moved: bind the channel to it under its new name/,
    ],
    [
      "a limit that is long",
      (fake: FakeGitLab) => fake.fault({ kind: "limited", retryAfter: 900 }, "issue"),
      /limits how often Parley may ask; try again in 900 s\.$/,
    ],
    [
      "a forge that is away",
      (fake: FakeGitLab) => fake.fault({ kind: "status", status: 502 }, "issue"),
      /does not answer as it should \(status 502\)/,
    ],
    [
      "a connection that breaks",
      (fake: FakeGitLab) => fake.fault({ kind: "cut" }, "issue"),
      /gitlab\.example\.org cannot be reached/,
    ],
  ])("%s", async (_, happens, why) => {
    const fake = await gitlab();
    fake.world.addIssue(SHOP, { title: "one" });
    happens(fake);
    const asked = await projectOn(fake).issue(1, 1, signal);
    expect(asked).toMatchObject({ kind: "trouble", why: expect.stringMatching(why) });
    expect(JSON.stringify(asked)).not.toContain(TOKEN);
  });

  it("a short limit is waited for", async () => {
    const fake = await gitlab();
    fake.world.addIssue(SHOP, { title: "one" });
    fake.fault({ kind: "limited", retryAfter: 0 }, "issue");
    expect(await projectOn(fake).issue(1, 1, signal)).toMatchObject({ kind: "found" });
  });
});

describe("writing", () => {
  it.each([
    [
      "an issue",
      "new issue",
      (desk: ForgeWriter) => desk.fileIssue({ title: "t", text: "x", labels: ["bug"] }, MARK, signal),
    ],
    ["a comment", "new issue note", (desk: ForgeWriter) => desk.comment(ISSUE, "x", MARK, signal)],
    [
      "a comment on a merge request",
      "new merge request note",
      (desk: ForgeWriter) => desk.comment(MERGE, "x", MARK, signal),
    ],
    [
      "a merge request",
      "new merge request",
      (desk: ForgeWriter) =>
        desk.openPull({ title: "t", text: "x", base: "main", branch: "parley/c-1" }, MARK, signal),
    ],
  ])(
    "%s is there once although its answer was lost, and a later process finds it",
    async (_, operation, write) => {
      const fake = await gitlab();
      fake.world.addIssue(SHOP, { title: "one" });
      fake.world.addMerge(SHOP, { title: "one, too" });
      fake.fault({ kind: "lost" }, operation);
      const first = await write(deskOn(fake));
      expect(first).toMatchObject({ kind: "found", value: { url: expect.stringContaining(`/${SHOP}/-/`) } });
      const again = await write(deskOn(fake));
      expect(again).toEqual(first);
      expect(fake.calls.filter((call) => call.operation === operation)).toHaveLength(1);
    },
  );

  it("a draft merge request says so, and lines that GitLab would carry out stay text", async () => {
    const fake = await gitlab();
    const issue = fake.world.addIssue(SHOP, { title: "one" });
    const desk = deskOn(fake);
    const text = "Done.\n/close\n/label bug\r\n/usr/bin/env is a path";
    expect(await desk.comment(ISSUE, text, MARK, signal)).toMatchObject({
      value: { name: `gitlab.example.org/${SHOP}#1`, url: expect.stringMatching(/issues\/1#note_\d+$/) },
    });
    expect([issue.state, issue.labels]).toEqual(["opened", []]);
    expect(issue.notes[0]?.text).toContain("Done.\n\\/close\n\\/label bug\n/usr/bin/env is a path");
    await desk.fileIssue({ title: "two", text, labels: [] }, MARK, signal);
    expect(fake.world.projects.get(SHOP)?.issues[1]).toMatchObject({ state: "opened", labels: [] });
    const draft = { title: "Send at all", text, base: "main", branch: "parley/c-1" };
    expect(await desk.openPull(draft, MARK, signal)).toMatchObject({
      value: { name: `gitlab.example.org/${SHOP}!1` },
    });
    expect(fake.world.projects.get(SHOP)?.merges).toMatchObject([
      { title: "Draft: Send at all", source: "parley/c-1", target: "main", state: "opened" },
    ]);
    expect(await desk.pullOf("parley/c-1", signal)).toMatchObject({
      value: { name: `gitlab.example.org/${SHOP}!1` },
    });
    expect(await desk.pullOf("parley/c-2", signal)).toEqual({ kind: "found", value: null });
  });

  it("labels are given and taken, and unknown ones are named before", async () => {
    const fake = await gitlab();
    const issue = fake.world.addIssue(SHOP, { title: "one", labels: ["old"] });
    const desk = deskOn(fake);
    expect(await desk.unknownLabels(["Bug", "nope"], signal)).toEqual({ kind: "found", value: ["nope"] });
    await desk.label(ISSUE, { add: ["bug"], remove: ["old"] }, signal);
    await desk.label(ISSUE, { add: ["bug"], remove: ["old"] }, signal);
    expect(issue.labels).toEqual(["bug"]);
  });

  it("a merge request is commented on and labelled, and not the issue of the same number", async () => {
    const fake = await gitlab();
    const issue = fake.world.addIssue(SHOP, { title: "one" });
    const merge = fake.world.addMerge(SHOP, { title: "one, too", labels: ["old"] });
    const desk = deskOn(fake);
    expect(await desk.comment(MERGE, "Done.\n/merge", MARK, signal)).toMatchObject({
      value: {
        name: `gitlab.example.org/${SHOP}!1`,
        url: expect.stringMatching(/merge_requests\/1#note_\d+$/),
      },
    });
    expect(merge.notes[0]?.text).toContain("Done.\n\\/merge");
    expect(await desk.label(MERGE, { add: ["bug"], remove: ["old"] }, signal)).toMatchObject({
      value: { name: `gitlab.example.org/${SHOP}!1` },
    });
    expect(merge.labels).toEqual(["bug"]);
    expect([issue.notes, issue.labels]).toEqual([[], []]);
    expect(await desk.comment({ number: 7, isPull: true }, "x", MARK, signal)).toMatchObject({
      why: expect.stringMatching(/^There is no merge request !7 in/),
    });
  });

  it("a bad gateway is asked once more and no oftener, and nothing is written twice", async () => {
    const fake = await gitlab();
    fake.fault({ kind: "status", status: 502 }, "new issue", 3);
    const desk = deskOn(fake);
    const draft = { title: "t", text: "x", labels: [] };
    expect(await desk.fileIssue(draft, MARK, signal)).toMatchObject({ kind: "trouble", perhaps: true });
    expect(fake.calls.filter(({ operation }) => operation === "new issue")).toHaveLength(2);
    await desk.fileIssue(draft, MARK, signal);
    expect(fake.world.projects.get(SHOP)?.issues).toHaveLength(1);
  });

  it("a token that only reads writes nothing, and the scope is named", async () => {
    const fake = await gitlab(["read_api"]);
    fake.world.addIssue(SHOP, { title: "one" });
    expect(await deskOn(fake).comment(ISSUE, "x", MARK, signal)).toMatchObject({
      kind: "trouble",
      why: expect.stringContaining("it lacks the scope api"),
    });
  });

  it("an archived project, and one that was moved, take nothing", async () => {
    const fake = await gitlab();
    const shop = fake.world.projects.get(SHOP);
    if (shop === undefined) throw new Error("no project");
    shop.archived = true;
    const desk = deskOn(fake);
    expect(await desk.repository(signal)).toMatchObject({ why: expect.stringContaining("is archived") });
    fake.world.moved.set(SHOP, "team/store");
    const draft = { title: "t", text: "x", labels: [] };
    for (const asked of [await desk.repository(signal), await desk.fileIssue(draft, MARK, signal)]) {
      expect(asked).toMatchObject({
        kind: "trouble",
        why: `gitlab.example.org/${SHOP} has moved: bind the channel to it under its new name.`,
      });
    }
    expect(fake.calls.every(({ exchange: { method } }) => method === "GET")).toBe(true);
  });

  it("a project that was deleted is said not to be there", async () => {
    const fake = await gitlab();
    fake.world.projects.delete(SHOP);
    expect(await deskOn(fake).repository(signal)).toEqual({
      kind: "trouble",
      why: `There is no project gitlab.example.org/${SHOP} that Parley's credential may write.`,
      refused: "right",
    });
  });
});

describe("git", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  it("clones a private project with the token through a door, and a branch is pushed once", async () => {
    const fake = await gitlab(["read_repository", "write_repository"]);
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    const head = await commit(source, { "a.txt": "a\n" });
    const root = scratch("gitlab-git");
    mkdirSync(join(root, "team/web"), { recursive: true });
    const bare = join(root, `${SHOP}.git`);
    execFileSync("git", ["clone", "-q", "--bare", source, bare]);
    const shop = fake.world.projects.get(SHOP);
    if (shop === undefined) throw new Error("no project");
    shop.git = { root, path: `/${SHOP}.git` };
    const workspaces = scene.restart({ doors: createGitProxies(choiceOf(fake)) });
    const open = (id: `c-${string}`) => scene.open(id, LOCATION, { kind: "url", workspaces });
    expect((await open("c-1")).outcome).toMatchObject({ kind: "ready", base: { commit: head } });

    const next = await commit(source, { "b.txt": "b\n" });
    const pack = execFileSync("git", ["pack-objects", "--revs", "--stdout", "-q"], {
      cwd: source,
      input: `${next}\n^${head}\n`,
    });
    const push = { branch: "parley/c-1", from: null, to: next, pack };
    fake.fault({ kind: "lost" }, "git/push");
    const desk = deskOn(fake);
    expect(await desk.push(push, signal)).toEqual({ kind: "found", value: null });
    expect(await git(bare, "rev-parse", "parley/c-1")).toBe(next);

    const theirs = await commit(source, { "c.txt": "c\n" });
    execFileSync("git", ["push", "-q", "-f", bare, `${theirs}:refs/heads/parley/c-1`], { cwd: source });
    expect(await desk.push(push, signal)).toMatchObject({
      why: expect.stringMatching(
        /^Somebody else has pushed to parley\/c-1 [^]*nothing was pushed over it\.$/,
      ),
    });
    expect(await git(bare, "rev-parse", "parley/c-1")).toBe(theirs);

    const hook = join(bare, "hooks/pre-receive");
    mkdirSync(join(bare, "hooks"), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(await desk.push({ ...push, branch: "parley/c-3" }, signal)).toMatchObject({
      why: expect.stringMatching(/a rule of the repository protects it[^]*parley\//),
    });
    rmSync(hook);
    expect(await git(bare, "for-each-ref", "--format=%(refname:short)", "refs/heads/parley")).toBe(
      "parley/c-1",
    );

    fake.world.tokens.set(TOKEN, { projects: [SHOP], scopes: ["read_repository"] });
    expect(await desk.push({ ...push, branch: "parley/c-2" }, signal)).toMatchObject({
      why: expect.stringContaining("it lacks write_repository"),
    });
    fake.world.tokens.clear();
    scene.clock.advance(60_000);
    const refused = await open("c-2");
    expect(told(refused)).toContain("was refused: it has expired, was revoked");
    expect(JSON.stringify(refused)).not.toContain(TOKEN);
  });
});
