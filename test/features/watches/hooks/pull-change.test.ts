/** Changes at pull requests: each event of a forge about one names its number or its branch, whether or not a watch exists. */

import { describe, expect, it } from "vitest";
import {
  pullChangeAtGithub,
  pullChangeAtGitlab,
} from "../../../../src/features/watches/hooks/pull-change.ts";
import { payloads, rig } from "./rig.ts";

const OWN = "parley/c-12";
const repository = { html_url: "https://github.com/Acme/api", full_name: "acme/api" };
const check = { head_branch: OWN, pull_requests: [{ number: 5 }] };
const ofGithub = { repo: "github.com/acme/api", numbers: [5], branches: [OWN] };

describe("GitHub", () => {
  it.each([
    [
      "check_run",
      { check_run: { check_suite: { head_branch: OWN }, pull_requests: [{ number: 5 }] } },
      ofGithub,
    ],
    ["check_suite", { check_suite: check }, ofGithub],
    ["workflow_run", { workflow_run: { ...check, pull_requests: null } }, { ...ofGithub, numbers: [] }],
    ["status", { sha: "abc", branches: [{ name: OWN }] }, { ...ofGithub, numbers: [] }],
    ["pull_request", { pull_request: { number: 5, head: { ref: OWN } } }, ofGithub],
    ["pull_request_review", { pull_request: { number: 5, head: { ref: OWN } } }, ofGithub],
    ["pull_request_review_comment", { pull_request: { number: 5, head: { ref: OWN } } }, ofGithub],
    ["issue_comment", { issue: { number: 5, pull_request: {} } }, { ...ofGithub, branches: [] }],
    ["push", { ref: `refs/heads/${OWN}` }, { ...ofGithub, numbers: [] }],
  ])("%s", (name, body, expected) => {
    expect(pullChangeAtGithub(name, { repository, ...body })).toEqual(expected);
  });

  it.each([
    ["issues", { issue: { number: 5 } }],
    ["push", { ref: "refs/tags/v1" }],
    ["check_run", { check_run: "none" }],
    ["release", { ref: `refs/heads/${OWN}` }],
  ])("nothing in %s %o", (name, body) => {
    expect(pullChangeAtGithub(name, { repository, ...body })).toBeNull();
  });

  it("every payload that was ever recorded of these events names a number or a branch", () => {
    const names = ["check_run", "check_suite", "pull_request", "pull_request_review", "issue_comment"];
    const all = payloads
      .filter(({ name }) => names.includes(name))
      .flatMap(({ name, examples }) => examples.map((one) => [name, pullChangeAtGithub(name, one)] as const));
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter(([, change]) => change === null)).toEqual([]);
  });
});

describe("GitLab", () => {
  const project = { web_url: "https://gitlab.example/acme/shop" };
  const ofGitlab = { repo: "gitlab.example/acme/shop", numbers: [7], branches: [OWN] };
  const merge = { iid: 7, source_branch: OWN };

  it.each([
    [
      "pipeline",
      {
        object_attributes: { id: 1, ref: "refs/merge-requests/7/head", status: "failed" },
        merge_request: merge,
      },
      { ...ofGitlab, branches: [OWN, "refs/merge-requests/7/head"] },
    ],
    ["note", { object_attributes: { id: 1, note: "why?" }, merge_request: merge }, ofGitlab],
    ["merge_request", { object_attributes: { ...merge, action: "close" } }, ofGitlab],
    ["build", { ref: OWN, build_status: "failed" }, { ...ofGitlab, numbers: [] }],
    ["push", { ref: `refs/heads/${OWN}` }, { ...ofGitlab, numbers: [] }],
  ])("%s", (kind, body, expected) => {
    expect(pullChangeAtGitlab({ object_kind: kind, project, ...body })).toEqual(expected);
  });

  it.each([
    ["issue", { object_attributes: merge }],
    ["note", { object_attributes: { id: 1 }, issue: { iid: 7 } }],
    ["push", { ref: "refs/tags/v1" }],
  ])("nothing in %s", (kind, body) => {
    expect(pullChangeAtGitlab({ object_kind: kind, project, ...body })).toBeNull();
  });
});

describe("without any watch", () => {
  const body = { action: "completed", repository, check_suite: { ...check, conclusion: "success" } };

  it("a feature that looks after pull requests hears of them", async () => {
    const { github, changed, taken } = rig([], undefined, true);
    expect(await github("check_suite", body)).toBe("heard");
    expect(changed).toEqual([ofGithub]);
    expect(taken).toEqual([]);
  });

  it("and if there is none, the event is passed over", async () => {
    const { github } = rig([]);
    expect(await github("check_suite", body)).toBe("ignored");
  });
});
