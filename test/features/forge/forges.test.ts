/** The forge as the tools reach it: the real client against GitHub at the wire. */

import { describe, expect, it } from "vitest";
import { createForges } from "../../../src/features/forge/forges.ts";
import { forge, forgesOn, NOON, projectOn, repo, signal } from "./world.ts";

const COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

describe("an issue", () => {
  it("comes with its labels and the comments of one page", async () => {
    const fake = await forge();
    fake.world.addIssue("acme/shop", {
      title: "Retry loses the last attempt",
      text: "It stops after two.",
      author: "ben",
      labels: ["bug", "retry"],
      comments: Array.from({ length: 31 }, (_, index) => ({
        author: "ana",
        at: NOON,
        text: `comment ${index + 1}`,
      })),
    });
    const project = projectOn(fake);
    expect(await project.issue(1, 1, signal)).toMatchObject({
      kind: "found",
      value: {
        number: 1,
        title: "Retry loses the last attempt",
        author: "ben",
        at: NOON,
        isPull: false,
        labels: ["bug", "retry"],
        commentsInAll: 31,
      },
    });
    const second = await project.issue(1, 2, signal);
    expect(second.kind === "found" ? second.value.comments.map(({ text }) => text) : second).toEqual([
      "comment 31",
    ]);
  });
});

describe("a search", () => {
  it("finds by words, open and closed, with the links to cite", async () => {
    const fake = await forge();
    fake.world.addIssue("acme/shop", { title: "Retry policy", text: "timeouts", state: "closed" });
    fake.world.addIssue("acme/shop", { title: "Dark theme" });
    const found = await projectOn(fake).search("retry timeouts", "all", signal);
    expect(found).toMatchObject({
      kind: "found",
      value: { inAll: 1, hits: [{ number: 1, state: "closed", url: `${fake.url}/acme/shop/issues/1` }] },
    });
  });

  it("never leaves the conversation's repository, whatever qualifiers the words hold", async () => {
    const fake = await forge();
    fake.world.addRepo("acme/secrets");
    fake.world.addIssue("acme/secrets", { title: "the launch date" });
    fake.world.addIssue("acme/shop", { title: "the launch button" });
    const words = 'launch repo:acme/secrets "the" (org:acme OR repo:acme/secrets)';
    const hostile = await projectOn(fake).search(words, "all", signal);
    expect(hostile).toMatchObject({ kind: "found", value: { inAll: 0 } });
    const honest = await projectOn(fake).search("launch", "open", signal);
    expect(honest).toMatchObject({ value: { inAll: 1, hits: [{ url: `${fake.url}/acme/shop/issues/1` }] } });
  });
});

describe("a pull request", () => {
  it("comes with its files, verdicts and remarks, and says that it is a fork's", async () => {
    const fake = await forge();
    fake.world.addIssue("acme/shop", {
      title: "Keep the last attempt",
      pull: {
        base: "main",
        head: "fix",
        headCommit: COMMIT,
        from: "mallory/shop",
        draft: true,
        merged: false,
        files: [{ path: "src/retry.ts", status: "modified", added: 2, removed: 1, patch: "@@ -1 +1,2 @@" }],
        reviews: [{ author: "ben", at: NOON, text: "not yet", state: "CHANGES_REQUESTED" }],
        remarks: [{ author: "ana", at: NOON, text: "why?", path: "src/retry.ts", line: 12 }],
      },
    });
    expect(await projectOn(fake).pull(1, signal)).toMatchObject({
      kind: "found",
      value: {
        state: "draft",
        fork: "mallory/shop",
        headCommit: COMMIT,
        filesInAll: 1,
        files: [{ path: "src/retry.ts", added: 2, removed: 1, patch: "@@ -1 +1,2 @@" }],
        reviews: [
          { author: "ben", on: "changes requested", text: "not yet" },
          { author: "ana", on: "src/retry.ts:12", text: "why?" },
        ],
      },
    });
  });
});

describe("checks", () => {
  it("of what failed come with the end of the log, which the log's store gives without our credential", async () => {
    const fake = await forge();
    const shop = fake.world.repos.get("acme/shop");
    shop?.refs.set("main", COMMIT);
    const log = `${"noise\n".repeat(5_000)}AssertionError: 3 is not 2\n`;
    shop?.runs.push(
      { name: "test", commit: COMMIT, conclusion: "failure", log },
      { name: "lint", commit: COMMIT, conclusion: "success", log: "all good" },
      { name: "deploy", commit: COMMIT, conclusion: "failure", log: null, summary: "no route" },
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
    expect(runs[1]?.log).toBeNull();
    expect(runs[2]?.log).toBe("no route");
  });
});

describe("what a forge refuses is one sentence that says what to do", () => {
  it("an issue that is not there, or hidden", async () => {
    const fake = await forge();
    expect(await projectOn(fake).issue(7, 1, signal)).toEqual({
      kind: "trouble",
      why: "There is no issue #7 in acme/shop that Parley's credential may read.",
      refused: "right",
    });
  });

  it("a token without the permission: it is named", async () => {
    const fake = await forge({ without: "checks=read" });
    fake.world.repos.get("acme/shop")?.refs.set("main", COMMIT);
    expect(await projectOn(fake).checks("main", signal)).toEqual({
      kind: "trouble",
      why: "Parley's credential may not read this in acme/shop; it lacks checks=read.",
      refused: "right",
    });
  });

  it("a token that is not valid any more", async () => {
    const fake = await forge();
    fake.world.tokens.clear();
    const asked = await projectOn(fake).issue(1, 1, signal);
    expect(asked).toMatchObject({ why: expect.stringContaining("the operator must renew it") });
  });

  it("a used-up allowance: until when; a short limit is waited for", async () => {
    const fake = await forge({}, Date.now);
    fake.world.addIssue("acme/shop", { title: "one" });
    const project = projectOn(fake);
    fake.fault({ kind: "limited", resetIn: 3_000 }, "issues/get");
    expect(await project.issue(1, 1, signal)).toMatchObject({
      why: expect.stringMatching(/^github\.com limits how often Parley may ask; try again after 2/),
    });
    fake.fault({ kind: "secondary", retryAfter: 1 }, "issues/get");
    expect(await project.issue(1, 1, signal)).toMatchObject({ kind: "found" });
  });

  it("a forge that is away", async () => {
    const fake = await forge();
    fake.fault({ kind: "status", status: 502 }, "issues/get");
    expect(await projectOn(fake).issue(1, 1, signal)).toMatchObject({
      why: "github.com does not answer as it should (status 502); try again later.",
    });
  });

  it("and stopping the turn ends the request at once", async () => {
    const fake = await forge();
    fake.world.addIssue("acme/shop", { title: "one" });
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate }, "issues/get");
    const stop = new AbortController();
    const asked = projectOn(fake).issue(1, 1, stop.signal);
    await gate.reached;
    stop.abort();
    expect(await asked).toEqual({ kind: "trouble", why: "The request was cancelled." });
    gate.open();
  });
});

describe("who asks", () => {
  it("an app reads with a token of its installation, never with its key", async () => {
    const fake = await forge();
    fake.world.addIssue("acme/shop", { title: "one" });
    const access = { kind: "github-app", appId: fake.app.id, privateKey: fake.app.privateKey } as const;
    expect(await projectOn(fake, access).issue(1, 1, signal)).toMatchObject({ kind: "found" });
    expect(fake.calls.map(({ operation }) => operation).slice(0, 2)).toEqual([
      "apps/get-repo-installation",
      "apps/create-installation-access-token",
    ]);
  });

  it("a key that is none is said, and nothing is asked", async () => {
    const fake = await forge();
    const access = { kind: "github-app", appId: 1, privateKey: "-----BEGIN PRIVATE KEY-----" } as const;
    expect(await projectOn(fake, access).issue(1, 1, signal)).toMatchObject({
      why: expect.stringContaining("should check the entry in the file that PARLEY_FORGES names"),
    });
    expect(fake.calls).toEqual([]);
  });

  it("a repository on this machine, or on a forge that nobody named, is on no forge", async () => {
    const fake = await forge();
    const forges = forgesOn(fake);
    expect(forges.at({ kind: "path", location: "/srv/shop" }).kind).toBe("none");
    expect(forges.at({ kind: "url", location: "https://git.example.org/team/shop.git" })).toEqual({
      kind: "none",
      why: "Parley does not know the forge at git.example.org. Its operator can add it to the file that PARLEY_FORGES names.",
    });
    expect(forges.at(repo).kind).toBe("project");
  });

  it("github.com is known without any credential", () => {
    const forges = createForges({ credentials: [], fits: () => false, userAgent: "parley-test" });
    expect(forges.at(repo)).toMatchObject({ kind: "project", project: { name: "acme/shop" } });
  });
});
