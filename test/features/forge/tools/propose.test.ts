/** D42: what people click is carried out for exactly the draft that they were shown, once, or not at all. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConversationId } from "../../../../src/machine/id.ts";
import type { ProposedWrite, WrittenResult } from "../../../../src/ports/tools.ts";
import type { FakeForge } from "../../../fakes/forge/fake.ts";
import { signal, TOKEN } from "../world.ts";
import { scratch } from "../../../scratch.ts";
import { git } from "../../../workspace/scene.ts";
import {
  baseCommit,
  blob,
  callOf,
  changed,
  closeWriting,
  drafted,
  errandOf,
  FIX,
  inDraft,
  moveBack,
  moveOn,
  openWriting,
  posts,
  proposingOn,
  reads,
  redraft,
  shop,
  world,
} from "./writing.ts";

beforeAll(openWriting);
afterAll(closeWriting);

const INPUT = { title: "Send at all", summary: "ATTEMPTS was 0.", test_command: "grep -q 3 src/retry.js" };

const propose = (fake: FakeForge, id: ConversationId, input: unknown = INPUT): Promise<ProposedWrite> =>
  proposingOn(fake).propose(callOf("propose", input, id), { signal });

const result = async (
  fake: FakeForge,
  id: ConversationId,
  input: unknown = INPUT,
): Promise<ProposedWrite & { kind: "result" }> => {
  const proposed = await propose(fake, id, input);
  if (proposed.kind !== "result") throw new Error(JSON.stringify(proposed));
  return proposed;
};

const click = (
  fake: FakeForge,
  id: ConversationId,
  write: "apply_draft" | "discard_draft" | "open_pull_request",
  { fingerprint }: ProposedWrite & { kind: "result" },
  again = false,
  commits?: number,
): Promise<WrittenResult> => {
  const errand = errandOf(write, fingerprint);
  const approved = commits === undefined ? errand.approved : { ...errand.approved, commits };
  return proposingOn(fake).write(callOf("propose", INPUT, id), { ...errand, approved, again }, { signal });
};

const told = (proposed: ProposedWrite): string =>
  proposed.kind === "refused" ? proposed.outcome.text : proposed.kind;

describe("propose", () => {
  it("shows the host's own reading of the draft and how it was tested; nothing is real before", async () => {
    const fake = await world();
    const id = await drafted(FIX);
    expect(await result(fake, id)).toMatchObject({
      title: "Send at all",
      summary: "ATTEMPTS was 0.",
      project: "acme/shop",
      result: {
        base: baseCommit(),
        files: [
          { path: "new.txt", change: "added" },
          { path: "old.txt", change: "deleted" },
          { path: "src/retry.js", change: "changed" },
        ],
        test: { command: INPUT.test_command, status: 0 },
      },
    });
    expect(posts(fake)).toEqual([]);
    expect(await reads(id, "cat src/retry.js")).toBe("export const ATTEMPTS = 0;");
  });

  it("tells the model where there is nothing to show: no draft, no change, no commit that git takes", async () => {
    const fake = await world();
    expect(told(await propose(fake, await changed("")))).toMatch(/no draft is open/);
    expect(told(await propose(fake, await drafted("true")))).toMatch(/no file of the draft differs/);
    expect(told(await propose(fake, await drafted("ln -s /etc/passwd l")))).toMatch(
      /leads out of the checkout/,
    );
    expect(told(await propose(fake, await drafted(FIX), { title: "" }))).toMatch(/Invalid input/);
  });

  it("shows nobody a key of this process", async () => {
    const id = await drafted(`echo ${TOKEN} > key.txt`);
    const shown = await result(await world(), id, {
      title: "A key",
      summary: "s",
      test_command: "cat key.txt",
    });
    expect(JSON.stringify(shown)).not.toContain(TOKEN);
  });
});

describe("a click", () => {
  it("on Apply makes the checkout that tree on a branch, once, also for a process that comes later", async () => {
    const fake = await world();
    const id = await drafted(FIX);
    const shown = await result(fake, id);
    const done = await click(fake, id, "apply_draft", shown);
    expect(done.wrote).toEqual({ kind: "done", name: `parley/${id}` });
    const [patch] = done.outcome.files ?? [];
    expect(patch).toMatchObject({ name: "change.patch", title: "What was applied" });
    const file = join(scratch("patch"), "change.patch");
    writeFileSync(file, await blob(patch?.hash ?? ""));
    const other = await drafted(`git apply <<'END'\n${readFileSync(file, "utf8")}END`);
    expect((await result(fake, other)).result.tree).toBe(shown.result.tree);
    expect(await click(fake, id, "apply_draft", shown, true)).toEqual(done);
    expect(await reads(id, "git rev-parse 'HEAD^{tree}'; git status --porcelain")).toBe(shown.result.tree);
    expect(posts(fake)).toEqual([]);
  });

  it("on the first commits of several makes the checkout the tree of the last of them; the rest is shown again", async () => {
    const fake = await world();
    const as = "git -c user.name=x -c user.email=x@y commit -qam";
    const id = await drafted(
      `echo 1 >> src/retry.js; ${as} First; echo 2 >> src/retry.js; ${as} Second; echo 3 >> src/retry.js; ${as} Third`,
    );
    const shown = await result(fake, id);
    const size = { files: 1, added: 1, removed: 0 };
    expect(shown.result.commits).toMatchObject([
      { title: "First", ...size },
      { title: "Second", ...size },
      { title: "Third", ...size },
    ]);
    const done = await click(fake, id, "apply_draft", shown, false, 2);
    expect(done.wrote.kind).toBe("done");
    expect(done.outcome.text).toMatch(
      /first 2 of 3 commits, which were not tested without the rest; that is in the draft still/,
    );
    expect(await click(fake, id, "apply_draft", shown, true, 2)).toEqual(done);
    const second = shown.result.commits[1]?.tree;
    expect(await reads(id, "git rev-parse 'HEAD^{tree}'; git status --porcelain")).toBe(second);
    const rest = await result(fake, id);
    expect(rest.fingerprint).not.toBe(shown.fingerprint);
    expect(rest.result.commits.map(({ title }) => title)).toEqual(["Third"]);
    expect((await click(fake, id, "apply_draft", shown)).wrote.kind).toBe("void");
    expect((await click(fake, id, "apply_draft", rest)).wrote.kind).toBe("done");
    expect(await reads(id, "git log --format=%s -3; git rev-parse 'HEAD^{tree}'")).toBe(
      `Third\nSecond\nFirst\n${rest.result.tree}`,
    );
  });

  it("on Open a draft pull request of several commits pushes them as they were proposed, and later ones on top", async () => {
    const fake = await world();
    const as = "git -c user.name=x -c user.email=x@y commit -qam";
    const id = await drafted(`echo 1 >> src/retry.js; ${as} First; echo 2 >> src/retry.js; ${as} Second`);
    const { root = "", path = "" } = shop(fake).git ?? {};
    const log = (): Promise<string> =>
      git(join(root, path), "log", "--format=%s %T %an", `${baseCommit()}..parley/${id}`);
    const shown = await result(fake, id);
    expect((await click(fake, id, "open_pull_request", shown)).wrote.kind).toBe("done");
    const [first, second] = shown.result.commits.map(({ title, tree }) => `${title} ${tree} Parley`);
    expect(await log()).toBe(`${second}\n${first}`);
    expect(await click(fake, id, "open_pull_request", shown, true)).toMatchObject({
      wrote: { kind: "done" },
    });
    await inDraft(id, `echo 3 >> src/retry.js; ${as} Third`);
    const more = await result(fake, id);
    const errand = errandOf("open_pull_request", more.fingerprint, "m".repeat(64));
    const done = await proposingOn(fake).write(callOf("propose", INPUT, id), errand, { signal });
    expect(done.wrote.kind).toBe("done");
    expect(await log()).toBe(`Third ${more.result.tree} Parley\n${second}\n${first}`);
  });

  it("on an older card, or after the draft has changed, does nothing and says why", async () => {
    const fake = await world();
    const id = await drafted(FIX);
    const older = await result(fake, id);
    await inDraft(id, "echo more >> new.txt");
    const changedSince = await click(fake, id, "apply_draft", older);
    expect(changedSince.wrote).toEqual({ kind: "void", why: "The draft has changed since it was shown." });
    expect((await click(fake, id, "open_pull_request", older)).wrote.kind).toBe("void");
    // A process that died over the click had compared nothing yet.
    expect((await click(fake, id, "open_pull_request", older, true)).wrote.kind).toBe("void");
    const newer = await result(fake, id);
    expect((await click(fake, id, "apply_draft", older)).wrote.kind).toBe("void");
    expect((await click(fake, id, "open_pull_request", older)).wrote.kind).toBe("void");
    expect(posts(fake)).toEqual([]);
    expect((await click(fake, id, "apply_draft", newer)).wrote.kind).toBe("done");
  });

  it("on Open a draft pull request pushes a commit of that tree, once, whatever gets lost on the way", async () => {
    const fake = await world();
    const id = await drafted(FIX);
    const shown = await result(fake, id);
    fake.fault({ kind: "status", status: 502 }, "pulls/create", 2);
    expect((await click(fake, id, "open_pull_request", shown)).wrote.kind).toBe("unknown");
    const done = await click(fake, id, "open_pull_request", shown, true);
    expect(done.wrote).toMatchObject({ kind: "done", name: "acme/shop#2" });
    expect(await click(fake, id, "open_pull_request", shown, true)).toEqual(done);
    const { issues, run } = shop(fake);
    expect(issues.filter(({ pull }) => pull !== null)).toHaveLength(1);
    expect(await run("rev-parse", `parley/${id}^{tree}`)).toBe(shown.result.tree);
    expect(await run("rev-list", "--count", `${baseCommit()}..parley/${id}`)).toBe("1");
    // The checkout is what it was, and the draft is there to go on with: one made anew would undo what is on the branch.
    expect(done.outcome.text).toMatch(/\nThe working directory is what it was\. The draft stays open/);
    expect(await reads(id, "cat src/retry.js")).toBe("export const ATTEMPTS = 0;");
    await inDraft(id, "echo more >> new.txt");
    const next = await result(fake, id);
    const added = await proposingOn(fake).write(
      callOf("propose", INPUT, id),
      errandOf("open_pull_request", next.fingerprint, "n".repeat(64)),
      { signal },
    );
    expect(added.wrote.kind).toBe("done");
    expect(await run("rev-parse", `parley/${id}^{tree}`)).toBe(next.result.tree);
    expect(await run("rev-list", "--count", `${baseCommit()}..parley/${id}`)).toBe("2");
  });

  it("on Open a draft pull request of a draft made anew undoes nothing that was pushed before", async () => {
    const fake = await world();
    const id = await drafted(FIX);
    const open = async (key: string): Promise<WrittenResult> => {
      const errand = errandOf("open_pull_request", (await result(fake, id)).fingerprint, key.repeat(64));
      return proposingOn(fake).write(callOf("propose", INPUT, id), errand, { signal });
    };
    expect((await open("o")).wrote.kind).toBe("done");
    // In the one that was pushed, what it changed can be taken back.
    await inDraft(id, "rm new.txt");
    expect((await open("r")).wrote.kind).toBe("done");
    await redraft(id, "echo other > other.txt");
    const undoing = await open("p");
    expect(undoing.wrote.kind).toBe("failed");
    expect(undoing.outcome.text).toMatch(/would be undone.*\(src\/retry\.js, old\.txt\).*propose again/);
    const { run } = shop(fake);
    expect(await run("rev-list", "--count", `${baseCommit()}..parley/${id}`)).toBe("2");
    await inDraft(id, FIX);
    expect((await open("q")).wrote.kind).toBe("done");
    expect(await run("rev-list", "--count", `${baseCommit()}..parley/${id}`)).toBe("3");
  });

  it("40.B on Apply or Open a pull request writes nothing if the branch moved on since, and shows the card anew", async () => {
    const fake = await world();
    const id = await drafted(FIX);
    const before = await result(fake, id);
    for (const write of ["apply_draft", "open_pull_request"] as const) {
      await moveOn(write);
      const told = await click(fake, id, write, before);
      expect(told.wrote).toEqual({ kind: "void", why: expect.stringMatching(/branch has changed/) });
      expect(told.anew).toMatchObject({
        ...before,
        result: { ...before.result, moved: { ref: "main", merges: true, again: true } },
      });
      expect(told.anew?.result.moved?.titles[0]).toBe(write);
    }
    expect(posts(fake)).toEqual([]);
    expect(await reads(id, "cat src/retry.js")).toBe("export const ATTEMPTS = 0;");
    const opened = await click(fake, id, "open_pull_request", before);
    expect(opened.wrote.kind).toBe("done");
    // An earlier try may have opened it: it is found, and nobody is told that nothing was written.
    await moveOn("later");
    expect(await click(fake, id, "open_pull_request", before, true)).toEqual(opened);
    expect((await click(fake, id, "apply_draft", before)).wrote.kind).toBe("void");
    expect((await click(fake, id, "apply_draft", before)).wrote.kind).toBe("done");
    await moveBack();
  });

  it("on Discard drops the draft, and whoever clicks Apply then hears that it is gone", async () => {
    const fake = await world();
    const id = await drafted(FIX);
    const shown = await result(fake, id);
    expect((await click(fake, id, "discard_draft", shown)).wrote.kind).toBe("done");
    expect((await click(fake, id, "discard_draft", shown, true)).wrote.kind).toBe("done");
    const late = await click(fake, id, "apply_draft", shown);
    expect(late.wrote).toEqual({
      kind: "failed",
      why: expect.stringMatching(/The draft is gone.*Ask me to/),
    });
    expect(late.outcome.text).toMatch(/The draft is gone.*Call draft and make the change again/);
    expect((await click(fake, id, "open_pull_request", shown)).wrote).toEqual(late.wrote);
    expect(posts(fake)).toEqual([]);
  });
});
