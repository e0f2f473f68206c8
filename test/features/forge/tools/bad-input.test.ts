/**
 * 9, "Bad input": what the forge or somebody on it has against a write. Each is one sentence that says what to do, nothing
 * of it stands on the forge, and the same is done once what was wrong is right.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FakeForge } from "../../../fakes/forge/fake.ts";
import { forgesOn, signal, TOKEN } from "../world.ts";
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
  shop,
  shown,
  world,
  writesOn,
} from "./writing.ts";

beforeAll(openWriting);
afterAll(closeWriting);

const ISSUE = { title: "T", body: "B" };
const LATER = "b".repeat(64);

const branches = async (fake: FakeForge): Promise<readonly string[]> =>
  (await shop(fake).run("for-each-ref", "--format=%(refname:short)", "refs/heads/")).split("\n");

describe("a token without the permission", () => {
  it.each([
    ["open_pull_request", PULL, "contents=write", /lacks contents=write[^]*never from a fork/],
    ["open_pull_request", PULL, "pull_requests=write", /lacks pull_requests=write/],
    ["file_issue", ISSUE, "issues=write", /may not write this in acme\/shop; it lacks issues=write/],
  ] as const)("%s %j names %s; with it, the same is done", async (name, input, without, told) => {
    const fake = await world(without);
    const call = callOf(name, input, await changed(FIX));
    const proposed = await writesOn(fake).propose(call, { signal });
    const text =
      proposed.kind === "refused" ? proposed.outcome.text : (await approve(fake, call)).outcome.text;
    expect(text).toMatch(told);
    expect(text).not.toContain(TOKEN);
    expect(shop(fake).issues).toHaveLength(1);
    const lacking = fake.world.tokens.get(TOKEN);
    fake.world.tokens.set(TOKEN, {
      repos: ["acme/shop"],
      permissions: [...(lacking?.permissions ?? []), without],
    });
    expect((await approve(fake, call, LATER)).wrote.kind).toBe("done");
    expect(shop(fake).issues).toHaveLength(2);
  });
});

describe("a repository", () => {
  it("that is archived takes nothing until it is not", async () => {
    const fake = await world();
    const real = fake.world.repos.get("acme/shop");
    if (real === undefined) throw new Error("no repository");
    real.archived = true;
    const call = callOf("file_issue", ISSUE);
    expect(await refusal(fake, call)).toBe("acme/shop is archived: nothing can be written to it.");
    expect(posts(fake)).toEqual([]);
    real.archived = false;
    expect((await approve(fake, call)).wrote.kind).toBe("done");
  });

  it("that was renamed is read where it is now, and written to only under its new name", async () => {
    const fake = await world();
    fake.world.rename("acme/shop", "acme/store");
    fake.world.tokens.set(TOKEN, {
      repos: ["acme/store"],
      permissions: fake.world.tokens.get(TOKEN)?.permissions ?? [],
    });
    const call = callOf("open_pull_request", PULL, await changed(FIX));
    const located = forgesOn(fake).at(call.conversation.repo);
    if (located.kind === "none") throw new Error(located.why);
    expect(await located.project.issue(1, 1, signal)).toMatchObject({
      value: { url: `${fake.url}/acme/store/issues/1` },
    });
    expect(await located.project.search("crash", "all", signal)).toMatchObject({
      kind: "trouble",
      why: expect.stringMatching(/cannot be searched/),
    });
    for (const one of [call, callOf("file_issue", ISSUE)]) {
      expect(await refusal(fake, one)).toBe(
        "acme/shop is called acme/store now: bind the channel to it under its new name.",
      );
    }
    expect(posts(fake)).toEqual([]);
    const repo = { kind: "url", location: "https://github.com/acme/store.git" } as const;
    const bound = { ...call, conversation: { ...call.conversation, repo } };
    expect((await approve(fake, bound)).wrote).toMatchObject({ kind: "done", name: "acme/store#2" });
  });

  it("that was deleted is said not to be there, to read and to write", async () => {
    const fake = await world();
    fake.world.repos.delete("acme/shop");
    const call = callOf("file_issue", ISSUE);
    expect(await refusal(fake, call)).toBe(
      "There is no repository acme/shop that Parley's credential may write.",
    );
    const pull = callOf("open_pull_request", PULL, await changed(FIX));
    expect(await refusal(fake, pull)).toMatch(/^There is no repository acme\/shop/);
    expect(posts(fake)).toEqual([]);
  });

  it("for which there is no credential gets no proposal", async () => {
    const fake = await world();
    const call = callOf("file_issue", ISSUE);
    const repo = { kind: "url", location: "https://github.com/other/x" } as const;
    const elsewhere = { ...call, conversation: { ...call.conversation, repo } };
    expect(await refusal(fake, elsewhere)).toMatch(/no credential that may write to other\/x/);
    expect(posts(fake)).toEqual([]);
  });
});

describe("a push", () => {
  it("that a rule of the repository refuses names the rule, and leaves no pull request", async () => {
    const fake = await world();
    const { git: served } = shop(fake);
    const call = callOf("open_pull_request", PULL, await changed(FIX));
    const hook = join(`${served?.root}${served?.path}`, "hooks/pre-receive");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const done = await approve(fake, call);
    expect(done.wrote.kind).toBe("failed");
    expect(done.outcome.text).toMatch(/a rule of the repository protects it[^]*parley\//);
    expect(JSON.stringify(done)).not.toContain(TOKEN);
    expect(await branches(fake)).toEqual(["main"]);
    expect(shop(fake).issues).toHaveLength(1);
    rmSync(hook);
    expect((await approve(fake, call, LATER)).wrote.kind).toBe("done");
  });

  it("that meets somebody else's push to the same branch leaves theirs as it is", async () => {
    const fake = await world();
    const { run } = shop(fake);
    const call = callOf("open_pull_request", PULL, await changed(FIX));
    const branch = `parley/${call.conversation.id}`;
    const { write, fingerprint } = await shown(fake, call);
    const gate = fake.gate("push");
    fake.fault({ kind: "wait", gate: "push" }, "git/push");
    const doing = writesOn(fake).write(call, errandOf(write, fingerprint), { signal });
    await gate.reached;
    const theirs = await run("commit-tree", `${baseCommit()}^{tree}`, "-p", baseCommit(), "-m", "theirs");
    await run("update-ref", `refs/heads/${branch}`, theirs);
    gate.open();
    const { wrote, outcome } = await doing;
    expect(wrote.kind).toBe("failed");
    expect(outcome.text).toMatch(/somebody else has pushed to it meanwhile; nothing was pushed over it/);
    expect(await run("rev-parse", branch)).toBe(theirs);
    expect(await refusal(fake, call)).toMatch(/Somebody else has pushed to parley\//);
    expect(shop(fake).issues).toHaveLength(1);
    await run("update-ref", "-d", `refs/heads/${branch}`);
    expect((await approve(fake, call, LATER)).wrote.kind).toBe("done");
  });
});
