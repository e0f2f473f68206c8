/** Citations against a real checkout in the real sandbox: what is there, what was changed, what leads out. */

import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Base } from "../../../src/ports/conversation.ts";
import { parseCitation } from "../../../src/text/citation.ts";
import { commit, conversation, createScene, git, type Scene, startSandbox } from "../scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const ID: ConversationId = "c-1";

const check = async (scene: Scene, source: string, base: Base, words: string) => {
  const cited = words.split(" ").flatMap((word) => parseCitation(word) ?? []);
  const checked = await scene.workspaces.check(
    conversation(ID, { kind: "path", location: source }, base),
    base,
    cited,
  );
  return checked.map(({ path, from, status }) => `${path}:${from} ${status}`);
};

describe("citations", () => {
  test("that hold are kept with git's name of the file at the commit", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.ts": "1\n2\n" });
    const base = await scene.base(ID, source);
    const at = conversation(ID, { kind: "path", location: source }, base);
    const cited = ["a.ts:2", "a.ts:3"].flatMap((word) => parseCitation(word) ?? []);
    const [found, missing] = await scene.workspaces.check(at, base, cited);
    expect(found?.blob).toBe(await git(source, "rev-parse", "HEAD:a.ts"));
    expect(missing).not.toHaveProperty("blob");
  });

  test("hold where the file has the lines at the commit, and only there", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, {
      "src/a.ts": "1\n2\n3\n",
      "src/open.ts": "1\n2",
      "empty.ts": "",
      Makefile: "all:\n",
    });
    const base = await scene.base(ID, source);
    await writeFile(join(source, "src/a.ts"), "1\n2\n3\n4\n");
    await commit(source, { "later.ts": "1\n" });
    expect(
      await check(
        scene,
        source,
        base,
        `src/a.ts:1 src/a.ts:3 src/a.ts:4 src/a.ts:2-3 src/a.ts:3-2 src/a.ts:0 ./src/a.ts:1 ${base.cwd}/src/a.ts:1 src/open.ts:2 src/open.ts:3 empty.ts:1 later.ts:1 src/none.ts:1`,
      ),
    ).toEqual([
      "src/a.ts:1 found",
      "src/a.ts:3 found",
      "src/a.ts:4 missing",
      "src/a.ts:2 found",
      "src/a.ts:3 missing",
      "src/a.ts:0 missing",
      "./src/a.ts:1 found",
      `${base.cwd}/src/a.ts:1 found`,
      "src/open.ts:2 found",
      "src/open.ts:3 missing",
      "empty.ts:1 missing",
      "later.ts:1 missing",
      "src/none.ts:1 missing",
    ]);
  });

  test("what may be something else counts only where the repository has it, or its directory", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { Makefile: "all:\n", "bin/tool": "#!/bin/sh\n" });
    const base = await scene.base(ID, source);
    expect(
      await check(
        scene,
        source,
        base,
        "Makefile:1 localhost:8080 acme/app:12 bin/tool:1 bin/ghost:1 redis:7",
      ),
    ).toEqual(["Makefile:1 found", "bin/tool:1 found", "bin/ghost:1 missing"]);
  });

  test("files that the agent changed or made are said to be changed", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "same.ts": "1\n", "changed.ts": "1\n", "gone.ts": "1\n" });
    const base = await scene.base(ID, source);
    await scene.shell(ID, "unrestricted", "echo 2 >> changed.ts; rm gone.ts; echo 1 > made.ts");
    expect(
      await check(
        scene,
        source,
        base,
        "same.ts:1 changed.ts:1 changed.ts:2 changed.ts:3 gone.ts:1 made.ts:1",
      ),
    ).toEqual([
      "same.ts:1 found",
      "changed.ts:1 changed",
      "changed.ts:2 changed",
      "changed.ts:3 missing",
      "gone.ts:1 missing",
      "made.ts:1 changed",
    ]);
  });

  test("no link and no name leads out of the checkout", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await symlink("/etc/passwd", join(source, "out.ts"));
    await symlink("inside.ts", join(source, "in.ts"));
    await commit(source, { "inside.ts": "1\n" });
    const base = await scene.base(ID, source);
    expect(
      await check(
        scene,
        source,
        base,
        "out.ts:1 in.ts:1 ../source/inside.ts:1 /etc/passwd.txt:1 inside.ts:1",
      ),
    ).toEqual([
      "out.ts:1 missing",
      "in.ts:1 found",
      "../source/inside.ts:1 missing",
      "/etc/passwd.txt:1 missing",
      "inside.ts:1 found",
    ]);
  });

  test("an answer that cites hundreds of files is looked at as far as forty of them", async () => {
    await using scene = await createScene(sandbox);
    const source = await scene.repository("source");
    await commit(source, { "a.ts": "1\n2\n" });
    const base = await scene.base(ID, source);
    const many = Array.from({ length: 60 }, (_, index) => `f${index}.ts:1`).join(" ");
    const begun = performance.now();
    const checked = await check(scene, source, base, `a.ts:1 a.ts:2 ${many}`);
    console.log(`40 files looked at in ${Math.round(performance.now() - begun)} ms`);
    expect(checked.slice(0, 2)).toEqual(["a.ts:1 found", "a.ts:2 found"]);
    expect(checked.filter((one) => one.endsWith("missing"))).toHaveLength(39);
    expect(checked.filter((one) => one.endsWith("unread"))).toHaveLength(21);
  });

  test("where there is no checkout nothing is verified", async () => {
    await using scene = await createScene(sandbox);
    const base = { commit: "a".repeat(40), ref: "main", cwd: "/work" };
    expect(await check(scene, "/nowhere", base, "a.ts:1 localhost:80")).toEqual(["a.ts:1 unread"]);
  });
});
