import { expect, test } from "vitest";
import type { Setup } from "../../src/machine/vocabulary.ts";
import { commit, conversation, createScene, startSandbox } from "./scene.ts";

test("where the kernel cannot hold Restricted a conversation still gets its private checkout, and no set-up is run", async () => {
  const sandbox = await startSandbox(true);
  await using scene = await createScene(sandbox);
  const source = await scene.repository("source");
  const head = await commit(source, { "a.txt": "a\n", ".gitmodules": "" });
  expect(sandbox.probe.restricted).toBe(false);
  const { outcome, lines } = await scene.open("c-1", source);
  expect(outcome).toMatchObject({ kind: "ready", base: { commit: head } });
  expect(lines).toContain("This repository has submodules; they are not fetched.");
  expect((await scene.shell("c-1", "unrestricted", "cat a.txt; touch b.txt; git status --short")).text).toBe(
    "a\n?? b.txt",
  );
  await expect(scene.shell("c-1", "restricted", "true")).rejects.toThrow();
  const told = Promise.withResolvers<Setup>();
  await commit(source, { ".parley/setup.sh": "touch ran\n" });
  scene.clock.advance(60_000);
  await scene.workspaces.open(conversation("c-2", { kind: "path", location: source }, null), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onSetUp: told.resolve,
  });
  const why = expect.stringContaining("cannot confine it");
  expect(await told.promise).toEqual({ kind: "failed", why });
  await sandbox.close();
});
