/** A place may be bound to a branch or a tag: conversations there work on that version, and say which it is. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import { commit, conversation, createScene, git, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const open = async (scene: Scene, id: ConversationId, source: string, ref: string) => {
  const outcome = await scene.workspaces.open(
    conversation(id, { kind: "path", location: source, ref }, null),
    {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  );
  if (outcome.kind === "failed") return outcome.failure.message;
  return outcome.kind === "ready" ? outcome.base : outcome.kind;
};

test("a conversation works on the branch or tag that it names, pinned, and without an ambiguous name", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const first = await commit(source, { "a.txt": "one\n" });
  await git(source, "tag", "light");
  await git(source, "tag", "--annotate", "--message", "v", "v1");
  await git(source, "branch", "release/1.x");
  const second = await commit(source, { "a.txt": "two\n" });
  await git(source, "branch", "v1");

  expect(await open(scene, "c-1", source, "v1")).toMatchObject({ commit: first, ref: "v1" });
  expect(await open(scene, "c-2", source, "light")).toMatchObject({ commit: first, ref: "light" });
  expect(await open(scene, "c-3", source, "release/1.x")).toMatchObject({
    commit: first,
    ref: "release/1.x",
  });
  expect(await scene.base("c-4", source)).toMatchObject({ commit: second, ref: "main" });
  const seen = await scene.shell(
    "c-1",
    "restricted",
    "cat a.txt; git log --format=%s -1 HEAD 2>&1; git status --short --branch",
  );
  expect(seen.text).toBe("one\nchange\n## HEAD (no branch)");

  await git(source, "tag", "--force", "light");
  scene.clock.advance(120_000);
  expect(await open(scene, "c-2", source, "light")).toMatchObject({ commit: first });
  expect(await open(scene, "c-5", source, "light")).toMatchObject({ commit: second });
});

test("a version that is not there is told by its name", async () => {
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "one\n" });
  await git(source, "tag", "blob", await git(source, "rev-parse", "HEAD:a.txt"));
  for (const ref of ["v9", "blob", "refs/heads/main", "mai"]) {
    expect(await open(scene, `c-${ref.replaceAll("/", "")}`, source, ref)).toContain(
      `has no branch or tag called ${ref}.`,
    );
  }
});
