/** 39.B: repositories as they are, where plain git is the measure. */

import { randomFillSync } from "node:crypto";
import { spawn } from "node:child_process";
import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { commit, createScene, git, startSandbox, type Scene } from "../scene.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let scene: Scene;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

describe("39.B1 a draft in a repository of large files", () => {
  const LIMIT = 2 * 2 ** 20;
  const LARGE = LIMIT + 2 ** 20;
  let narrow: Scene;
  let repo: string;
  beforeAll(async () => {
    narrow = await createScene(sandbox, { maxPackBytes: LIMIT });
    repo = await narrow.repository("large");
    await writeFile(join(repo, "large.bin"), randomFillSync(Buffer.alloc(LARGE)));
    await commit(repo, { "a.txt": "one\n" });
  });
  afterAll(() => narrow[Symbol.asyncDispose]());

  it("39.B1 of one changed line is sealed, the first time and the second, and so are the changes of a checkout", async () => {
    const id: ConversationId = "c-large";
    await narrow.base(id, repo);
    await narrow.workspaces.drafts.open(id, signal);
    for (const title of ["first", "second"]) {
      await narrow.shell(id, "draft", `echo ${title} >> a.txt`);
      expect(await narrow.workspaces.drafts.seal(id, { title }, signal)).toMatchObject({
        kind: "sealed",
        result: { files: [{ path: "a.txt", change: "changed" }] },
      });
    }
    await narrow.shell(id, "unrestricted", "echo own >> a.txt");
    expect(await narrow.workspaces.changes.read(id, null, signal)).toMatchObject({
      kind: "changes",
      changed: { files: [{ path: "a.txt", added: 1, removed: 0 }] },
    });
    // A copy under another name is in the mirror already.
    await narrow.shell(id, "unrestricted", "cp large.bin copy.bin");
    expect(await narrow.workspaces.changes.read(id, null, signal)).toMatchObject({ kind: "changes" });
  });

  it("39.B1 that adds more than the limit is still refused", async () => {
    const id: ConversationId = "c-larger";
    await narrow.base(id, repo);
    await narrow.shell(id, "unrestricted", `head -c ${LARGE} /dev/urandom > new.bin`);
    expect(await narrow.workspaces.changes.read(id, null, signal)).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("larger than the 2 MiB"),
    });
  });
});

/** Writes an object as it stands, however odd it is. */
const object = (repo: string, type: "commit" | "tree" | "blob", bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn("git", ["hash-object", "-t", type, "--literally", "-w", "--stdin"], { cwd: repo });
    let id = "";
    child.stdout.on("data", (chunk: Buffer) => {
      id += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", () => resolve(id.trim()));
    child.stdin.end(bytes);
  });

const head = (tree: string, more = ""): string =>
  `tree ${tree}\n${more}author Ada <ada@example.org> 1 +0000\ncommitter Ada <ada@example.org> 1 +0000\n`;

describe("39.B8 one odd old commit", () => {
  it.each([
    ["a NUL in its message", async (_: string, tree: string) => `${head(tree)}\nodd\0message\n`],
    [
      "no author's name",
      async (_: string, tree: string) => `${head(tree).replace("author Ada <", "author <")}\nx\n`,
    ],
    [
      "a time zone of five digits",
      async (_: string, tree: string) => `${head(tree).replaceAll("+0000", "+051800")}\nx\n`,
    ],
    [
      "a line of 3,000 characters in .gitattributes",
      async (repo: string) => {
        const blob = await object(repo, "blob", `*.txt ${"x".repeat(3_000)}\n`);
        const tree = await object(
          repo,
          "tree",
          Buffer.concat([Buffer.from("100644 .gitattributes\0"), Buffer.from(blob, "hex")]),
        );
        return `${head(tree)}\nx\n`;
      },
    ],
  ])("39.B8 with %s keeps no repository out, as git clone takes it", async (name, odd) => {
    const id: ConversationId = `c-odd-${name.replaceAll(/\W/g, "")}`;
    const repo = await scene.repository(id);
    await commit(repo, { "a.txt": "a\n" });
    const tree = await git(repo, "rev-parse", "HEAD^{tree}");
    const old = await object(repo, "commit", await odd(repo, tree));
    await git(repo, "branch", "old", old);
    await git(repo, "clone", "--quiet", "--no-local", repo, join(scene.root, `${id}-clone`));
    await scene.base(id, repo);
    expect((await scene.shell(id, "restricted", `git cat-file -t ${old}; cat a.txt`)).text).toBe("commit\na");
  });

  it.each([
    ["names .git", ".git"],
    ["leads out", ".."],
  ])("39.B8 whose tree %s is still refused", async (what, entry) => {
    const id: ConversationId = `c-bad-${what.replaceAll(/\W/g, "")}`;
    const repo = await scene.repository(id);
    await commit(repo, { "a.txt": "a\n" });
    const below = await git(repo, "rev-parse", "HEAD^{tree}");
    const tree = await object(
      repo,
      "tree",
      Buffer.concat([Buffer.from(`40000 ${entry}\0`), Buffer.from(below, "hex")]),
    );
    await git(repo, "branch", "bad", await object(repo, "commit", `${head(tree)}\nx\n`));
    const { outcome } = await scene.open(id, repo);
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { message: expect.stringContaining("damaged") },
    });
  });
});

const bytesBelow = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (one) =>
    one.isFile() ? (await stat(join(one.parentPath, one.name))).size : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

describe("39.B2 what conversations leave on the disk", () => {
  it("39.B2 a shared tree goes with its last user, and a mirror some days after its last conversation", async () => {
    await using own = await createScene(sandbox);
    const repo = await own.repository("used");
    const SIZE = 2 ** 20;
    await commit(repo, { "big.txt": "x".repeat(SIZE) });
    const trees = join(own.data, "trees");
    await own.base("c-1", repo);
    await own.base("c-2", repo);
    await commit(repo, { "more.txt": "y\n" });
    own.clock.advance(61_000);
    await own.base("c-3", repo);
    expect(await bytesBelow(trees)).toBeGreaterThan(2 * SIZE);
    await own.workspaces.discard("c-1");
    expect(await bytesBelow(trees)).toBeGreaterThan(2 * SIZE);
    expect((await own.shell("c-2", "restricted", "wc -c < big.txt")).text).toBe(String(SIZE));
    await own.workspaces.discard("c-2");
    const one = await bytesBelow(trees);
    expect(one).toBeGreaterThan(SIZE);
    expect(one).toBeLessThan(2 * SIZE);
    expect((await own.shell("c-3", "restricted", "cat more.txt")).text).toBe("y");
    await own.workspaces.discard("c-3");
    expect(await bytesBelow(trees)).toBe(0);

    const repos = join(own.data, "repos");
    // Within the bound the mirror serves the next conversation.
    await own.open("c-4", repo, { workspaces: own.restart() });
    await own.workspaces.discard("c-4");
    expect(await readdir(repos)).toHaveLength(1);
    const [key = ""] = await readdir(repos);
    await utimes(join(repos, key, "pins/1"), 1, 1);
    const other = await own.repository("other");
    await commit(other, { "o.txt": "o\n" });
    const again = own.restart();
    await own.open("c-5", other, { workspaces: again });
    expect(await readdir(repos)).not.toContain(key);
    expect((await own.open("c-6", repo, { workspaces: again })).outcome.kind).toBe("ready");
  });
});

describe("39.B9 git as people know it", () => {
  const id: ConversationId = "c-status";
  let repo: string;
  beforeAll(async () => {
    repo = await scene.repository("status");
    await commit(
      repo,
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f/${at}.txt`, `${at}\n`])),
    );
    await git(repo, "branch", "other");
    await scene.base(id, repo);
  });

  it("39.B9 status in a Restricted thread reads no file that did not change", async () => {
    expect((await scene.shell(id, "restricted", "git status --porcelain")).text).toBe("");
    // Git reads a file whose second is not before that of the index.
    const racy = `find . -path ./.git -prune -o -type f -printf '%T@\\n' | awk -v index_at="$(stat -c %Y .git/index)" 'int($1) >= index_at' | wc -l`;
    expect((await scene.shell(id, "restricted", racy)).text).toBe("0");
  });

  it("39.B9 a change of the same size within the second of the checkout is seen", async () => {
    await using layered = await createScene(sandbox, {
      draft: { bytes: 2 ** 31, entries: 200_000, layersFrom: 0 },
    });
    const quick = await layered.repository("quick");
    const fresh: ConversationId = "c-quick";
    await commit(quick, { "a.txt": "one\n" });
    await layered.base(fresh, quick);
    await layered.workspaces.drafts.open(fresh, signal);
    await layered.shell(fresh, "draft", `printf 'two\\n' > a.txt; touch -d "@$(stat -c %Y .git/made)" a.txt`);
    expect(await layered.workspaces.drafts.seal(fresh, { title: "x" }, signal)).toMatchObject({
      kind: "sealed",
      result: { files: [{ path: "a.txt", change: "changed" }] },
    });
  });

  it("39.B9 origin/HEAD and an upstream are there, in a shared tree and in a checkout of its own", async () => {
    const ask =
      "git rev-parse --abbrev-ref origin/HEAD '@{u}'; git status -sb | head -1; git log --oneline origin..HEAD | wc -l";
    expect((await scene.shell(id, "restricted", ask)).text).toBe(
      "origin/main\norigin/main\n## main...origin/main\n0",
    );
    expect((await scene.shell(id, "unrestricted", ask)).text).toBe(
      `origin/main\norigin/main\n## parley/${id}...origin/main\n0`,
    );
  });

  it("39.B9 a default branch that changes is the one of the next checkout", async () => {
    await git(repo, "checkout", "--quiet", "other");
    await commit(repo, { "b.txt": "b\n" });
    scene.clock.advance(61_000);
    await scene.base("c-status2", repo);
    expect(
      (await scene.shell("c-status2", "restricted", "git rev-parse --abbrev-ref origin/HEAD '@{u}'")).text,
    ).toBe("origin/other\norigin/other");
  });
});
