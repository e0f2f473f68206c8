import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { commit, createScene, git, type Scene, startSandbox } from "../scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const MINUTE = 60_000;

const mirrorOf = async (scene: Scene): Promise<string> => {
  const [key] = await readdir(join(scene.data, "repos"));
  return join(scene.data, "repos", key ?? "");
};

const generations = async (scene: Scene): Promise<readonly string[]> =>
  (await readdir(await mirrorOf(scene))).filter((name) => name !== "pins").toSorted();

/** Whether the conversation's commands can read an object by its name. */
const reads = async (scene: Scene, id: ConversationId, object: string): Promise<boolean> =>
  (await scene.shell(id, "restricted", `git cat-file -p ${object}`)).code === 0;

test("a repository is asked at most once a minute", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const first = await commit(source, { "a.txt": "1" });
  expect((await scene.base("c-1", source)).commit).toBe(first);
  const second = await commit(source, { "a.txt": "2" });
  scene.clock.advance(MINUTE - 1);
  expect((await scene.base("c-2", source)).commit).toBe(first);
  scene.clock.advance(1);
  expect((await scene.base("c-3", source)).commit).toBe(second);
  expect(await generations(scene)).toEqual(["1.git"]);
});

test("a failure is not remembered: trying again asks again", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  expect((await scene.open("c-1", source)).outcome.kind).toBe("failed");
  const head = await commit(source, { "a.txt": "1" });
  expect((await scene.base("c-1", source)).commit).toBe(head);
});

test("what was force-pushed away is readable to no new conversation, what was kept is", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const kept = await commit(source, { "kept.txt": "kept content\n" });
  const secret = await commit(source, { "secret.txt": "the secret\n" });
  const blob = await git(source, "rev-parse", "HEAD:secret.txt");
  const keptBlob = await git(source, "rev-parse", `${kept}:kept.txt`);
  await scene.base("c-old", source);
  expect(await reads(scene, "c-old", blob)).toBe(true);

  await git(source, "reset", "--quiet", "--hard", kept);
  const replaced = await commit(source, { "b.txt": "instead\n" });
  scene.clock.advance(MINUTE);
  expect((await scene.base("c-new", source)).commit).toBe(replaced);

  expect(await generations(scene)).toEqual(["1.dirty", "1.git", "2.git"]);
  expect([await reads(scene, "c-new", secret), await reads(scene, "c-new", blob)]).toEqual([false, false]);
  expect([await reads(scene, "c-new", kept), await reads(scene, "c-new", keptBlob)]).toEqual([true, true]);
  /* The conversation that works on it keeps it, its private checkout too. */
  expect(await reads(scene, "c-old", blob)).toBe(true);
  expect((await scene.shell("c-old", "unrestricted", "cat secret.txt")).text).toBe("the secret");
});

test("a deleted branch or tag takes what only it reached with it; a merged one costs nothing", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const base = await commit(source, { "a.txt": "1" });
  await git(source, "checkout", "--quiet", "-b", "merged");
  await commit(source, { "a.txt": "2" });
  await git(source, "checkout", "--quiet", "main");
  await git(source, "merge", "--quiet", "--ff-only", "merged");
  await git(source, "checkout", "--quiet", "--detach", base);
  const tagged = await commit(source, { "tagged.txt": "t" });
  await git(source, "tag", "--annotate", "--message", "words in a tag", "v1");
  const tag = await git(source, "rev-parse", "v1");
  await git(source, "tag", "light", base);
  await git(source, "checkout", "--quiet", "main");
  await scene.base("c-1", source);

  await git(source, "branch", "--quiet", "--delete", "merged");
  await git(source, "tag", "--delete", "light");
  scene.clock.advance(MINUTE);
  await scene.base("c-2", source);
  expect(await generations(scene)).toEqual(["1.git"]);
  expect(await reads(scene, "c-2", tag)).toBe(true);

  await git(source, "tag", "--delete", "v1");
  scene.clock.advance(MINUTE);
  await scene.base("c-3", source);
  expect(await generations(scene)).toEqual(["1.dirty", "1.git", "2.git"]);
  expect([await reads(scene, "c-3", tag), await reads(scene, "c-3", tagged)]).toEqual([false, false]);
  expect(await reads(scene, "c-3", base)).toBe(true);
});

test("refs that are neither branch nor tag are never taken", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const head = await commit(source, { "a.txt": "1" });
  await git(source, "checkout", "--quiet", "--detach");
  const outside = await commit(source, { "stranger.txt": "from a pull request" });
  await git(source, "update-ref", "refs/pull/1/head", outside);
  await git(source, "checkout", "--quiet", "main");
  await scene.base("c-1", source);
  expect(await reads(scene, "c-1", outside)).toBe(false);
  expect(await reads(scene, "c-1", head)).toBe(true);
});

test("a HEAD that was detached and moved on leaves nothing behind", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const head = await commit(source, { "a.txt": "1" });
  await git(source, "checkout", "--quiet", "--detach");
  const loose = await commit(source, { "b.txt": "loose" });
  expect(await scene.base("c-1", source)).toMatchObject({ commit: loose, ref: "HEAD" });
  await git(source, "checkout", "--quiet", "main");
  scene.clock.advance(MINUTE);
  expect(await scene.base("c-2", source)).toMatchObject({ commit: head, ref: "main" });
  expect(await reads(scene, "c-2", loose)).toBe(false);
  expect(await reads(scene, "c-1", loose)).toBe(true);
});

test("a fetch that died half-way makes the next one start a new generation", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "1" });
  await scene.base("c-1", source);
  /* As a crash leaves it: the mark is set, objects have come, no ref accounts for them. */
  const mirror = await mirrorOf(scene);
  await writeFile(join(scene.root, "stray"), "came and went");
  const lost = await git(join(mirror, "1.git"), "hash-object", "-w", join(scene.root, "stray"));
  await writeFile(join(mirror, "1.dirty"), "");
  expect(await reads(scene, "c-1", lost)).toBe(true);
  const workspaces = scene.restart();
  expect((await scene.open("c-2", source, { workspaces })).outcome.kind).toBe("ready");
  expect(await generations(scene)).toEqual(["1.dirty", "1.git", "2.git"]);
  expect(await reads(scene, "c-2", lost)).toBe(false);
});

test("an old generation goes when nobody needs it, and not before; a pin without a conversation counts for nothing", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const first = await commit(source, { "a.txt": "0" });
  const rewrite = async (text: string): Promise<string> => {
    await git(source, "reset", "--quiet", "--hard", first);
    const head = await commit(source, { "a.txt": text });
    scene.clock.advance(MINUTE);
    return head;
  };
  await rewrite("1");
  await scene.base("c-1", source);
  await rewrite("2");
  await scene.base("c-2", source);
  await rewrite("3");
  await scene.base("c-3", source);
  expect(await generations(scene)).toEqual(["1.dirty", "1.git", "2.dirty", "2.git", "3.git"]);

  const pins = join(await mirrorOf(scene), "pins");
  await rm(join(scene.data, "threads/c-2"), { recursive: true });
  await writeFile(join(pins, "1", "c-never"), "");
  const workspaces = scene.restart();
  expect((await scene.open("c-3", source, { workspaces })).outcome.kind).toBe("ready");
  expect(await generations(scene)).toEqual(["1.dirty", "1.git", "3.git"]);
  expect(await readdir(join(pins, "1"))).toEqual(["c-1"]);
  expect((await scene.shell("c-1", "restricted", "cat a.txt")).text).toBe("1");
});

test("a base that the repository no longer has is said to be gone; one that it still has is found again", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const first = await commit(source, { "a.txt": "1" });
  await commit(source, { "a.txt": "2" });
  const base = { commit: first, ref: "main", cwd: "/work" };
  expect((await scene.open("c-1", source, { base })).outcome).toEqual({ kind: "ready", base });
  expect((await scene.shell("c-1", "restricted", "git rev-parse HEAD; cat a.txt")).text).toBe(`${first}\n1`);
  const gone = { ...base, commit: "1234567890".repeat(4) };
  expect((await scene.open("c-2", source, { base: gone })).outcome).toMatchObject({
    kind: "failed",
    failure: {
      kind: "workspace",
      message: `The commit that this conversation works on is no longer in ${source}.`,
    },
  });
});

test("each conversation's base is a ref of its mirror, which new generations do not inherit", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const first = await commit(source, { "a.txt": "1" });
  await scene.base("c-1", source);
  await git(source, "commit", "--quiet", "--amend", "--message", "other");
  scene.clock.advance(MINUTE);
  const second = (await scene.base("c-2", source)).commit;
  const refs = async (n: number): Promise<string> =>
    git(
      join(await mirrorOf(scene), `${n}.git`),
      "for-each-ref",
      "--format=%(objectname) %(refname)",
      "refs/parley",
    );
  expect(await refs(1)).toBe(`${first} refs/parley/threads/c-1`);
  expect(await refs(2)).toBe(`${second} refs/parley/threads/c-2`);
});
