/** 40.A4: what a conversation keeps beside the store holds no words that were taken back. */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import { commit, createScene, startSandbox } from "./scene.ts";

const { signal } = new AbortController();

it("40.A4 what was sealed of a draft keeps its trees, and its title, diff and test output lose these words", async () => {
  await using sandbox = { it: await startSandbox(), [Symbol.asyncDispose]: () => sandbox.it.close() };
  await using scene = await createScene(sandbox.it);
  const repo = await scene.repository("shop");
  await commit(repo, { "a.txt": "one\n" });
  const id: ConversationId = "c-erased";
  const thread = join(scene.data, "threads", id);
  const files = async (marker: string): Promise<readonly string[]> => {
    const names = (await readdir(thread, { withFileTypes: true })).filter((one) => one.isFile());
    const texts = await Promise.all(names.map(({ name }) => readFile(join(thread, name), "utf8")));
    return names.flatMap(({ name }, at) => (texts[at]?.includes(marker) === true ? [name] : []));
  };
  await scene.base(id, repo);
  await scene.workspaces.drafts.open(id, signal);
  await scene.shell(id, "draft", "echo hunter2-4711 >> a.txt");
  const title = "The password is hunter2-4711";
  await scene.workspaces.drafts.seal(id, { title, testCommand: "cat a.txt" }, signal);
  const before = await scene.workspaces.drafts.sealed(id);
  expect(await files("hunter2-4711")).toEqual(["sealed.json"]);

  await scene.workspaces.erase(id, (text) => text.replaceAll("hunter2-4711", "[deleted]"));
  expect(await files("hunter2-4711")).toEqual([]);
  const after = await scene.workspaces.drafts.sealed(id);
  expect([after?.tree, after?.base]).toEqual([before?.tree, before?.base]);
  expect(after?.commits).toEqual(
    before?.commits.map((one) => ({ ...one, title: "The password is [deleted]" })),
  );
  // The card can still be posted anew, without these words.
  await commit(repo, { "b.txt": "b\n" }, "Meanwhile");
  scene.clock.advance(1);
  expect(await scene.workspaces.drafts.movedOn(id, signal)).toMatchObject({
    files: [{ path: "a.txt" }],
    diff: expect.stringContaining("+[deleted]\n"),
    test: { tail: "one\n[deleted]" },
    moved: { titles: ["Meanwhile"] },
  });
});

it("39.A4 a record that a version before kept of a sealed draft is read: the draft applies, and is asked about no second time", async () => {
  await using sandbox = { it: await startSandbox(), [Symbol.asyncDispose]: () => sandbox.it.close() };
  await using scene = await createScene(sandbox.it);
  const repo = await scene.repository("shop");
  const base = await commit(repo, { "a.txt": "one\n" });
  const id: ConversationId = "c-before";
  const { drafts } = scene.workspaces;
  await scene.base(id, repo);
  await drafts.open(id, signal);
  await scene.shell(id, "draft", "echo two >> a.txt");
  await drafts.seal(id, { title: "Two" }, signal);
  const file = join(scene.data, "threads", id, "sealed.json");
  const sealed = await drafts.sealed(id);
  const { tree = "", commits } = sealed ?? {};
  await writeFile(file, JSON.stringify({ tree, base, commits }));
  await commit(repo, { "b.txt": "b\n" }, "Meanwhile");
  scene.clock.advance(1);
  expect(await drafts.movedOn(id, signal)).toBeNull();
  expect(await drafts.apply(id, { tree, base }, signal)).toMatchObject({ kind: "applied", tree });
});
