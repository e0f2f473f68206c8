/**
 * 9, item 3: the writing tools over the real client, git's own protocol and the real sandbox: what people are shown, what
 * is written once they approve, and that nothing is written twice or otherwise.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signal, TOKEN } from "../world.ts";
import {
  approve,
  baseCommit,
  callOf,
  changed,
  closeWriting,
  errandOf,
  FIX,
  openWriting,
  posts,
  PULL,
  refusal,
  shell,
  shop,
  shown,
  world,
  writesOn,
} from "./writing.ts";

beforeAll(openWriting);
afterAll(closeWriting);

describe("open_pull_request", () => {
  it("of a connected requester has the requester as author, Parley as committer, and the desk of the person", async () => {
    const fake = await world();
    const id = await changed(FIX);
    const author = { name: "Mona Lisa", email: "583231+octocat@users.noreply.github.com" };
    const opened: string[] = [];
    const writes = writesOn(fake, {
      fact: () => Promise.resolve({ name: "in the name of", value: "octocat" }),
      deskFor: (_, desk) => ({
        ...desk,
        openPull: (...given) => {
          opened.push(given[0].title);
          return desk.openPull(...given);
        },
      }),
      standing: () => Promise.resolve({ kind: "none" }),
      authorFor: () => author,
    });
    const call = callOf("open_pull_request", PULL, id);
    const proposed = await writes.propose(call, { signal });
    if (proposed.kind !== "proposal") throw new Error(JSON.stringify(proposed));
    expect(proposed.proposal.facts.at(-1)).toEqual({ name: "in the name of", value: "octocat" });
    expect(opened).toEqual([]);
    const errand = errandOf("open_pull_request", proposed.fingerprint);
    expect((await writes.write(call, errand, { signal })).wrote).toMatchObject({ kind: "done" });
    expect(opened).toEqual([PULL.title]);
    expect(await shop(fake).run("show", "-s", "--format=%an <%ae>|%cn <%ce>", `parley/${id}`)).toBe(
      `${author.name} <${author.email}>|Parley <bot@example.org>`,
    );
  });

  it("shows the host's own reading of what would be written, and has written nothing", async () => {
    const fake = await world();
    const id = await changed(FIX);
    const { proposal, write } = await shown(fake, callOf("open_pull_request", PULL, id));
    expect(write).toBe("open_pull_request");
    expect(proposal).toMatchObject({
      project: "acme/shop",
      facts: [
        { name: "a draft from the new branch", value: `parley/${id}` },
        { name: "into", value: "main" },
        { name: "on top of", value: baseCommit().slice(0, 9) },
        { name: "in all", value: "3 files, +2 −2" },
        { name: "tree" },
      ],
      files: [
        { path: "src/retry.js", added: 1, removed: 1 },
        { path: "new.txt", added: 1, removed: 0 },
        { path: "old.txt", added: 0, removed: 1 },
      ],
      unlisted: 0,
      texts: [
        { name: "Title", text: "Send at all" },
        { name: "Text", text: PULL.body },
      ],
    });
    expect(posts(fake)).toEqual([]);
  });

  it("approved, opens one draft of exactly that tree, with author, trailers, requester and approver", async () => {
    const fake = await world();
    const id = await changed(FIX);
    const done = await approve(fake, callOf("open_pull_request", PULL, id));
    expect(done.wrote).toEqual({
      kind: "done",
      name: "acme/shop#2",
      url: `${fake.url}/acme/shop/pull/2`,
    });
    expect(done.outcome).toMatchObject({ isError: false });
    const { issues, run } = shop(fake);
    expect(issues[1]).toMatchObject({
      title: "Send at all",
      pull: { base: "main", head: `parley/${id}`, draft: true },
      text: `ATTEMPTS was 0.

Fixes #1

---
*Written by Parley for bob acme all (\`slack:U1\`), approved by dora (\`slack:U2\`) (conversation ${id}).*

<!-- parley:${"k".repeat(32)} -->`,
    });
    const at = `parley/${id}`;
    expect(await run("show", "-s", "--format=%an <%ae>|%cn|%aI|%P%n%B", at)).toBe(
      `Parley <bot@example.org>|Parley|2026-11-02T12:00:00+00:00|${baseCommit()}\nSend at all\n\nRequested-by: bob acme all <slack:U1>\nApproved-by: dora <slack:U2>\nParley-Conversation: ${id}`,
    );
    expect(await run("diff", "--name-status", baseCommit(), at)).toBe(
      "A\tnew.txt\nD\told.txt\nM\tsrc/retry.js",
    );
    expect(await run("show", `${at}:src/retry.js`)).toBe("export const ATTEMPTS = 3;");
    expect(posts(fake)).toEqual(["git/push", "pulls/create"]);
  });

  it.each([
    ["git/push", "lost", "done"],
    ["git/push", "cut", "failed"],
    ["git/push", "status", "failed"],
    ["pulls/create", "lost", "done"],
    ["pulls/create", "cut", "unknown"],
    ["pulls/create", "status", "unknown"],
  ] as const)(
    "where %s is %s twice, the next process finds or does it, and it is there once",
    async (operation, kind, wanted) => {
      const fake = await world();
      const id = await changed(FIX);
      const call = callOf("open_pull_request", PULL, id);
      const { write, fingerprint } = await shown(fake, call);
      const errand = errandOf(write, fingerprint);
      fake.fault(kind === "status" ? { kind, status: 502 } : { kind }, operation, 2);
      const first = await writesOn(fake).write(call, errand, { signal });
      const again = await writesOn(fake).write(call, { ...errand, again: true }, { signal });
      expect([first.wrote.kind, again.wrote.kind]).toEqual([wanted, "done"]);
      const { issues, run } = shop(fake);
      expect(issues.filter(({ pull }) => pull !== null)).toHaveLength(1);
      expect(await run("rev-list", "--count", `${baseCommit()}..parley/${id}`)).toBe("1");
    },
  );

  it("that was pushed but not opened is shown and opened by the next call", async () => {
    const fake = await world();
    const id = await changed(FIX);
    const call = callOf("open_pull_request", PULL, id);
    const { write, fingerprint } = await shown(fake, call);
    const may = fake.world.tokens.get(TOKEN);
    if (may === undefined) throw new Error("no token");
    const permissions = may.permissions.filter((one) => one !== "pull_requests=write");
    fake.world.tokens.set(TOKEN, { ...may, permissions });
    const first = await writesOn(fake).write(call, errandOf(write, fingerprint), { signal });
    expect(first.wrote.kind).toBe("failed");
    fake.world.tokens.set(TOKEN, may);
    const later = await shown(fake, call);
    expect(later.proposal).toMatchObject({
      facts: expect.arrayContaining([
        { name: "a draft from the branch that is pushed already", value: `parley/${id}` },
        { name: "in all", value: "3 files, +2 −2" },
      ]),
    });
    const errand = errandOf(later.write, later.fingerprint, "b".repeat(64));
    expect((await writesOn(fake).write(call, errand, { signal })).wrote).toMatchObject({
      name: "acme/shop#2",
    });
    const { run } = shop(fake);
    expect(await run("rev-list", "--count", `${baseCommit()}..parley/${id}`)).toBe("1");
    expect(await refusal(fake, call)).toMatch(/as it was pushed before, in acme\/shop#2/);
  });

  it("is void where the checkout changed after it was shown: nothing is pushed", async () => {
    const fake = await world();
    const id = await changed(FIX);
    const call = callOf("open_pull_request", PULL, id);
    const { write, fingerprint } = await shown(fake, call);
    await shell(id, "echo backdoor >> src/retry.js");
    const done = await writesOn(fake).write(call, errandOf(write, fingerprint), { signal });
    expect(done).toMatchObject({ wrote: { kind: "void" }, outcome: { isError: true } });
    expect(posts(fake)).toEqual([]);
  });

  it("adds to its own branch and pull request the second time, and pushes over nobody", async () => {
    const fake = await world();
    const id = await changed(FIX);
    const call = callOf("open_pull_request", PULL, id);
    await approve(fake, call, "a".repeat(64));
    expect(await refusal(fake, call)).toMatch(/as it was pushed before/);
    await shell(id, "echo more >> new.txt");
    expect((await approve(fake, call, "b".repeat(64))).wrote).toMatchObject({ name: "acme/shop#2" });
    const { run } = shop(fake);
    expect(await run("rev-list", "--count", `${baseCommit()}..parley/${id}`)).toBe("2");
    const foreign = await run("commit-tree", `${baseCommit()}^{tree}`, "-p", baseCommit(), "-m", "theirs");
    await run("update-ref", `refs/heads/parley/${id}`, foreign);
    await shell(id, "echo again >> new.txt");
    expect(await refusal(fake, call)).toMatch(/Somebody else has pushed to parley\//);
    expect(await run("rev-parse", `parley/${id}`)).toBe(foreign);
  });

  it("says that there is nothing to propose, and how to change something", async () => {
    const fake = await world();
    expect(await refusal(fake, callOf("open_pull_request", PULL, await changed("")))).toMatch(
      /changed nothing[^]*request_mode_upgrade/,
    );
  });

  it("of 5 MB is shown in figures and pushed whole", async () => {
    const fake = await world();
    const id = await changed("seq 1 700000 > big.txt");
    const call = callOf("open_pull_request", PULL, id);
    const { proposal } = await shown(fake, call);
    expect(proposal.files).toEqual([{ path: "big.txt", added: 700_000, removed: 0 }]);
    expect((await approve(fake, call)).wrote.kind).toBe("done");
    expect(Number(await shop(fake).run("cat-file", "-s", `parley/${id}:big.txt`))).toBeGreaterThan(4_700_000);
  });
});

describe("issues", () => {
  it("file_issue works in Restricted, is shown first, and signs with requester and approver", async () => {
    const fake = await world();
    const call = callOf("file_issue", { title: "It\nfails", body: "Always.", labels: ["bug"] });
    expect((await shown(fake, call)).proposal).toMatchObject({
      project: "acme/shop",
      facts: [
        { name: "a new issue", value: "open" },
        { name: "label", value: "bug" },
      ],
      texts: [
        { name: "Title", text: "It fails" },
        { name: "Text", text: "Always." },
      ],
    });
    expect(posts(fake)).toEqual([]);
    expect((await approve(fake, call)).wrote).toMatchObject({ kind: "done", name: "acme/shop#2" });
    expect(shop(fake).issues[1]).toMatchObject({
      title: "It fails",
      labels: ["bug"],
      text: expect.stringMatching(
        /^Always\.\n\n---\n\*Written by Parley for bob acme all .*approved by dora/,
      ),
    });
  });

  it.each([
    ["file_issue", { title: "T", body: "B" }, "issues/create"],
    ["comment_on_issue", { number: 1, body: "B" }, "issues/create-comment"],
    ["label_issue", { number: 1, add: ["bug"] }, "issues/add-labels"],
  ] as const)(
    "%s is done once, though its answers are lost and the process ends",
    async (name, input, operation) => {
      const fake = await world();
      const call = callOf(name, input);
      const { write, fingerprint } = await shown(fake, call);
      const errand = errandOf(write, fingerprint);
      fake.fault({ kind: "lost" }, operation, 1);
      expect((await writesOn(fake).write(call, errand, { signal })).wrote.kind).toBe("done");
      const again = { ...errand, again: true };
      expect((await writesOn(fake).write(call, again, { signal })).wrote.kind).toBe("done");
      const { issues } = shop(fake);
      expect([issues.length, issues[0]?.comments.length, issues[0]?.labels]).toEqual(
        { file_issue: [2, 0, []], comment_on_issue: [1, 1, []], label_issue: [1, 0, ["bug"]] }[name],
      );
    },
  );

  it.each([
    ["file_issue", { title: "T", body: "B" }, "issues/create", "issues/list-for-repo", 1],
    ["comment_on_issue", { number: 1, body: "B" }, "issues/create-comment", "issues/list-comments", 2],
  ] as const)(
    "%s whose answer is lost, and for which nobody can look, is not repeated: people and model are told that it may be there",
    async (name, input, create, look, before) => {
      const fake = await world();
      const call = callOf(name, input);
      const { write, fingerprint } = await shown(fake, call);
      fake.fault({ kind: "lost" }, create);
      fake.fault({ kind: "status", status: 503 }, look, 2, before);
      const first = errandOf(write, fingerprint);
      const { outcome, wrote } = await writesOn(fake).write(call, first, { signal });
      expect(wrote).toMatchObject({ kind: "unknown", why: expect.stringMatching(/status 503/) });
      expect(outcome).toMatchObject({
        isError: true,
        text: expect.stringMatching(/may have been written all the same[^]*in the very same words/),
      });
      const again = { ...first, again: true };
      expect((await writesOn(fake).write(call, again, { signal })).wrote.kind).toBe("unknown");
      expect(posts(fake)).toEqual([create]);
      expect((await writesOn(fake).write(call, again, { signal })).wrote.kind).toBe("done");
      const { issues } = shop(fake);
      expect([issues.length, issues[0]?.comments.length]).toEqual(name === "file_issue" ? [2, 0] : [1, 1]);
    },
  );

  it("comment_on_issue shows whose issue it is, and a key of the host never goes out", async () => {
    const fake = await world();
    const call = callOf("comment_on_issue", { number: 1, body: `See ${TOKEN}` });
    expect((await shown(fake, call)).proposal).toMatchObject({
      facts: [{ name: "issue", value: "#1 (open)" }],
      texts: [
        { name: "Title of #1", text: "Uploads crash" },
        { name: "Comment", text: "See ***" },
      ],
    });
    await approve(fake, call);
    expect(shop(fake).issues[0]?.comments[0]?.text).toMatch(/^See \*\*\*\n/);
  });

  it("label_issue gives and takes, and makes up no label", async () => {
    const fake = await world();
    fake.world.addIssue("acme/shop", { title: "L", labels: ["stale"] });
    expect(await refusal(fake, callOf("label_issue", { number: 2, add: ["urgent"] }))).toBe(
      "acme/shop has no label called urgent.",
    );
    const call = callOf("label_issue", { number: 2, add: ["bug"], remove: ["stale", "gone"] });
    expect((await approve(fake, call)).wrote.kind).toBe("done");
    expect(shop(fake).issues[1]?.labels).toEqual(["bug"]);
  });
});
