import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import { commit, createScene, git, noise, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** Bytes on disk below a path, links not followed. */
const bytesBelow = async (path: string): Promise<number> => {
  const found = await lstat(path);
  if (!found.isDirectory()) return found.blocks * 512;
  const names = await readdir(path);
  const sizes = await Promise.all(names.map((name) => bytesBelow(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, found.blocks * 512);
};

describe("a first opening", () => {
  test("shows the default branch's commit at the working directory, with its history", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.txt": "one\n", "d/b.txt": "deep\n" }, "first");
    const head = await commit(source, { "a.txt": "two\n" }, "second");
    await git(source, "tag", "--annotate", "--message", "v", "v1");
    await git(source, "branch", "side", "HEAD~1");

    const begun = performance.now();
    const base = await scene.base("c-1", source);
    const seen = await scene.shell(
      "c-1",
      "restricted",
      "pwd; git log --format=%s; git status --short --branch; git blame -s a.txt; git grep -l deep; git branch -a --format='%(refname:short)'; git tag; git fsck",
    );
    console.log(`first tool call ready after ${Math.round(performance.now() - begun)} ms`);

    expect(base).toEqual({
      commit: head,
      ref: "main",
      cwd: scene.sandbox.probe.mounts ? "/work" : expect.any(String),
    });
    expect(seen).toEqual({
      code: 0,
      text: [
        base.cwd,
        "second",
        "first",
        "## main...origin/main",
        `${head.slice(0, 8)} 1) two`,
        "d/b.txt",
        "main",
        "origin/HEAD",
        "origin/main",
        "origin/side",
        "v1",
      ].join("\n"),
    });
  });

  test("says that what is not committed is not there", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    const head = await commit(source, { "a.txt": "committed\n" });
    await writeFile(join(source, "a.txt"), "edited\n");
    const { outcome, lines } = await scene.open("c-1", source);
    expect(outcome.kind).toBe("ready");
    expect(lines.at(-1)).toBe(
      `Working from commit ${head.slice(0, 12)} (main): changes in ${source} that are not committed are not included.`,
    );
    expect((await scene.shell("c-1", "restricted", "cat a.txt")).text).toBe("committed");
  });

  test("says once that submodules and large files are left out", async () => {
    await using scene = await createScene(sandbox);
    const inner = await scene.repository("inner");
    await commit(inner, { "x.txt": "x" });
    const source = await scene.repository("source");
    await git(source, "submodule", "--quiet", "add", inner, "sub");
    await commit(source, { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
    const first = await scene.open("c-1", source);
    expect(first.lines).toContain("This repository has submodules; they are not fetched.");
    expect(first.lines).toContain(
      "This repository keeps large files in Git LFS; only their pointers are here.",
    );
    expect((await scene.open("c-1", source)).lines).toEqual([]);
    expect((await scene.open("c-2", source)).lines.slice(-2)).toEqual(first.lines.slice(-2));
    expect((await scene.shell("c-1", "unrestricted", "ls -A sub; git status --short")).text).toBe("");
  });

  test("WG6 says so if only a directory's attributes name Git LFS, and says nothing of it for a comment", async () => {
    await using scene = await createScene(sandbox);
    const opened = async (name: string, files: Readonly<Record<string, string>>) => {
      const source = await scene.repository(name);
      await commit(source, files);
      return (await scene.open(`c-${name}`, source)).lines.join("\n");
    };
    const attributes = "*.bin filter=lfs -text\n";
    expect(await opened("deep", { "a/b c/.gitattributes": attributes })).toContain("Git LFS");
    const named = { "a/.gitattributes": `# ${attributes}`, gitattributes: attributes };
    expect(await opened("none", named)).not.toContain("Git LFS");
  });

  test("takes a linked worktree, a bare repository, a detached HEAD, a cut history and SHA-256", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    const first = await commit(source, { "a.txt": "first\n" });
    const second = await commit(source, { "a.txt": "second\n" });
    const worktree = join(scene.root, "worktree");
    await git(source, "worktree", "add", "--quiet", "-b", "side", worktree, first);
    const bare = join(scene.root, "bare.git");
    await git(scene.root, "clone", "--quiet", "--bare", source, bare);
    const shallow = join(scene.root, "shallow");
    await git(scene.root, "clone", "--quiet", "--depth", "1", `file://${source}`, shallow);
    const newer = join(scene.root, "sha256");
    await git(scene.root, "init", "--quiet", "--object-format=sha256", "--initial-branch", "main", newer);
    const long = await commit(newer, { "a.txt": "long\n" });

    expect(await scene.base("c-1", worktree)).toMatchObject({ commit: first, ref: "side" });
    expect(await scene.base("c-2", bare)).toMatchObject({ commit: second, ref: "main" });
    expect(await scene.base("c-3", shallow)).toMatchObject({ commit: second, ref: "main" });
    expect(await scene.base("c-4", newer)).toMatchObject({ commit: long, ref: "main" });
    await git(source, "checkout", "--quiet", "--detach", first);
    expect(await scene.base("c-5", source)).toMatchObject({ commit: first, ref: "HEAD" });

    const log = "git log --format=%H && cat a.txt && git status --short";
    expect((await scene.shell("c-1", "restricted", log)).text).toBe(`${first}\nfirst`);
    expect((await scene.shell("c-3", "restricted", log)).text).toBe(`${second}\nsecond`);
    expect((await scene.shell("c-4", "unrestricted", log)).text).toBe(`${long}\nlong`);
    expect((await scene.shell("c-5", "restricted", log)).text).toBe(`${first}\nfirst`);
  });
});

describe("a second conversation", () => {
  test("costs a small directory while Restricted, and no copy of the objects ever", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "kept.txt": "kept\n", "big.bin": noise(2 ** 22) });
    await commit(source, { "big.bin": "gone\n" });
    await scene.base("c-1", source);
    const before = await bytesBelow(scene.data);
    await scene.base("c-2", source);
    const added = (await bytesBelow(scene.data)) - before;
    await scene.shell("c-2", "unrestricted", "true");
    const own = await bytesBelow(join(scene.data, "threads/c-2"));
    console.log(
      `a second conversation adds ${added} bytes, its private checkout ${own}, mirror and tree ${before}`,
    );
    expect(added).toBeLessThan(100_000);
    expect(own).toBeLessThan(200_000);
    expect((await scene.shell("c-2", "restricted", "git cat-file -s HEAD~1:big.bin")).text).toMatch(
      /^\d{7}$/,
    );
  });

  test("openings at once share one fetch and one tree", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    const head = await commit(source, { "a.txt": "a" });
    const ids = ["c-1", "c-2", "c-3", "c-4", "c-5", "c-6"] as const;
    const bases = await Promise.all(ids.map((id) => scene.base(id, source)));
    expect(new Set(bases.map((base) => base.commit))).toEqual(new Set([head]));
    const [key] = await readdir(join(scene.data, "repos"));
    expect((await readdir(join(scene.data, "repos", key ?? ""))).toSorted()).toEqual(["1.git", "pins"]);
    expect(await readdir(join(scene.data, "trees", key ?? "", "1"))).toEqual([head]);
    expect(await readdir(join(scene.data, "staging"))).toEqual([]);
    const slots = await Promise.all(
      ids.map(
        async (id) => JSON.parse(await readFile(join(scene.data, "threads", id, "place.json"), "utf8")).slot,
      ),
    );
    expect(new Set(slots).size).toBe(ids.length);
  });
});

describe("for the conversation's life", () => {
  test("commit and working directory stay, whatever the repository and the permission become", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    const head = await commit(source, { "a.txt": "old\n" });
    const base = await scene.base("c-1", source);
    const seen = async (permission: "restricted" | "unrestricted"): Promise<string> =>
      (await scene.shell("c-1", permission, "pwd; git rev-parse HEAD; cat a.txt")).text;
    const expected = `${base.cwd}\n${head}\nold`;
    expect(await seen("restricted")).toBe(expected);
    await commit(source, { "a.txt": "new\n" });
    scene.clock.advance(120_000);
    expect((await scene.base("c-2", source)).commit).not.toBe(head);
    expect(await scene.base("c-1", source)).toEqual(base);
    expect(await seen("restricted")).toBe(expected);
    expect(await seen("unrestricted")).toBe(expected);
    expect(await seen("restricted")).toBe(expected);
    const again = await scene.open("c-1", source, { base, workspaces: scene.restart() });
    expect(again).toEqual({ outcome: { kind: "ready", base }, lines: [] });
  });

  test("edits survive the downgrade, read-only, and a later upgrade", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.txt": "old\n" });
    await scene.base("c-1", source);
    await scene.base("c-2", source);
    expect((await scene.shell("c-1", "restricted", "echo no > a.txt")).code).not.toBe(0);
    expect(
      (
        await scene.shell(
          "c-1",
          "unrestricted",
          "echo edited > a.txt; echo fresh > b.txt; echo kept > ~/note",
        )
      ).code,
    ).toBe(0);
    expect(
      (
        await scene.shell(
          "c-1",
          "restricted",
          "cat a.txt b.txt; git status --short; git branch --show-current",
        )
      ).text,
    ).toBe("edited\nfresh\n M a.txt\n?? b.txt\nparley/c-1");
    expect((await scene.shell("c-1", "restricted", "echo no > a.txt")).code).not.toBe(0);
    expect((await scene.shell("c-1", "unrestricted", "cat a.txt ~/note")).text).toBe("edited\nkept");
    expect((await scene.shell("c-2", "restricted", "cat a.txt; ls")).text).toBe("old\na.txt");
    expect(await readFile(join(source, "a.txt"), "utf8")).toBe("old\n");
  });

  test("a private checkout commits, and nobody else sees the commit", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.txt": "old\n" });
    await scene.base("c-1", source);
    await scene.base("c-2", source);
    const made = await scene.shell(
      "c-1",
      "unrestricted",
      "echo new > a.txt; git -c user.name=A -c user.email=a@b commit -qam mine && git rev-parse HEAD",
    );
    expect(made.text).toMatch(/^[0-9a-f]{40}$/);
    const look = `git cat-file -e ${made.text}`;
    expect((await scene.shell("c-1", "restricted", look)).code).toBe(0);
    expect((await scene.shell("c-2", "unrestricted", look)).code).not.toBe(0);
    expect((await git(source, "for-each-ref")).split("\n")).toHaveLength(1);
  });

  test("a shared tree that is gone is made again; a private checkout never is", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.txt": "a\n" });
    const base = await scene.base("c-1", source);
    await rm(join(scene.data, "trees"), { recursive: true });
    expect((await scene.shell("c-1", "restricted", "cat a.txt")).text).toBe("a");
    await rm(join(scene.data, "threads/c-1"), { recursive: true });
    expect((await scene.open("c-1", source, { base })).outcome).toEqual({ kind: "ready", base });
    await scene.shell("c-1", "unrestricted", "rm a.txt");
    expect((await scene.open("c-1", source, { base, workspaces: scene.restart() })).outcome.kind).toBe(
      "ready",
    );
    expect((await scene.shell("c-1", "unrestricted", "ls")).text).toBe("");
  });

  test("what a process that died had half made is gone at the next start", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.txt": "a\n" });
    await mkdir(join(scene.data, "staging/checkout-dead/.git"), { recursive: true });
    await mkdir(join(scene.data, "staging/mirror-dead/objects"), { recursive: true });
    await scene.base("c-1", source);
    expect(await readdir(join(scene.data, "staging"))).toEqual([]);
  });

  test("a conversation without an opening has no place", async () => {
    await using scene = await createScene(sandbox);
    expect(await scene.workspaces.policy("c-none", "restricted")).toMatchObject({ kind: "failed" });
    expect(await scene.workspaces.policy("c-../../etc", "restricted")).toMatchObject({ kind: "failed" });
  });
});
