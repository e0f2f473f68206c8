/** A review on GitHub at the wire: positions are checked before people are asked, and one review is posted once. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReviewChoice } from "../../../../src/machine/vocabulary.ts";
import type { ApprovedWrite } from "../../../../src/ports/tools.ts";
import type { FakeForge } from "../../../fakes/forge/fake.ts";
import type { FakePull } from "../../../fakes/forge/world.ts";
import { signal } from "../world.ts";
import {
  callOf,
  closeWriting,
  errandOf,
  openWriting,
  posts,
  refusal,
  shown,
  world,
  writesOn,
} from "../tools/writing.ts";
import { COMMENTS, HEAD, PATCH, REVIEW } from "./pull.ts";

beforeAll(openWriting);
afterAll(closeWriting);

const scene = async (): Promise<{ readonly fake: FakeForge; readonly pull: FakePull }> => {
  const fake = await world();
  const pull: FakePull = {
    base: "main",
    head: "fix",
    headCommit: HEAD,
    from: "acme/shop",
    draft: false,
    merged: false,
    files: [{ path: "src/retry.js", status: "modified", added: 2, removed: 1, patch: PATCH }],
    reviews: [],
    remarks: [],
  };
  fake.world.addIssue("acme/shop", { title: "Try three times", author: "cy", pull });
  return { fake, pull };
};

const call = callOf("post_review", REVIEW);

const errand = (fingerprint: string, review?: ReviewChoice): ApprovedWrite => {
  const made = errandOf("post_review", fingerprint);
  return review === undefined ? made : { ...made, approved: { ...made.approved, review } };
};

const all = { leftOut: [], requestsChanges: false };

describe("post_review", () => {
  it("shows the host's own reading of the pull request, each comment with its line, and has written nothing", async () => {
    const { fake } = await scene();
    const { proposal } = await shown(fake, call);
    expect(proposal).toMatchObject({
      project: "acme/shop",
      facts: [
        { name: "pull request", value: "#2 (open)" },
        { name: "at commit", value: HEAD.slice(0, 9) },
      ],
      texts: [
        { name: "Title of #2", text: "Try three times" },
        { name: "Summary", text: REVIEW.summary },
      ],
      review: {
        mayRequest: true,
        comments: [
          {
            path: "src/retry.js",
            first: 2,
            last: 3,
            side: "new",
            code: "export const PAUSE = 0;",
            text: COMMENTS[0].body,
          },
          {
            path: "src/retry.js",
            first: 2,
            last: 2,
            side: "old",
            code: "export const ATTEMPTS = 0;",
            text: COMMENTS[1].body,
          },
          { path: "src/retry.js", first: 1, last: 1, side: "new", text: COMMENTS[2].body },
        ],
      },
    });
    expect(posts(fake)).toEqual([]);
  });

  it("names a fork, and files of which the forge shows no diff", async () => {
    const { fake, pull } = await scene();
    const file = { status: "modified", added: 9_000, removed: 0 } as const;
    Object.assign(pull, {
      from: "mallory/shop",
      files: [...pull.files, { ...file, path: "big.sql" }],
    });
    expect((await shown(fake, call)).proposal.facts).toEqual([
      { name: "pull request", value: "#2 (open)" },
      { name: "at commit", value: HEAD.slice(0, 9) },
      { name: "from the fork", value: "mallory/shop" },
      { name: "without a diff", value: "1 of 2 files" },
    ]);
  });

  it("approved, posts one review at the shown commit with the comments that people kept", async () => {
    const { fake, pull } = await scene();
    const { fingerprint } = await shown(fake, call);
    const approved = errand(fingerprint, { leftOut: [3], requestsChanges: false });
    const done = await writesOn(fake).write(call, approved, { signal });
    expect(done.wrote).toEqual({
      kind: "done",
      name: "acme/shop#2",
      url: `${fake.url}/acme/shop/pull/2#pullrequestreview-1`,
    });
    expect(pull.reviews).toMatchObject([
      {
        state: "COMMENTED",
        commit: HEAD,
        text: expect.stringMatching(/^Two faults[^]*approved by dora[^]*parley:k/),
      },
    ]);
    expect(pull.remarks).toMatchObject([
      { path: "src/retry.js", startLine: 2, line: 3, side: "RIGHT", text: COMMENTS[0].body, review: 1 },
      { path: "src/retry.js", line: 2, side: "LEFT", text: COMMENTS[1].body, review: 1 },
    ]);
    expect(posts(fake)).toEqual(["pulls/create-review"]);
  });

  it("requests changes if a person chose that, and never approves", async () => {
    const { fake, pull } = await scene();
    const { fingerprint } = await shown(fake, call);
    await writesOn(fake).write(call, errand(fingerprint, { leftOut: [], requestsChanges: true }), { signal });
    expect(pull.reviews.map(({ state }) => state)).toEqual(["CHANGES_REQUESTED"]);
  });

  it.each([
    ["of another file", { path: "other.js", line: 1 }, /does not change a file other\.js/],
    [
      "outside the hunks",
      { path: "src/retry.js", line: 9 },
      /no line 9 in one hunk of its new side, which has 1-3/,
    ],
    ["of the other side", { path: "src/retry.js", line: 3, side: "old" }, /its old side, which has 1-2/],
  ])("a line %s is refused before people are asked", async (_, lines, why) => {
    const { fake } = await scene();
    const comments = [...COMMENTS, { ...lines, body: "Wrong place." }];
    expect(await refusal(fake, callOf("post_review", { ...REVIEW, comments }))).toMatch(why);
    expect(posts(fake)).toEqual([]);
  });

  it("GitHub refuses such a line too, and then posts no comment at all", async () => {
    const { fake, pull } = await scene();
    const { fingerprint } = await shown(fake, call);
    // The forge's own diff differs from the displayed one although the head is the same.
    const stub = {
      ...pull.files[0],
      path: "src/retry.js",
      status: "modified",
      added: 0,
      removed: 0,
    } as const;
    fake.fault({ kind: "wait", gate: "late" }, "pulls/create-review");
    const late = fake.gate("late");
    const writing = writesOn(fake).write(call, errand(fingerprint, all), { signal });
    await late.reached;
    Object.assign(pull, { files: [{ ...stub, patch: "@@ -80 +80 @@\n-a\n+b" }] });
    late.open();
    const done = await writing;
    expect(done.wrote).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("Line could not be resolved"),
    });
    expect([pull.reviews, pull.remarks]).toEqual([[], []]);
  });

  it("a closed pull request is not reviewed", async () => {
    const { fake } = await scene();
    const issue = fake.world.repos.get("acme/shop")?.issues[1];
    if (issue !== undefined) issue.state = "closed";
    expect(await refusal(fake, call)).toMatch(/#2 is closed/);
  });

  it("a moved head voids the approval, and nothing is written", async () => {
    const { fake, pull } = await scene();
    const { fingerprint } = await shown(fake, call);
    pull.headCommit = "e".repeat(40);
    const done = await writesOn(fake).write(call, errand(fingerprint, all), { signal });
    expect(done.wrote.kind).toBe("void");
    expect(posts(fake)).toEqual([]);
  });

  it.each([
    ["lost", "done"],
    ["cut", "unknown"],
    ["status", "unknown"],
  ] as const)(
    "where its answer is %s twice, the next process finds or posts it, and it is there once",
    async (kind, wanted) => {
      const { fake, pull } = await scene();
      const { fingerprint } = await shown(fake, call);
      const first = errand(fingerprint, all);
      fake.fault(kind === "status" ? { kind, status: 502 } : { kind }, "pulls/create-review", 2);
      const one = await writesOn(fake).write(call, first, { signal });
      const two = await writesOn(fake).write(call, { ...first, again: true }, { signal });
      expect([one.wrote.kind, two.wrote.kind]).toEqual([wanted, "done"]);
      expect([pull.reviews.length, pull.remarks.length]).toEqual([1, 3]);
    },
  );

  it("that an earlier process posted is found even if the head has moved since", async () => {
    const { fake, pull } = await scene();
    const { fingerprint } = await shown(fake, call);
    const first = errand(fingerprint, all);
    await writesOn(fake).write(call, first, { signal });
    pull.headCommit = "e".repeat(40);
    const again = await writesOn(fake).write(call, { ...first, again: true }, { signal });
    expect(again.wrote.kind).toBe("done");
    expect(pull.reviews).toHaveLength(1);
  });
});
