/** Webhooks of forges, with payloads as they were really sent. */

import { describe, expect, it } from "vitest";
import { readGithub } from "../../../../src/features/watches/hooks/github.ts";
import { hookSecret } from "../../../../src/features/watches/hooks/signature.ts";
import { MASTER, objectAt, payloads, reposOf, rig, sent, watchOf } from "./rig.ts";

describe("GitHub", () => {
  it("an issue that is opened begins a thread in the channel of its repository, with its link", async () => {
    const payload = sent("issues", "opened");
    const { github, taken } = rig([watchOf({})], reposOf(payload));
    expect(await github("issues", payload)).toBe("stored");
    expect(taken).toMatchObject([
      {
        watch: "forge-1",
        delivery: expect.stringMatching(/^[0-9a-f]{64}$/),
        title: expect.stringMatching(/^\S+\/\S+#\d+: ./),
      },
    ]);
    expect(taken[0]?.link).toMatch(/^https:\/\/github\.com\/.*\/issues\/\d+$/);
  });

  it("in no channel of another repository, of another kind, or where nobody watches", async () => {
    const payload = sent("issues", "opened");
    const other = rig([watchOf({})], "github.com/acme/api");
    const pulls = rig([watchOf({ hears: ["pulls"] })], reposOf(payload));
    expect([await other.github("issues", payload), await pulls.github("issues", payload)]).toEqual([
      "ignored",
      "ignored",
    ]);
    expect([...other.taken, ...pulls.taken]).toEqual([]);
  });

  it("with a label only once the issue has it; opened with it and labelled are one matter", async () => {
    const opened = sent("issues", "opened", { issue: issueWith(sent("issues", "opened"), ["bug"]) });
    const labelled = { ...opened, action: "labeled", label: { name: "bug" } };
    const { github, taken } = rig([watchOf({ label: "bug" })], reposOf(opened));
    expect(await github("issues", opened)).toBe("stored");
    expect(await github("issues", labelled, "d2")).toBe("stored");
    expect(await github("issues", { ...labelled, label: { name: "later" } }, "d3")).toBe("ignored");
    expect(new Set(taken.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  });

  it.each([
    ["pulls", "pull_request", "opened"],
    ["reviews", "pull_request", "review_requested"],
  ] as const)("%s: %s %s", async (hears, name, action) => {
    const payload = sent(name, action);
    const { github, taken } = rig([watchOf({ hears: [hears] })], reposOf(payload));
    expect(await github(name, payload)).toBe("stored");
    expect(taken[0]?.link).toMatch(/\/pull\/\d+$/);
  });

  it("a review that is requested of a team names the team", async () => {
    const { requested_reviewer: _, ...payload } = sent("pull_request", "review_requested");
    const asked = { ...payload, requested_team: { id: 1, name: "Justice League", slug: "justice-league" } };
    const { github, taken } = rig([watchOf({ hears: ["reviews"] })], reposOf(asked));
    expect(await github("pull_request", asked)).toBe("stored");
    expect(taken[0]?.text).toMatch(/^Review of pull request \d+ asked for of Justice League, branch /);
  });

  it("checks that failed on a branch are one matter; those that passed are none", async () => {
    const runs = payloads.find(({ name }) => name === "check_run")?.examples ?? [];
    const failed =
      runs.find((one) => JSON.stringify(one["check_run"]).includes('"conclusion":"failure"')) ?? {};
    const passed =
      runs.find((one) => JSON.stringify(one["check_run"]).includes('"conclusion":"success"')) ?? {};
    const { github, taken } = rig([watchOf({ hears: ["checks"] })], reposOf(failed));
    expect(await github("check_run", failed)).toBe("stored");
    const status = payloads.find(({ name }) => name === "status")?.examples[0] ?? {};
    expect(await github("check_run", passed)).toBe("ignored");
    expect(await github("status", status)).toBe("ignored");
    expect(taken.length).toBe(1);
  });

  it("a comment that mentions the bot, by its name and no longer one", async () => {
    const payload = sent("issue_comment", "created");
    const comment = (body: string) => ({ ...payload, comment: { ...objectAt(payload, "comment"), body } });
    const { github } = rig([watchOf({ hears: ["mentions"] })], reposOf(payload));
    const answers = [];
    for (const body of ["hey @Parley, why?", "@parleying", "parley", "cc @parley[bot]"])
      answers.push(await github("issue_comment", comment(body)));
    expect(answers).toEqual(["stored", "ignored", "ignored", "stored"]);
  });

  it("nothing that a Parley wrote or opened is heard", async () => {
    const comment = sent("issue_comment", "created");
    const body = "@parley look\n\n---\n*Written by Parley for @a, approved by @b (conversation c-12).*";
    const own = { ...comment, comment: { ...objectAt(comment, "comment"), body } };
    const pull = sent("pull_request", "opened");
    const ours = {
      ...pull,
      pull_request: { ...objectAt(pull, "pull_request"), head: { ref: "parley/c-12" } },
    };
    const { github } = rig([watchOf({ hears: ["mentions", "pulls"] })], reposOf(comment));
    expect([await github("issue_comment", own), await github("pull_request", ours)]).toEqual([
      "ignored",
      "ignored",
    ]);
  });

  it("every payload that was ever recorded is read or passed over, and none fails", () => {
    const all = payloads.flatMap(({ name, examples: some }) => some.map((one) => readGithub(name, one)));
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter((one) => one !== null).length).toBeGreaterThan(10);
  });
});

describe("GitLab", () => {
  const project = { web_url: "https://gitlab.example/acme/shop", path_with_namespace: "acme/shop" };
  const attributes = {
    iid: 7,
    title: "Cart",
    description: "It breaks",
    url: `${project.web_url}/-/issues/7`,
  };

  it("an issue, a merge request, a pipeline that failed and a mention, each in its channel", async () => {
    const hears = ["issues", "pulls", "checks", "mentions"] as const;
    const { gitlab, taken } = rig([watchOf({ forge: "gitlab", hears })], "gitlab.example/acme/shop");
    const payloadsOf = [
      { object_kind: "issue", project, object_attributes: { ...attributes, action: "open" }, labels: [] },
      {
        object_kind: "merge_request",
        project,
        object_attributes: { ...attributes, action: "open", source_branch: "fix" },
      },
      { object_kind: "pipeline", project, object_attributes: { id: 3, ref: "main", status: "failed" } },
      {
        object_kind: "note",
        project,
        object_attributes: { id: 9, note: "@parley?", url: attributes.url },
        issue: attributes,
      },
      { object_kind: "pipeline", project, object_attributes: { id: 4, ref: "main", status: "success" } },
      { object_kind: "issue", project, object_attributes: { ...attributes, action: "close" } },
    ];
    for (const payload of payloadsOf) expect(await gitlab(payload)).toBe(202);
    expect(taken.map(({ title }) => title)).toEqual([
      "acme/shop#7: Cart",
      "acme/shop!7: Cart",
      "acme/shop: checks failed on main",
      "acme/shop#7: Cart",
    ]);
    expect(await gitlab(payloadsOf[0] ?? {}, hookSecret(MASTER, "github"))).toBe(401);
  });

  const updated = (previous: readonly object[], current: readonly object[]) => ({
    object_kind: "merge_request",
    project,
    object_attributes: { ...attributes, action: "update", source_branch: "fix" },
    changes: { reviewers: { previous, current } },
  });

  it("a review is requested of each reviewer who is new, and of none if one is removed", async () => {
    const { gitlab, taken } = rig(
      [watchOf({ forge: "gitlab", hears: ["reviews"] })],
      "gitlab.example/acme/shop",
    );
    const [ana, bo] = [
      { id: 6, username: "ana" },
      { id: 7, username: "bo" },
    ];
    for (const payload of [updated([ana, bo], [ana]), updated([ana], [ana, bo])])
      expect(await gitlab(payload)).toBe(202);
    expect(taken.map(({ text }) => text)).toEqual([
      "Review of merge request 7 asked for of bo, branch fix\n\nIt breaks",
    ]);
  });
});

const issueWith = (payload: Record<string, unknown>, labels: readonly string[]): object => ({
  ...objectAt(payload, "issue"),
  labels: labels.map((name) => ({ name })),
});

describe("a push", () => {
  it("is told by its repository, with or without a watch; what is no push, or is signed by another, is not", async () => {
    const payload = payloads.find(({ name }) => name === "push")?.examples[0] ?? {};
    const { github, gitlab, pushed, taken } = rig([]);
    expect(await github("push", payload)).toBe("heard");
    expect(await github("star", payload)).toBe("ignored");
    const project = { web_url: "https://gitlab.com/acme/api", path_with_namespace: "acme/api" };
    expect(await gitlab({ object_kind: "push", project })).toBe(202);
    expect(await gitlab({ object_kind: "push", project }, "another")).toBe(401);
    expect(pushed).toEqual([reposOf(payload), "gitlab.com/acme/api"]);
    expect(taken).toEqual([]);
  });
});

const named = (id: number, name: string) => ({
  ...sent("issues", "opened"),
  repository: { id, full_name: name, html_url: `https://github.com/${name}` },
});

const event = (name: string) => ({
  object_kind: "issue",
  user: { username: "ana" },
  project: { id: 7, web_url: `https://gitlab.example.org/${name}`, path_with_namespace: name },
  object_attributes: {
    iid: 1,
    id: 1,
    action: "open",
    title: "Broken",
    description: "",
    url: `https://gitlab.example.org/${name}/-/issues/1`,
  },
  labels: [],
});

describe("40.C10 a repository that was renamed", () => {
  it("is known by its id: its channel hears the event, and the log says what to do", async () => {
    const { github, taken, pushed, logged } = rig([watchOf({})], "github.com/acme/old");
    expect(await github("issues", named(7, "acme/old"))).toBe("stored");
    expect(await github("issues", named(7, "acme/new"), "d2")).toBe("stored");
    expect(await github("push", { ...named(7, "acme/new"), ref: "refs/heads/main" }, "d3")).toBe("heard");
    expect([taken.length, pushed]).toEqual([2, ["github.com/acme/old"]]);
    expect(logged).toEqual([
      'hook: repository renamed; bind the channels to the new name {"from":"github.com/acme/old","to":"github.com/acme/new"}',
    ]);
  });

  it("and another repository is none: its events are ignored, and the log says so once", async () => {
    const { github, taken, logged } = rig([watchOf({})], "github.com/acme/old");
    await github("issues", named(7, "acme/old"));
    expect(await github("issues", named(8, "acme/new"), "d2")).toBe("ignored");
    expect(await github("issues", named(8, "acme/new"), "d3")).toBe("ignored");
    expect(taken).toHaveLength(1);
    expect(logged).toEqual([
      'hook: event of an unwatched repository received {"repo":"github.com/acme/new"}',
    ]);
  });

  it("of GitLab, too", async () => {
    const { gitlab, taken, logged } = rig(
      [watchOf({ forge: "gitlab", hears: ["issues"] })],
      "gitlab.example.org/acme/old",
    );
    await gitlab(event("acme/old"));
    await gitlab(event("acme/new"));
    expect(taken).toHaveLength(2);
    expect(logged.join("")).toContain("hook: repository renamed");
  });
});
