/** What becomes of pull requests that a conversation opened: named by the branch, believed where the forge says whose it is. */

import { describe, expect, it } from "vitest";
import { objectAt, payloads, rig, reposOf, sent, watchOf } from "./rig.ts";

const OWN = "parley/c-12";

/** As it was sent, but for what is changed deep in it. */
const changed = (payload: Record<string, unknown>, key: string, part: object) => ({
  ...payload,
  [key]: { ...objectAt(payload, key), ...part },
});

const review = (part: object = {}) => {
  const payload = sent("pull_request_review", "submitted");
  const pull = objectAt(payload, "pull_request");
  const { full_name: repo } = { full_name: "", ...objectAt(payload, "repository") };
  return changed(payload, "pull_request", {
    ...pull,
    head: { ref: OWN, repo: { full_name: repo } },
    ...part,
  });
};

const merged = (part: object = {}) => ({ ...review({ merged: true, ...part }), action: "closed" });

const ends = (head: number, base = 1) => ({ head: { repo: { id: head } }, base: { repo: { id: base } } });

const run = (part: object = {}) => {
  const failed = payloads
    .find(({ name }) => name === "check_run")
    ?.examples.find((one) => JSON.stringify(one["check_run"]).includes('"conclusion":"failure"'));
  return changed(failed ?? {}, "check_run", {
    head_sha: "abc",
    check_suite: { head_branch: OWN },
    pull_requests: [{ number: 5, ...ends(1) }],
    ...part,
  });
};

const workflow = (full_name: string) => ({
  action: "completed",
  workflow_run: {
    name: "CI",
    conclusion: "failure",
    html_url: "https://github.com/acme/api/actions/1",
    head_branch: OWN,
    head_sha: "abc",
    head_repository: { full_name },
  },
  repository: { html_url: "https://github.com/acme/api", full_name: "acme/api" },
});

const status = (branch: string) => ({
  state: "failure",
  context: "ci/build",
  sha: "abc",
  branches: [{ name: "main" }, { name: branch }],
  repository: { html_url: "https://github.com/acme/api", full_name: "acme/api" },
});

describe("GitHub", () => {
  it("a review, a merge and checks that fail on the branch of a conversation are its own, in one watch of each channel", async () => {
    const watches = [
      watchOf({}, "plain"),
      watchOf({ hears: ["follow"] }, "looks"),
      { ...watchOf({}, "there"), place: "C2" },
    ];
    const { github, taken } = rig(watches, reposOf(review()));
    expect(await github("pull_request_review", review())).toBe("stored");
    expect(await github("pull_request", merged())).toBe("stored");
    expect(taken.map(({ watch }) => watch).toSorted()).toEqual(["looks", "looks", "there", "there"]);
    expect(new Set(taken.map(({ follows }) => follows?.what))).toEqual(new Set(["reviewed", "merged"]));
    expect(taken[0]?.follows).toMatchObject({ conversation: "c-12", pull: expect.any(Number) });
    const checks = rig([watchOf({})], reposOf(run()));
    expect(await checks.github("check_run", run())).toBe("stored");
    expect(checks.taken[0]?.follows).toMatchObject({ conversation: "c-12", what: "checks", pull: 5 });
  });

  it("the checks of a commit are one delivery, in whatever form and however often they come; of the next it is another", async () => {
    const { github, taken } = rig([watchOf({})], "github.com/acme/api");
    await github("workflow_run", workflow("acme/api"), "d1");
    await github("workflow_run", workflow("acme/api"), "d2");
    await github("status", status(OWN), "d3");
    await github("status", { ...status(OWN), sha: "def" }, "d4");
    expect(taken.map(({ delivery }) => delivery)).toEqual([
      ...Array.from({ length: 3 }, () => "github.com/acme/api checks abc"),
      "github.com/acme/api checks def",
    ]);
  });

  it.each([
    [
      "a review of a fork's branch of that name",
      "pull_request_review",
      review({ head: { ref: OWN, repo: { full_name: "mallory/api" } } }),
    ],
    ["a review of a fork that is gone", "pull_request_review", review({ head: { ref: OWN, repo: null } })],
    [
      "a merge of a fork's",
      "pull_request",
      merged({ head: { ref: OWN, repo: { full_name: "mallory/api" } } }),
    ],
    ["one that is closed without", "pull_request", merged({ merged: false })],
    ["a check without a pull request of the repository's own", "check_run", run({ pull_requests: [] })],
    ["a check of a fork's pull request", "check_run", run({ pull_requests: [{ number: 5, ...ends(2) }] })],
    ["a check that passed", "check_run", run({ conclusion: "success" })],
    ["a workflow of a fork", "workflow_run", workflow("mallory/api")],
    ["a branch of no conversation", "status", status("parley/mine")],
  ])("nothing is told of %s, and no thread begins", async (_, name, payload) => {
    const watches = [watchOf({ hears: ["follow", "checks", "pulls", "reviews"] })];
    const { github, taken } = rig(watches, reposOf(payload));
    expect(await github(name, payload)).toBe("ignored");
    expect(taken).toEqual([]);
  });

  it("checks of another branch begin a thread as before; where no watch of the forge is, nothing is told", async () => {
    const checks = rig([watchOf({ hears: ["checks"] })], "github.com/acme/api");
    expect(await checks.github("status", status("fix"))).toBe("stored");
    expect(checks.taken[0]?.follows).toBeUndefined();
    const elsewhere = rig([watchOf({ hears: ["follow"] })], "github.com/acme/web");
    expect(await elsewhere.github("status", status(OWN))).toBe("ignored");
    const off = rig(
      [{ ...watchOf({ hears: ["follow"] }), standing: { kind: "off", why: "." } }],
      "github.com/acme/api",
    );
    expect(await off.github("status", status(OWN))).toBe("ignored");
  });
});

describe("GitLab", () => {
  const project = { web_url: "https://gitlab.example/acme/shop", path_with_namespace: "acme/shop" };
  const request = (source = 1) => ({
    iid: 7,
    title: "Cart",
    url: `${project.web_url}/-/merge_requests/7`,
    source_branch: OWN,
    source_project_id: source,
    target_project_id: 1,
  });
  const pipeline = { id: 3, ref: OWN, status: "failed", sha: "abc" };
  const note = { id: 9, note: "Not so.", url: project.web_url };
  const user = { name: "Ana" };
  const all = (source: number) => [
    { object_kind: "pipeline", project, object_attributes: pipeline, merge_request: request(source) },
    { object_kind: "note", project, user, object_attributes: note, merge_request: request(source) },
    {
      object_kind: "merge_request",
      project,
      user,
      object_attributes: { ...request(source), action: "approved" },
    },
    {
      object_kind: "merge_request",
      project,
      user,
      object_attributes: { ...request(source), action: "merge" },
    },
  ];

  it("a pipeline that failed, a remark, an approval and a merge are the conversation's own; of a fork none is", async () => {
    const { gitlab, taken } = rig(
      [watchOf({ forge: "gitlab", hears: ["follow"] })],
      "gitlab.example/acme/shop",
    );
    for (const payload of all(1)) expect(await gitlab(payload)).toBe(202);
    expect(taken.map(({ follows }) => follows?.what)).toEqual(["checks", "reviewed", "reviewed", "merged"]);
    expect(taken.map(({ follows }) => follows?.pull)).toEqual([7, 7, 7, 7]);
    for (const payload of all(2)) await gitlab(payload);
    expect(taken.length).toBe(4);
  });

  it("what Parley wrote there itself is told nobody", async () => {
    const { gitlab, taken } = rig(
      [watchOf({ forge: "gitlab", hears: ["follow"] })],
      "gitlab.example/acme/shop",
    );
    const own = "Done.\n\n---\n*Written by Parley for a, approved by b (conversation c-12).*";
    await gitlab({
      object_kind: "note",
      project,
      object_attributes: { ...note, note: own },
      merge_request: request(),
    });
    expect(taken).toEqual([]);
  });
});
