/** 40.A4: what a conversation keeps beside the store holds no words that were taken back. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import { commit, createScene, startSandbox } from "./scene.ts";

const { signal } = new AbortController();

it("40.A4 what was sealed of a draft keeps its trees and loses title, diff and test output", async () => {
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
  expect(await scene.workspaces.drafts.sealed(id)).toEqual({
    ...before,
    commits: before?.commits.map((one) => ({ ...one, title: "The password is [deleted]" })),
  });
});
