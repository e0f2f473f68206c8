/** What of a working directory goes along when a conversation goes on in another one (BED-021). */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Base } from "../../../src/ports/conversation.ts";
import { commit, conversation, createScene, type Scene, startSandbox } from "../scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const never = new AbortController().signal;

const begun = async (scene: Scene): Promise<{ readonly base: Base; readonly source: string }> => {
  const source = await scene.repository("source");
  await commit(source, { "a.txt": "one\n", "b.txt": "two\n", ".gitignore": "built\n" });
  return { base: await scene.base("c-1", source), source };
};

const carried = (scene: Scene, { base, source }: { readonly base: Base | null; readonly source: string }) =>
  scene.workspaces.carry(conversation("c-1", { kind: "path", location: source }, base), "c-2", never);

const AUTHOR = "-c user.name=Ada -c user.email=ada@example.org";

test("commits, changes, new files and what git ignores go along, each then on its own, and Restricted reads them", async () => {
  await using scene = await createScene(sandbox);
  const from = await begun(scene);
  const made = await scene.shell(
    "c-1",
    "unrestricted",
    `echo committed > a.txt && git ${AUTHOR} commit -qam mine && echo changed > b.txt && echo new > new.sh && chmod 755 new.sh && ln -s /etc/hostname link && mkdir built && echo x > built/out`,
  );
  expect(made.code).toBe(0);
  expect(await carried(scene, from)).toMatchObject({ kind: "copied", base: { commit: from.base.commit } });
  await scene.base("c-2", from.source);
  const look =
    "cat a.txt b.txt built/out; git log --format=%s; git status --short; test -x new.sh && readlink link";
  const before = await scene.shell("c-1", "restricted", look);
  expect(before.text).toContain("committed\nchanged\nx\nmine\n");
  expect(await scene.shell("c-2", "restricted", look)).toEqual(before);
  expect((await scene.shell("c-2", "restricted", "echo no > a.txt")).code).not.toBe(0);
  expect((await scene.shell("c-2", "unrestricted", "echo theirs > a.txt")).code).toBe(0);
  expect((await scene.shell("c-1", "restricted", "cat a.txt")).text).toBe("committed");
});

test("without a checkout of its own the commit is the same, although the repository went on", async () => {
  await using scene = await createScene(sandbox);
  const from = await begun(scene);
  await commit(from.source, { "a.txt": "newer\n" });
  expect(await carried(scene, from)).toMatchObject({ kind: "same", base: { commit: from.base.commit } });
  await scene.base("c-2", from.source);
  expect((await scene.shell("c-2", "restricted", "cat a.txt")).text).toBe("one");
});

test("an open draft goes along, with or without a checkout of its own, and each is then on its own", async () => {
  for (const before of ["true", "echo own > b.txt"]) {
    await using scene = await createScene(sandbox, {
      draft: { bytes: 2 ** 30, entries: 9_999, layersFrom: 0 },
    });
    const from = await begun(scene);
    if (before !== "true") await scene.shell("c-1", "unrestricted", before);
    const { drafts } = scene.workspaces;
    await drafts.open("c-1", never);
    expect(
      (await scene.shell("c-1", "draft", "umask 077; echo rehearsed > a.txt; echo new > new.txt")).code,
    ).toBe(0);
    expect(await carried(scene, from)).toMatchObject({ drafted: true, base: { commit: from.base.commit } });
    await scene.base("c-2", from.source);
    expect(await drafts.open("c-2", never)).toMatchObject({ kind: "open", again: true });
    expect((await scene.shell("c-2", "draft", "cat a.txt new.txt; echo theirs > a.txt")).text).toBe(
      "rehearsed\nnew",
    );
    expect((await scene.shell("c-1", "draft", "cat a.txt")).text).toBe("rehearsed");
    const sealed = await drafts.seal("c-2", { title: "Theirs" }, never);
    if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
    const { tree, base } = sealed.result;
    expect(await drafts.apply("c-2", { tree, base }, never)).toMatchObject({ kind: "applied", tree });
    expect((await scene.shell("c-1", "restricted", "cat a.txt")).text).toBe("one");
  }
});

test("where there was no checkout yet there is nothing to take along", async () => {
  await using scene = await createScene(sandbox);
  expect(await carried(scene, { base: null, source: "/nowhere" })).toEqual({ kind: "same", base: null });
});

test("D6: asked again, also by another process, it is done once", async () => {
  await using scene = await createScene(sandbox);
  const from = await begun(scene);
  await scene.shell("c-1", "unrestricted", "echo changed > a.txt");
  await carried(scene, from);
  await scene.shell("c-2", "unrestricted", "echo theirs > a.txt");
  expect(await carried({ ...scene, workspaces: scene.restart() }, from)).toMatchObject({ kind: "copied" });
  expect((await scene.shell("c-2", "restricted", "cat a.txt")).text).toBe("theirs");
});

test("what is too large stays, says so, and leaves nothing half-made; what fits goes along", async () => {
  await using scene = await createScene(sandbox, { maxCarryBytes: 2 ** 20 });
  const from = await begun(scene);
  await scene.shell("c-1", "unrestricted", "head -c 3000000 /dev/urandom > big");
  expect(await carried(scene, from)).toEqual({
    kind: "left",
    base: from.base,
    why: "it is larger than 1 MiB",
  });
  expect((await readdir(join(scene.data, "staging"))).filter((name) => name.startsWith("carry-"))).toEqual(
    [],
  );
  await scene.base("c-2", from.source);
  expect((await scene.shell("c-2", "restricted", "cat a.txt; test -e big")).text).toBe("one");
  await using small = await createScene(sandbox, { maxCarryBytes: 2 ** 20 });
  const fits = await begun(small);
  await small.shell("c-1", "unrestricted", "echo little > a.txt");
  expect(await carried(small, fits)).toMatchObject({ kind: "copied" });
});
