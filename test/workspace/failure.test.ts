import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import { commit, createScene, git, noise, type Opened, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const told = ({ outcome }: Opened): string =>
  outcome.kind === "failed" ? outcome.failure.message : outcome.kind;

test("each way to fail has its own sentence, and a repository that is right opens", async () => {
  await using scene = await createScene(sandbox);
  const empty = await scene.repository("empty");
  const plain = join(scene.root, "plain");
  await mkdir(plain);
  const missing = join(scene.root, "missing");
  const file = join(scene.root, "file");
  await writeFile(file, "");
  const unborn = await scene.repository("unborn");
  await commit(unborn, { "a.txt": "a" });
  await git(unborn, "checkout", "--quiet", "--orphan", "fresh");

  expect(told(await scene.open("c-1", empty))).toBe(`${empty} has no commits yet.`);
  expect(told(await scene.open("c-1", plain))).toBe(`${plain} is not a git repository.`);
  expect(told(await scene.open("c-1", file))).toBe(`${file} is not a git repository.`);
  expect(told(await scene.open("c-1", missing))).toBe(`${missing} was not found.`);
  expect(told(await scene.open("c-1", "relative"))).toBe("A local repository is named by its absolute path.");
  expect(told(await scene.open("c-1", unborn))).toBe(`${unborn} names no default branch.`);
  expect(told(await scene.open("c-1", "file:///etc", { kind: "url" }))).toMatch(
    /^A repository's address begins with/,
  );
  expect(told(await scene.open("c-../x", empty))).toBe("The conversation's id cannot name a directory.");
  await commit(empty, { "a.txt": "a" });
  expect(told(await scene.open("c-1", empty))).toBe("ready");
});

test("objects that are missing or broken are said to be, and nothing of it stays", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "a", "b.txt": "b" });
  const blob = await git(source, "rev-parse", "HEAD:b.txt");
  const path = join(source, ".git/objects", blob.slice(0, 2), blob.slice(2));
  const whole = await readFile(path);
  await rm(path);
  const sentence = `${source} has damaged or missing objects, so Parley did not copy the repository.`;
  expect(told(await scene.open("c-1", source))).toBe(sentence);
  await writeFile(path, "rubbish");
  expect(told(await scene.open("c-1", source))).toBe(sentence);
  expect(await readdir(join(scene.data, "staging"))).toEqual([]);
  expect(await readdir(scene.data)).toEqual(["staging"]);
  await rm(path);
  await writeFile(path, whole);
  expect(told(await scene.open("c-1", source))).toBe("ready");
});

test("WG6 a partial clone is refused as one, and taken once it has all of its objects", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "old" });
  await commit(source, { "a.txt": "new" });
  await git(source, "config", "uploadpack.allowFilter", "true");
  const partial = join(scene.root, "partial");
  await git(scene.root, "clone", "--quiet", "--filter=blob:none", `file://${source}`, partial);
  expect(told(await scene.open("c-1", partial))).toMatch(/^.*\/partial is a partial clone: /);
  await git(partial, "fetch", "--quiet", "--refetch", "--no-filter");
  await scene.base("c-1", partial);
  expect((await scene.shell("c-1", "restricted", "cat a.txt; git log -p | grep -c old")).text).toBe("new2");
});

test("a mirror that was damaged is made anew from the repository", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "a" });
  await scene.base("c-1", source);
  const [key] = await readdir(join(scene.data, "repos"));
  const packs = join(scene.data, "repos", key ?? "", "1.git/objects/pack");
  for (const name of await readdir(packs)) await rm(join(packs, name));
  await writeFile(join(scene.data, "repos", key ?? "", "1.dirty"), "");
  scene.clock.advance(60_000);
  expect(told(await scene.open("c-2", source))).toBe("ready");
  expect((await scene.shell("c-2", "restricted", "cat a.txt; git fsck")).text).toBe("a");
});

test("a repository beyond the limit is refused while it comes, one within it is taken", async () => {
  await using scene = await createScene(sandbox, { maxFetchBytes: 1024 });
  const source = await scene.repository("source");
  await commit(source, { "big.bin": noise(2 ** 21) });
  const before = told(await scene.open("c-1", source));
  await using wide = await createScene(sandbox, { maxFetchBytes: 2 ** 30 });
  expect(told(await wide.open("c-1", source))).toBe("ready");
  expect(before).toBe(`${source} is larger than the 0 MiB that are allowed here.`);
  expect(await readdir(join(scene.data, "staging"))).toEqual([]);
});

test("a data directory that cannot be used is a sentence, not an exception", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "a" });
  await writeFile(scene.data, "a file where a directory should be");
  expect(told(await scene.open("c-1", source))).toMatch(/^The data directory could not be used: ENOTDIR\.$/);
  await rm(scene.data);
  expect(told(await scene.open("c-1", source))).toBe("ready");
});

test("a record that is not ours is a sentence, and stands in no other conversation's way", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "a" });
  await scene.base("c-1", source);
  await writeFile(join(scene.data, "threads/c-1/place.json"), '{"version":2}');
  expect(told(await scene.open("c-1", source))).toMatch(/not readable/);
  expect(await scene.workspaces.policy("c-1", "restricted")).toMatchObject({ kind: "failed" });
  await git(source, "commit", "--quiet", "--amend", "--message", "rewritten");
  scene.clock.advance(60_000);
  for (const workspaces of [scene.restart(), scene.restart()]) {
    expect(told(await scene.open("c-2", source, { workspaces }))).toBe("ready");
  }
  const [key] = await readdir(join(scene.data, "repos"));
  expect(await readdir(join(scene.data, "repos", key ?? "", "pins/1"))).toEqual(["c-1"]);
});
