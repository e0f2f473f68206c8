/** 39.B2: a mirror goes with its last use also while the host runs, and nothing that uses it notices. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { DAY } from "../../../src/machine/id.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import { mirrorKeyOf } from "../../../src/workspace/mirror/source.ts";
import { commit, createScene, type Scene, type Settings, startSandbox } from "../scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const { signal } = new AbortController();

/** A scene whose clock tells the time of the file system. */
const sceneNow = async (settings: Settings = {}): Promise<Scene> => {
  const scene = await createScene(sandbox, settings);
  scene.clock.advance(Date.now() - scene.clock.now());
  return scene;
};

const repositories = (scene: Scene, names: readonly string[]): Promise<readonly Repo[]> =>
  Promise.all(
    names.map(async (name) => {
      const location = await scene.repository(name);
      await commit(location, { "a.txt": `${name}\n` });
      return { kind: "path", location } as const;
    }),
  );

const mirrorsIn = async (scene: Scene): Promise<readonly string[]> =>
  (await readdir(join(scene.data, "repos"))).toSorted();

const keysOf = (repos: readonly Repo[]): readonly string[] =>
  repos.map(({ location }) => mirrorKeyOf({ kind: "path", path: location, name: "" })).toSorted();

it("39.B2 a mirror that nothing has used for seven days is removed; one in use, or asked since, stays", async () => {
  await using scene = await sceneNow();
  const { mirrors, readAhead, discard } = scene.workspaces;
  const all = await repositories(scene, ["used", "asked", "left", "ahead"]);
  const [used, asked, left, ahead] = all;
  if (used === undefined || asked === undefined || left === undefined || ahead === undefined)
    throw new Error();
  await scene.base("c-used", used.location);
  await scene.base("c-left", left.location);
  await discard("c-left");
  for (const repo of [asked, ahead]) await readAhead(repo, signal);
  scene.clock.advance(6 * DAY);
  await readAhead(asked, signal);
  expect(await mirrors.removeUnused()).toBe(0);
  expect(await mirrorsIn(scene)).toEqual(keysOf(all));

  scene.clock.advance(2 * DAY);
  expect(await mirrors.removeUnused()).toBe(2);
  expect(await mirrorsIn(scene)).toEqual(keysOf([used, asked]));
  expect(await readdir(join(scene.data, "staging"))).toEqual([]);
  expect((await scene.shell("c-used", "restricted", "git log --oneline | wc -l; cat a.txt")).text).toBe(
    "1\nused",
  );
  await scene.base("c-again", left.location);
  expect((await scene.shell("c-again", "restricted", "cat a.txt")).text).toBe("left");
});

it("39.B2 a mirror stays at each step of a thread that begins, and a thread works right after a removal", async () => {
  const removed: number[] = [];
  let isAsked = false;
  const watching: Sandbox = {
    ...sandbox,
    run: async (request, hooks) => {
      if (isAsked) removed.push(await scene.workspaces.mirrors.removeUnused());
      return sandbox.run(request, hooks);
    },
  };
  await using scene = await sceneNow({ sandbox: watching });
  const { mirrors, readAhead } = scene.workspaces;
  const [repo] = await repositories(scene, ["source"]);
  if (repo === undefined) throw new Error();
  await readAhead(repo, signal);
  scene.clock.advance(8 * DAY);
  isAsked = true;
  await scene.base("c-1", repo.location);
  expect(removed.length).toBeGreaterThan(3);
  expect(removed.every((count) => count === 0)).toBe(true);

  isAsked = false;
  await scene.workspaces.discard("c-1");
  scene.clock.advance(8 * DAY);
  const [count] = await Promise.all([mirrors.removeUnused(), scene.base("c-2", repo.location)]);
  // Either the removal or the thread is first.
  expect([0, 1]).toContain(count);
  await scene.workspaces.discard("c-2");
  scene.clock.advance(8 * DAY);
  expect(await mirrors.removeUnused()).toBe(1);
  await scene.base("c-2", repo.location);
  expect(await scene.shell("c-2", "restricted", "git fsck --connectivity-only && cat a.txt")).toEqual({
    code: 0,
    text: "source",
  });
});
