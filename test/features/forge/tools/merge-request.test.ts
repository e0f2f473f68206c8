/** Comments and labels where issues and merge requests are counted apart: the card says which of the two it is. */

import { expect, it, onTestFinished } from "vitest";
import { createForges } from "../../../../src/features/forge/forges.ts";
import type { Proposal } from "../../../../src/thread/prompt.ts";
import { createForgeTools } from "../../../../src/features/forge/tools/tools.ts";
import { commentOnIssue, labelIssue } from "../../../../src/features/forge/tools/issue-writes.ts";
import { createForgeWriting } from "../../../../src/features/forge/tools/writes.ts";
import { writesOf } from "../../../../src/tools/writing.ts";
import { createFakeGitLab } from "../../../fakes/gitlab/fake.ts";
import { signal } from "../world.ts";
import { conversation } from "../../../workspace/scene.ts";
import { callOf, errandOf } from "./writing.ts";

const TOKEN = "glpat-canary0123456789";
const repo = { kind: "url", location: "https://gitlab.example.org/acme/shop.git" } as const;

const scene = async () => {
  const fake = await createFakeGitLab();
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addProject("acme/shop");
  fake.world.tokens.set(TOKEN, { projects: ["acme/shop"], scopes: ["api"] });
  const issue = fake.world.addIssue("acme/shop", { title: "Uploads crash" });
  const merge = fake.world.addMerge("acme/shop", { title: "Keep the last attempt" });
  const forges = createForges({
    credentials: [
      { repos: ["*"], api: fake.api, git: fake.url, access: { kind: "gitlab-token", token: TOKEN } },
    ],
    fits: () => true,
    userAgent: "parley-test",
  });
  const writing = createForgeWriting(forges, (text) => text);
  const writes = writesOf([writing(commentOnIssue), writing(labelIssue)], { error: () => undefined });
  /** Shown and approved. */
  const approve = async (name: "comment_on_issue" | "label_issue", input: object): Promise<Proposal> => {
    const call = { ...callOf(name, input), conversation: conversation("c-merge", repo, null) };
    const proposed = await writes.propose(call, { signal });
    if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
    const { wrote } = await writes.write(call, errandOf(name, proposed.fingerprint), { signal });
    expect(wrote.kind).toBe("done");
    return proposed.proposal;
  };
  return { forges, issue, merge, approve };
};

it("a comment on !1 is shown as one on the merge request, and is not on issue #1", async () => {
  const { issue, merge, approve } = await scene();
  const card = await approve("comment_on_issue", { number: 1, isPullRequest: true, body: "Nice." });
  expect(card).toMatchObject({
    project: "gitlab.example.org/acme/shop",
    facts: [{ name: "pull request", value: "!1 (open)" }],
    texts: [
      { name: "Title of !1", text: "Keep the last attempt" },
      { name: "Comment", text: "Nice." },
    ],
  });
  expect(merge.notes.map(({ text }) => text)).toEqual([expect.stringMatching(/^Nice\.[^]*approved by dora/)]);
  expect(issue.notes).toEqual([]);
  const other = await approve("comment_on_issue", { number: 1, body: "Seen." });
  expect(other.facts).toEqual([{ name: "issue", value: "#1 (open)" }]);
  expect([merge.notes.length, issue.notes.length]).toEqual([1, 1]);
});

it("a label of !1 is not one of issue #1", async () => {
  const { issue, merge, approve } = await scene();
  const card = await approve("label_issue", { number: 1, isPullRequest: true, add: ["bug"] });
  expect(card.facts).toEqual([
    { name: "pull request", value: "!1 (open)" },
    { name: "add", value: "bug" },
  ]);
  expect([merge.labels, issue.labels]).toEqual([["bug"], []]);
});

it("what is read names it in the same way", async () => {
  const { forges } = await scene();
  const read = async (name: string, input: object): Promise<string> => {
    const tool = createForgeTools(forges).find(({ spec }) => spec.name === name);
    const run = { ...callOf("comment_on_issue", input), conversation: conversation("c-merge", repo, null) };
    return (await tool?.run(input, { ...run, signal }))?.text ?? "";
  };
  expect(await read("read_pull_request", { number: 1 })).toMatch(/^Pull request !1, open, /);
  expect(await read("read_issue", { number: 1 })).toMatch(/^Issue #1, open, /);
  const hits = await read("search_issues", { query: "a" });
  expect(hits.match(/^(?:Issue|Pull request) .\d/gm)?.toSorted()).toEqual(["Issue #1", "Pull request !1"]);
});
