/** A review on GitLab at the wire: draft notes that only the credential's user sees, then published once. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createForges } from "../../../../src/features/forge/forges.ts";
import { postReview } from "../../../../src/features/forge/tools/post-review.ts";
import { createForgeWriting } from "../../../../src/features/forge/tools/writes.ts";
import { writesOf } from "../../../../src/tools/writing.ts";
import { createFakeGitLab } from "../../../fakes/gitlab/fake.ts";
import { conversation } from "../../../workspace/scene.ts";
import { NOON, signal } from "../world.ts";
import { callOf, errandOf } from "../tools/writing.ts";
import { COMMENTS, HEAD, PATCH, REVIEW } from "./pull.ts";

const TOKEN = "glpat-canary0123456789";
const repo = { kind: "url", location: "https://gitlab.example.org/acme/shop.git" } as const;

const scene = async () => {
  const fake = await createFakeGitLab(() => NOON);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addProject("acme/shop");
  fake.world.tokens.set(TOKEN, { projects: ["acme/shop"], scopes: ["api"] });
  fake.world.addMerge("acme/shop", { title: "Something else" });
  const diffs = [{ path: "src/retry.js", diff: `${PATCH}\n` }];
  const merge = fake.world.addMerge("acme/shop", { title: "Try three times", sha: HEAD, diffs });
  const forges = createForges({
    credentials: [
      { repos: ["*"], api: fake.api, git: fake.url, access: { kind: "gitlab-token", token: TOKEN } },
    ],
    fits: () => true,
    userAgent: "parley-test",
  });
  const writes = writesOf([createForgeWriting(forges, (text) => text)(postReview)], {
    error: () => undefined,
  });
  const call = { ...callOf("post_review", REVIEW), conversation: conversation("c-review", repo, null) };
  const proposed = await writes.propose(call, { signal });
  if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
  const made = errandOf("post_review", proposed.fingerprint);
  const approved = { ...made.approved, review: { leftOut: [3], requestsChanges: false } };
  const errand = { ...made, approved };
  const write = (again = false) => writes.write(call, { ...errand, again }, { signal });
  const written = () =>
    fake.calls.flatMap(({ operation, exchange: { method } }) => (method === "GET" ? [] : [operation]));
  return { fake, merge, proposed, write, written };
};

const KEPT = [
  { text: expect.stringMatching(/^Two faults[^]*approved by dora[^]*parley:k{32}-0/) },
  {
    text: expect.stringContaining(COMMENTS[0].body),
    position: { path: "src/retry.js", line: 3, oldLine: null },
  },
  {
    text: expect.stringContaining(COMMENTS[1].body),
    position: { path: "src/retry.js", line: null, oldLine: 2 },
  },
];

describe("post_review on GitLab", () => {
  it("offers no request for changes, because GitLab takes none in every edition", async () => {
    const { proposed, written } = await scene();
    expect(proposed.proposal.review).toMatchObject({ mayRequest: false, comments: [{}, {}, {}] });
    expect(proposed.proposal.facts[0]).toEqual({ name: "pull request", value: "!2 (open)" });
    expect(written()).toEqual([]);
  });

  it("publishes the kept comments together, with the positions of the shown head", async () => {
    const { fake, merge, write, written } = await scene();
    const { wrote } = await write();
    expect(wrote).toEqual({
      kind: "done",
      name: "gitlab.example.org/acme/shop!2",
      url: `${fake.url}/acme/shop/-/merge_requests/2#note_302`,
    });
    expect(merge.notes).toMatchObject(KEPT);
    expect(merge.drafts).toEqual([]);
    expect(written()).toEqual([
      ...Array.from({ length: 3 }, () => "new draft note"),
      "publish all draft notes",
    ]);
  });

  it("leaves other drafts of its user unpublished", async () => {
    const { merge, write } = await scene();
    const other = { id: 7, author: "parley-bot", at: NOON, text: "Not for others yet." };
    merge.drafts.push(other);
    expect((await write()).wrote.kind).toBe("done");
    expect(merge.notes).toMatchObject(KEPT);
    expect(merge.drafts).toEqual([other]);
  });

  it.each([
    ["new draft note", "lost", "unknown"],
    ["new draft note", "cut", "unknown"],
    ["publish all draft notes", "lost", "done"],
    ["publish all draft notes", "cut", "unknown"],
  ] as const)(
    "where the answer to %s is %s twice, each note is there once after the next process",
    async (operation, kind, wanted) => {
      const { fake, merge, write } = await scene();
      fake.fault({ kind }, operation, 2);
      const first = await write();
      const second = await write(true);
      expect([first.wrote.kind, second.wrote.kind]).toEqual([wanted, "done"]);
      expect(merge.notes).toMatchObject(KEPT);
      expect(merge.drafts).toEqual([]);
    },
  );

  it("a refused position leaves no draft behind", async () => {
    const { fake, merge, write, written } = await scene();
    fake.fault({ kind: "wait", gate: "late" }, "merge request versions");
    const late = fake.gate("late");
    const writing = write();
    await late.reached;
    Object.assign(merge, { diffs: [{ path: "src/retry.js", diff: "@@ -80 +80 @@\n-a\n+b\n" }] });
    late.open();
    expect((await writing).wrote).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/[Ll]ine code/),
    });
    expect([merge.notes, merge.drafts]).toEqual([[], []]);
    expect(written()).toEqual(["new draft note", "new draft note", "delete draft note"]);
  });

  it("a moved head voids the approval, and nothing is written", async () => {
    const { merge, write, written } = await scene();
    merge.sha = "e".repeat(40);
    expect((await write()).wrote.kind).toBe("void");
    expect(written()).toEqual([]);
  });
});
