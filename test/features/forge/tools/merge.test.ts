/**
 * Merging as people approve it, before the wire-level GitHub and GitLab with real git: what the card shows, that only that
 * is merged, once, and what is refused or void.
 */

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createForges } from "../../../../src/features/forge/forges.ts";
import type { ApprovedWrite, ToolRun, WrittenResult } from "../../../../src/ports/tools.ts";
import type { Proposal } from "../../../../src/thread/prompt.ts";
import { CHANGED_MERGE, mergePullRequest } from "../../../../src/features/forge/tools/merge-write.ts";
import { createForgeWriting } from "../../../../src/features/forge/tools/writes.ts";
import type { OwnerTable } from "../../../../src/thread/owners.ts";
import { writesOf } from "../../../../src/tools/writing.ts";
import { onGitHub, onGitLab, repoOn, type Side } from "../../../fakes/side.ts";
import { pushCommit, tipIn } from "../../../fakes/shared/merge.ts";
import { scratch } from "../../../scratch.ts";
import { conversation, git } from "../../../workspace/scene.ts";
import { hasty } from "../hasty.ts";
import { signal } from "../world.ts";
import { errandOf } from "./writing.ts";

const PROJECT = "acme/shop";

interface Scene {
  readonly side: Side;
  readonly run: (...args: readonly string[]) => Promise<string>;
  /** Somebody's commit on a branch; answers it. */
  readonly push: (branch: string, path: string, text: string) => string;
  readonly number: number;
  readonly propose: (input?: object) => Promise<Shown>;
  readonly refusal: (input?: object) => Promise<string>;
  readonly write: (
    shown: Pick<Shown, "fingerprint" | "input">,
    more?: Partial<ApprovedWrite>,
  ) => Promise<WrittenResult>;
  readonly accepted: () => number;
}

interface Shown {
  readonly proposal: Proposal;
  readonly fingerprint: string;
  readonly input: object;
}

const KEY = "k".repeat(64);

/** A branch `fix` with two commits and a green check, and its pull request. */
const createScene = async (
  createSide: () => Promise<Side>,
  { isDraft = false, owners }: { readonly isDraft?: boolean; readonly owners?: OwnerTable } = {},
): Promise<Scene> => {
  const side = await createSide();
  onTestFinished(async () => {
    await side.close();
    expect(side.violations).toEqual([]);
  });
  const root = scratch("merge-git");
  const bare = join(root, `${PROJECT}.git`);
  cpSync(template, bare, { recursive: true });
  const push = (branch: string, path: string, text: string): string => pushCommit(bare, branch, path, text);
  const head = tipIn(bare, "fix");
  side.open(PROJECT, root);
  const number = side.addPull(PROJECT, { title: "Send at all", branch: "fix", isDraft });
  side.setCheck(PROJECT, { name: "test", commit: head, state: "success" });
  const forges = createForges({
    credentials: [{ repos: ["*"], api: side.api, git: side.url, access: side.access }],
    fits: () => true,
    userAgent: "parley-test",
    wire: hasty(),
  });
  const writes = writesOf([createForgeWriting(forges, (text) => text)(mergePullRequest(() => owners))], {
    error: (...given: readonly unknown[]) => console.error(...given),
  });
  const callOf = (input: object): ToolRun => ({
    conversation: conversation("c-merge", repoOn(side, PROJECT), null),
    base: { commit: head, ref: "main", cwd: "/work" },
    name: "merge_pull_request",
    input,
    permission: "restricted",
    grants: [],
    safeMode: true,
  });
  const propose = (input: object = { number }) => writes.propose(callOf(input), { signal });
  return {
    side,
    number,
    push,
    run: (...args) => git(bare, ...args),
    propose: async (input = { number }) => {
      const proposed = await propose(input);
      if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
      const { proposal, fingerprint } = proposed;
      return { proposal, fingerprint, input };
    },
    refusal: async (input = { number }) => {
      const proposed = await propose(input);
      if (proposed.kind !== "refused") throw new Error(JSON.stringify(proposed));
      return proposed.outcome.text;
    },
    write: ({ fingerprint, input }, more) =>
      writes.write(
        callOf(input),
        { ...errandOf("merge_pull_request", fingerprint, KEY), ...more },
        { signal },
      ),
    accepted: () => side.writes().filter((name) => MERGES.includes(name)).length,
  };
};

const MERGES: readonly string[] = ["pulls/merge", "accept merge request"];

let template = "";
beforeAll(() => {
  template = join(scratch("merge-template"), "shop.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", template]);
  pushCommit(template, "main", "retry.js", "export const ATTEMPTS = 0;\n");
  pushCommit(template, "fix", "retry.js", "export const ATTEMPTS = 3;\n");
  pushCommit(template, "fix", "notes.md", "Three attempts.\n");
});

describe.each([
  { name: "GitHub", createSide: onGitHub, sign: "#" },
  { name: "GitLab", createSide: onGitLab, sign: "!" },
])("on $name", ({ createSide, sign }) => {
  it("the card shows commits, changes, checks, reviews and the method, and nothing is merged", async () => {
    const { side, number, run, propose, accepted } = await createScene(createSide);
    side.review(PROJECT, number, "bob", "approved");
    const { proposal } = await propose();
    const [main, fix] = [await run("rev-parse", "main"), await run("rev-parse", "fix")];
    expect(proposal).toMatchObject({
      project: side.host === "github.com" ? PROJECT : `${side.host}/${PROJECT}`,
      facts: [
        { name: "pull request", value: `${sign}1 (open)` },
        { name: "from", value: "fix" },
        { name: "at", value: fix.slice(0, 9) },
        { name: "into", value: "main" },
        { name: "at", value: main.slice(0, 9) },
        { name: "method", value: "merge" },
        { name: "commits", value: "2" },
        { name: "checks", value: "1 green: test" },
        { name: "reviews", value: "approved by bob" },
        { name: "in all", value: "2 files, +2 −1" },
      ],
      files: [
        { path: "notes.md", added: 1, removed: 0 },
        { path: "retry.js", added: 1, removed: 1 },
      ],
      unlisted: 0,
    });
    expect(proposal.texts.map(({ name }) => name)).toEqual(["Title", "Commits", "Diff"]);
    expect(proposal.texts[1]?.text).toMatch(
      /^[0-9a-f]{9} Change retry\.js \(ana\)\n[0-9a-f]{9} Change notes\.md \(ana\)$/,
    );
    expect(proposal.texts[2]?.text).toContain("-export const ATTEMPTS = 0;\n+export const ATTEMPTS = 3;");
    expect(accepted()).toBe(0);
  });

  it("approved, merges exactly that head, and names requester, approver and conversation", async () => {
    const { run, propose, write, side } = await createScene(createSide);
    const [main, fix] = [await run("rev-parse", "main"), await run("rev-parse", "fix")];
    const { wrote } = await write(await propose());
    expect(wrote).toMatchObject({ kind: "done", name: expect.stringMatching(`${PROJECT}${sign}1$`) });
    expect(await run("log", "-1", "--format=%P", "main")).toBe(`${main} ${fix}`);
    expect(await run("rev-parse", "main^{tree}")).toBe(await run("rev-parse", "fix^{tree}"));
    expect(await run("log", "-1", "--format=%B", "main")).toContain(
      `Send at all (${sign}1)\n\n* Change retry.js\n* Change notes.md\n\nRequested-by: bob acme all <slack:U1>\nApproved-by: dora <slack:U2>\nParley-Conversation: c-merge`,
    );
    expect(side.posts(PROJECT)[0]?.state).not.toBe(sign === "#" ? "open" : "opened");
  });

  it.each(["squash", "rebase"] as const)(
    "merges with the only method that is allowed: %s",
    async (method) => {
      const { side, run, propose, refusal, write } = await createScene(createSide);
      side.setMergeRules(PROJECT, { method });
      const before = await run("rev-list", "--count", "main");
      const shown = await propose();
      expect(shown.proposal.facts).toContainEqual({ name: "method", value: method });
      expect((await write(shown)).wrote.kind).toBe("done");
      expect(Number(await run("rev-list", "--count", "main")) - Number(before)).toBe(
        method === "squash" ? 1 : 2,
      );
      expect(await run("rev-parse", "main^{tree}")).toBe(await run("rev-parse", "fix^{tree}"));
      expect(await refusal()).toMatch(/is (?:merged|closed)\. Nothing is left to merge/);
    },
  );

  it("a method that is not allowed is refused with the allowed ones", async () => {
    const { side, refusal, number } = await createScene(createSide);
    side.setMergeRules(PROJECT, { method: "squash" });
    expect(await refusal({ number, method: "merge" })).toBe(
      "The repository does not allow the method merge, only squash.",
    );
  });

  it("the merge of a draft marks the draft as ready first", async () => {
    const { propose, write, side, accepted } = await createScene(createSide, { isDraft: true });
    const shown = await propose();
    expect(shown.proposal.facts[0]).toEqual({ name: "pull request", value: `${sign}1 (draft)` });
    expect((await write(shown)).wrote.kind).toBe("done");
    expect(side.posts(PROJECT)[0]?.pull?.isDraft).toBe(false);
    expect(accepted()).toBe(1);
  });

  it.each([
    [
      "a failed check",
      ({ side, head }) => side.setCheck(PROJECT, { name: "test", commit: head, state: "failure" }),
      /These checks failed: "test"\. Fix/,
    ],
    [
      "a running check",
      ({ side, head }) => side.setCheck(PROJECT, { name: "lint", commit: head, state: "running" }),
      /no green result: "lint"/,
    ],
    [
      "a requested change",
      ({ side, number }) => side.review(PROJECT, number, "bob", "changes requested"),
      /"bob" requested changes/,
    ],
    [
      "a missing approval",
      ({ side }) => side.setMergeRules(PROJECT, { reviews: 1 }),
      /1 required approval is missing/,
    ],
    [
      "a conflict",
      ({ push }) => void push("main", "retry.js", "export const ATTEMPTS = 9;\n"),
      /conflicts with main\. Resolve/,
    ],
    [
      "a moved base that must be contained",
      ({ side, push }) => {
        side.setMergeRules(PROJECT, { isStrict: true });
        push("main", "else.md", "x\n");
      },
      /main has moved, and the .* Update the branch/,
    ],
  ] satisfies readonly (readonly [string, (at: Scene & { readonly head: string }) => void, RegExp])[])(
    "%s is refused before people are asked, and at the click",
    async (_, spoil, why) => {
      const scene = await createScene(createSide);
      const head = await scene.run("rev-parse", "fix");
      const shown = await scene.propose();
      spoil({ ...scene, head });
      expect(await scene.refusal()).toMatch(why);
      expect((await scene.write(shown)).wrote).toMatchObject({
        kind: "failed",
        why: expect.stringMatching(why),
      });
      expect(scene.accepted()).toBe(0);
    },
  );

  it("enough approvals of people with rights are no reason against it", async () => {
    const { side, number, propose, write } = await createScene(createSide);
    side.setMergeRules(PROJECT, { reviews: 1 });
    side.review(PROJECT, number, "bob", "approved");
    const shown = await propose();
    expect(shown.proposal.facts).toContainEqual({ name: "reviews", value: "approved by bob (1 required)" });
    expect((await write(shown)).wrote.kind).toBe("done");
  });

  it("the approval of a stranger is none, and so is a stranger's objection", async () => {
    const { side, number, refusal, propose } = await createScene(createSide);
    side.review(PROJECT, number, "mallory", "changes requested", true);
    expect((await propose()).proposal.facts).toContainEqual({ name: "reviews", value: "none" });
    side.setMergeRules(PROJECT, { reviews: 1 });
    side.review(PROJECT, number, "mallory", "approved", true);
    expect(await refusal()).toMatch(/1 required approval is missing/);
  });

  it.each([
    [
      "another head",
      ({ side, push }) =>
        side.setCheck(PROJECT, { name: "test", commit: push("fix", "more.md", "more\n"), state: "success" }),
    ],
    ["a moved base", ({ push }) => void push("main", "else.md", "x\n")],
    [
      "another check",
      ({ side, head }) => side.setCheck(PROJECT, { name: "lint", commit: head, state: "success" }),
    ],
    ["another review", ({ side, number }) => side.review(PROJECT, number, "bob", "approved")],
  ] satisfies readonly (readonly [string, (at: Scene & { readonly head: string }) => void])[])(
    "%s since the card voids the approval, and a new card is merged",
    async (_, change) => {
      const scene = await createScene(createSide);
      const shown = await scene.propose();
      change({ ...scene, head: await scene.run("rev-parse", "fix") });
      expect((await scene.write(shown)).wrote).toEqual({ kind: "void", why: CHANGED_MERGE });
      expect(scene.accepted()).toBe(0);
      expect((await scene.write(await scene.propose())).wrote.kind).toBe("done");
    },
  );

  it("a head that moves after the last look is refused by the forge", async () => {
    const { side, push, run, propose, write } = await createScene(createSide);
    const before = await run("rev-parse", "main");
    const shown = await propose();
    let isLate = false;
    const stop = side.spoil("a reset before it was done", (name) => {
      if (MERGES.includes(name) && !isLate) {
        isLate = true;
        push("fix", "late.md", "late\n");
      }
      return false;
    });
    const { wrote } = await write(shown);
    stop();
    expect(wrote).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/does not take it .*(?:modified|HEAD)/),
    });
    expect(await run("rev-parse", "main")).toBe(before);
  });

  it("a force-pushed head voids the approval, and a new card is merged", async () => {
    const { side, run, propose, write, accepted } = await createScene(createSide);
    const shown = await propose();
    const older = await run("rev-parse", "fix~1");
    await run("update-ref", "refs/heads/fix", older);
    side.setCheck(PROJECT, { name: "test", commit: older, state: "success" });
    expect((await write(shown)).wrote).toEqual({ kind: "void", why: CHANGED_MERGE });
    expect(accepted()).toBe(0);
    expect((await write(await propose())).wrote.kind).toBe("done");
    expect(await run("rev-parse", "main^{tree}")).toBe(await run("rev-parse", `${older}^{tree}`));
  });

  it("a revoked token merges nothing, and the same card is merged once the token is back", async () => {
    const { side, run, propose, write, accepted } = await createScene(createSide);
    const before = await run("rev-parse", "main");
    const shown = await propose();
    side.setToken(false);
    expect((await write(shown)).wrote).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("refuses Parley's credential"),
    });
    expect([accepted(), await run("rev-parse", "main")]).toEqual([0, before]);
    side.setToken(true);
    expect((await write(shown)).wrote.kind).toBe("done");
    expect(accepted()).toBe(1);
  });

  it("a limit of the forge merges nothing, and the same card is merged afterwards", async () => {
    const { side, run, propose, write } = await createScene(createSide);
    const before = await run("rev-parse", "main");
    const shown = await propose();
    const stop = side.spoil("a used-up allowance", (name) => MERGES.includes(name));
    expect((await write(shown)).wrote).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("limits how often Parley may ask"),
    });
    stop();
    expect(await run("rev-parse", "main")).toBe(before);
    expect((await write(shown)).wrote.kind).toBe("done");
    expect(await run("rev-list", "--count", "--first-parent", `${before}..main`)).toBe("1");
  });

  it("where owners count, the card names those of the base branch, and the pull request cannot change them", async () => {
    const owners: OwnerTable = new Map([["@acme/web", ["slack:group:S1"]]]);
    const { push, propose, side, number } = await createScene(createSide, { owners });
    push("main", ".github/CODEOWNERS", "retry.js @acme/web\nnotes.md @bob\n");
    const head = push("fix", "CODEOWNERS", "* @mallory\n");
    side.setCheck(PROJECT, { name: "test", commit: head, state: "success" });
    expect((await propose({ number })).proposal.owners).toEqual({
      file: "CODEOWNERS",
      sets: [
        { owners: ["@bob"], path: "notes.md", files: 1 },
        { owners: ["@acme/web"], path: "retry.js", files: 1 },
      ],
      unknown: ["@bob"],
    });
  });

  it("where owners do not count, the card names none", async () => {
    const { push, propose } = await createScene(createSide);
    push("main", "CODEOWNERS", "retry.js @acme/web\n");
    expect((await propose()).proposal.owners).toBeUndefined();
  });

  it("a base branch without CODEOWNERS leaves every approver", async () => {
    const { propose, write } = await createScene(createSide, { owners: new Map() });
    const shown = await propose();
    expect(shown.proposal.owners).toEqual({ file: null, sets: [], unknown: [] });
    expect((await write(shown)).wrote.kind).toBe("done");
  });

  it("a lost answer is looked up and not asked again", async () => {
    const { side, propose, write, accepted, run } = await createScene(createSide);
    const before = Number(await run("rev-list", "--count", "--first-parent", "main"));
    const stop = side.spoil("a lost acknowledgement", (name) => MERGES.includes(name));
    expect((await write(await propose())).wrote.kind).toBe("done");
    stop();
    expect(accepted()).toBe(1);
    expect(Number(await run("rev-list", "--count", "--first-parent", "main"))).toBe(before + 1);
  });

  it("a process that ended after the merge is followed by one that finds it", async () => {
    const { propose, write, accepted } = await createScene(createSide);
    const shown = await propose();
    const first = await write(shown);
    expect((await write(shown, { again: true, interrupted: true })).wrote).toEqual(first.wrote);
    expect(accepted()).toBe(1);
  });

  it("a merge by somebody else is no success of this click", async () => {
    const { propose, write, accepted } = await createScene(createSide);
    const shown = await propose();
    await write(shown);
    expect((await write(shown)).wrote).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("Nothing is left"),
    });
    expect(accepted()).toBe(1);
  });

  it("a forge that still computes is asked again", async () => {
    const { side, propose } = await createScene(createSide);
    side.setMergeRules(PROJECT, { unknown: 1 });
    expect((await propose()).proposal.facts[0]).toEqual({ name: "pull request", value: `${sign}1 (open)` });
  });

  it("without a number it is the pull request of the conversation, and after a crash too", async () => {
    const { side, push, propose, refusal, write, accepted } = await createScene(createSide);
    expect(await refusal({})).toContain("This conversation has no open pull request");
    const head = push("parley/c-merge", "own.md", "own\n");
    side.addPull(PROJECT, { title: "Own", branch: "parley/c-merge" });
    side.setCheck(PROJECT, { name: "test", commit: head, state: "success" });
    const shown = await propose({});
    const { wrote } = await write(shown);
    expect(wrote).toMatchObject({ kind: "done", name: expect.stringMatching(`${sign}2$`) });
    expect((await write(shown, { again: true })).wrote).toEqual(wrote);
    expect(accepted()).toBe(1);
  });
});
