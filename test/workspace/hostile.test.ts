import { chmod, mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import { commit, createScene, git, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const MARK = "payload-ran";

/** Everything of that name below the test's directory: git works in writable mounts there, so would a payload. */
const marks = async (scene: Scene): Promise<readonly string[]> =>
  (await readdir(scene.root, { recursive: true })).filter((path) => path.endsWith(MARK));

/** Configuration, hooks and attributes that make a careless git run programs. */
const arm = async (source: string): Promise<void> => {
  const payload = join(source, ".git", "payload.sh");
  const home = `d=\${GIT_DIR:-.}; touch "$d/${MARK}" "./${MARK}" "${source}/${MARK}" 2>/dev/null`;
  await writeFile(payload, `#!/bin/sh\n${home}\ncat\n`);
  await chmod(payload, 0o755);
  for (const [key, value] of [
    ["core.fsmonitor", payload],
    ["core.sshCommand", payload],
    ["core.alternateRefsCommand", payload],
    ["uploadpack.packObjectsHook", payload],
    ["filter.evil.smudge", payload],
    ["filter.evil.clean", payload],
    ["filter.evil.required", "true"],
    ["diff.external", payload],
    ["core.pager", payload],
    ["credential.helper", `!${payload}`],
    ["alias.read-tree", `!${payload}`],
  ]) {
    await git(source, "config", key ?? "", value ?? "");
  }
  await mkdir(join(source, ".git/hooks"), { recursive: true });
  for (const hook of [
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "fsmonitor-watchman",
    "update",
  ]) {
    await writeFile(join(source, ".git/hooks", hook), `#!/bin/sh\n${home}\n`);
    await chmod(join(source, ".git/hooks", hook), 0o755);
  }
};

describe("a repository that wants its programs run", () => {
  test("gets none of them run by fetching, checking out or reading; an agent that runs one is held", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { ".gitattributes": "*.txt filter=evil diff=evil\n", "a.txt": "as written\n" });
    await arm(source);
    await scene.base("c-1", source);
    const read = await scene.shell(
      "c-1",
      "restricted",
      "cat a.txt; git status --short; git log -p -1 --format=; git diff",
    );
    expect(read.code).toBe(0);
    expect(read.text).toContain("+as written");
    expect((await scene.shell("c-1", "unrestricted", "git status --short")).text).toBe("");
    scene.clock.advance(60_000);
    await scene.base("c-2", source);
    expect(await marks(scene)).toEqual([]);

    /* The twin: such a program does leave its mark where something runs it. */
    await scene.shell(
      "c-1",
      "unrestricted",
      `git config core.fsmonitor 'touch ${MARK}; false' && git status`,
    );
    expect(await marks(scene)).toEqual([join("data/threads/c-1/work", MARK)]);
    scene.clock.advance(60_000);
    expect((await scene.open("c-1", source, { workspaces: scene.restart() })).outcome.kind).toBe("ready");
    expect((await marks(scene)).length).toBe(1);
  });
});

describe("a link", () => {
  test("in a checkout is followed by nobody on the host, and inside only as far as the sandbox reaches", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    const secret = join(scene.root, "secret");
    await writeFile(secret, "host secret with filter=lfs");
    await symlink(secret, join(source, ".gitattributes"));
    await symlink(secret, join(source, "absolute"));
    await symlink("../../../../../../../../../../../../../../etc/hostname", join(source, "relative"));
    await symlink("real.txt", join(source, "good"));
    await commit(source, { "real.txt": "inside\n" });
    const { outcome, lines } = await scene.open("c-1", source);
    expect(outcome.kind).toBe("ready");
    expect(lines.join("\n")).not.toContain("LFS");
    expect((await scene.shell("c-1", "restricted", "cat absolute")).code).not.toBe(0);
    expect((await scene.shell("c-1", "unrestricted", "cat absolute")).code).not.toBe(0);
    expect((await scene.shell("c-1", "restricted", "cat good; readlink good")).text).toBe("inside\nreal.txt");
  });

  test("in place of .git or of the objects opens no other repository", async () => {
    await using scene = await createScene(sandbox);
    const other = await scene.repository("other");
    await commit(other, { "private.txt": "of somebody else" });
    const linked = join(scene.root, "linked");
    await mkdir(linked);
    await symlink(join(other, ".git"), join(linked, ".git"));
    const hollow = await scene.repository("hollow");
    await commit(hollow, { "a.txt": "a" });
    await rename(join(hollow, ".git/objects"), join(scene.root, "moved"));
    await symlink(join(other, ".git/objects"), join(hollow, ".git/objects"));
    for (const path of [linked, hollow]) {
      expect((await scene.open("c-1", path)).outcome).toMatchObject({
        kind: "failed",
        failure: { message: `${path} is not a git repository.` },
      });
    }
    expect((await scene.open("c-1", other)).outcome.kind).toBe("ready");
  });
});

describe("a .git file", () => {
  test("counts only where the repository that it names knows this worktree", async () => {
    await using scene = await createScene(sandbox);
    const other = await scene.repository("other");
    await commit(other, { "private.txt": "of somebody else" });
    const known = join(scene.root, "known");
    await git(other, "worktree", "add", "--quiet", "-b", "side", known);
    const planted = join(scene.root, "planted");
    await mkdir(planted);
    for (const target of [
      join(other, ".git"),
      join(other, ".git/worktrees/known"),
      "/etc",
      "../other/.git/worktrees/../worktrees/known",
    ]) {
      await writeFile(join(planted, ".git"), `gitdir: ${target}\n`);
      expect((await scene.open("c-1", planted)).outcome).toMatchObject({
        kind: "failed",
        failure: { message: expect.stringContaining("does not count it among its worktrees") },
      });
    }
    expect((await scene.open("c-1", known)).outcome.kind).toBe("ready");
  });

  test("objects borrowed from elsewhere are not followed", async () => {
    await using scene = await createScene(sandbox);
    const other = await scene.repository("other");
    await commit(other, { "a.txt": "a" });
    const shared = join(scene.root, "shared");
    await git(scene.root, "clone", "--quiet", "--shared", other, shared);
    const { outcome } = await scene.open("c-1", shared);
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { message: expect.stringContaining("borrows objects") },
    });
  });
});

describe("objects made to harm", () => {
  test("are refused whole; the same repository without them is taken", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.txt": "a" });
    expect((await scene.open("c-1", source)).outcome.kind).toBe("ready");
    const blob = await git(source, "rev-parse", "HEAD:a.txt");
    /* A tree that would write into .git when it is checked out: no porcelain makes one. */
    const entry = Buffer.concat([Buffer.from("100644 .git\0", "latin1"), Buffer.from(blob, "hex")]);
    await writeFile(join(scene.root, "tree"), entry);
    const tree = await git(
      source,
      "hash-object",
      "-t",
      "tree",
      "-w",
      "--literally",
      join(scene.root, "tree"),
    );
    const bad = await git(source, "commit-tree", "-m", "bad", tree);
    await git(source, "update-ref", "refs/heads/bad", bad);
    const fresh = await createScene(sandbox);
    await using _ = fresh;
    expect((await fresh.open("c-1", source)).outcome).toMatchObject({
      kind: "failed",
      failure: { kind: "workspace", message: expect.stringContaining("damaged or missing objects") },
    });
    scene.clock.advance(60_000);
    expect((await scene.open("c-2", source)).outcome.kind).toBe("failed");
    await git(source, "update-ref", "-d", "refs/heads/bad");
    expect((await scene.open("c-2", source)).outcome.kind).toBe("ready");
  });
});
