/** 9, item 3: what the host reads of a checkout, and what it commits, whatever the checkout holds. */

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ChangedTree, CommitPlan } from "../../../src/ports/outgoing.ts";
import { commit, createScene, git, startSandbox, type Scene } from "../scene.ts";

const { signal } = new AbortController();
const ID: ConversationId = "c-one";

let sandbox: Sandbox;
let scene: Scene;
let repo: string;
let base: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
  repo = await scene.repository("shop");
  base = await commit(repo, { "a.txt": "one\n", "gone.txt": "x\n", "deep/b.txt": "b\n" });
  await scene.base(ID, repo);
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

const read = async (id = ID): Promise<ChangedTree> => {
  const found = await scene.workspaces.changes.read(id, null, signal);
  if (found.kind !== "changes") throw new Error(JSON.stringify(found));
  return found.changed;
};

const planOf = ({ tree, parent }: ChangedTree, name = "errand1"): CommitPlan => ({
  name,
  commits: [{ tree, message: "A fix\n\nApproved-by: dora\n" }],
  parent,
  author: { name: "Parley", email: "parley@localhost" },
  at: Date.UTC(2026, 10, 2, 12),
});

const value = <T>(done: { readonly kind: "done"; readonly value: T } | { readonly kind: "failed" }): T => {
  if (done.kind === "failed") throw new Error(JSON.stringify(done));
  return done.value;
};

describe("changes of a conversation", () => {
  it("are none while it has no checkout of its own, and none where it changed nothing", async () => {
    expect(await scene.workspaces.changes.read(ID, null, signal)).toEqual({ kind: "none" });
    await scene.shell(ID, "unrestricted", "true");
    expect(await scene.workspaces.changes.read(ID, null, signal)).toEqual({ kind: "none" });
  });

  it("are the files as they stand, committed or not, and the checkout stays as it was", async () => {
    await scene.shell(
      ID,
      "unrestricted",
      "echo two >> a.txt; rm gone.txt; printf '\\0\\1' > pic.bin; mkdir new; echo n > new/n.txt; git -c user.name=x -c user.email=x@y commit -qam mine",
    );
    const before = (await scene.shell(ID, "restricted", "git status --porcelain; git log --format=%s")).text;
    const { tree, parent, files } = await read();
    expect(parent).toBe(base);
    expect(files).toEqual([
      { path: "pic.bin", added: null, removed: null },
      { path: "a.txt", added: 1, removed: 0 },
      { path: "gone.txt", added: 0, removed: 1 },
      { path: "new/n.txt", added: 1, removed: 0 },
    ]);
    expect((await scene.shell(ID, "restricted", "git status --porcelain; git log --format=%s")).text).toBe(
      before,
    );
    expect((await read()).tree).toBe(tree);
  });

  it("become the same commit in every process, with its pack, found again by its name", async () => {
    const plan = planOf(await read());
    const made = value(await scene.workspaces.changes.commit(ID, plan, signal));
    const { changes } = scene.restart();
    expect(value(await changes.committed(ID, "errand1"))).toEqual(made);
    expect(value(await changes.commit(ID, plan, signal))).toEqual(made);
    // Somebody died in the middle of the next one.
    const room = join(scene.data, "threads", ID, "outgoing.git");
    await git(room, "-c", "safe.directory=*", "update-ref", "refs/parents/errand2", made.commit);
    expect(value(await changes.committed(ID, "errand2"))).toBeNull();
    const pack = value(await changes.pack(ID, made, signal));
    const file = join(scene.root, "out.pack");
    await writeFile(file, pack);
    await git(repo, "index-pack", "--strict", "--keep", file);
  });

  it("go on from what was pushed before, and from no commit that was not made here", async () => {
    const { changes } = scene.workspaces;
    const first = value(await changes.committed(ID, "errand1"));
    if (first === null) throw new Error("no commit");
    expect(await changes.read(ID, first.commit, signal)).toEqual({ kind: "none" });
    expect(await changes.read(ID, base, signal)).toEqual({ kind: "foreign" });
    await scene.shell(ID, "unrestricted", "echo three >> a.txt");
    expect(await changes.read(ID, first.commit, signal)).toMatchObject({
      kind: "changes",
      changed: { parent: first.commit, files: [{ path: "a.txt", added: 1, removed: 0 }] },
    });
  });

  it("of 5 MB are read whole", async () => {
    const id: ConversationId = "c-big";
    await scene.base(id, repo);
    await scene.shell(id, "unrestricted", "true");
    await scene.shell(id, "unrestricted", "head -c 5000000 /dev/urandom | base64 > big.txt");
    const changed = await read(id);
    expect(changed.files).toHaveLength(1);
    const made = value(await scene.workspaces.changes.commit(id, planOf(changed), signal));
    expect(value(await scene.workspaces.changes.pack(id, made, signal)).length).toBeGreaterThan(4_900_000);
  });
});

describe("a checkout that is turned against the host", () => {
  it("runs no hook, filter, monitor or alias of it, and hides nothing by its index or its ignore rules", async () => {
    const id: ConversationId = "c-hostile";
    await scene.base(id, repo);
    const mark = join(scene.root, "mark");
    await scene.shell(
      id,
      "unrestricted",
      `echo evil > e.sh; echo hidden >> a.txt
       printf '*.txt filter=evil\\n' > .gitattributes; printf 'e.sh\\n' > .git/info/exclude
       git config filter.evil.clean 'sh -c "touch ${mark}; echo filtered"'
       git config core.hooksPath hooks; mkdir -p hooks; printf '#!/bin/sh\\ntouch ${mark}\\n' > hooks/pre-commit; chmod +x hooks/pre-commit
       git config core.worktree /etc; git config alias.add '!touch ${mark}'
       git --work-tree=. update-index --assume-unchanged a.txt; rm -rf .git/objects/info/alternates; ln -s /etc/passwd link; git config core.fsmonitor 'sh -c "touch ${mark}; echo /"'`,
    );
    const { files, tree } = await read(id);
    expect(files.map(({ path }) => path).toSorted()).toEqual([
      ".gitattributes",
      "a.txt",
      "e.sh",
      "hooks/pre-commit",
      "link",
    ]);
    expect(files).toContainEqual({ path: "a.txt", added: 1, removed: 0 });
    expect(existsSync(mark)).toBe(false);
    const made = value(
      await scene.workspaces.changes.commit(id, planOf({ tree, parent: base, files }), signal),
    );
    expect(made.parent).toBe(base);
  });

  it("that cannot be read is said to be so", async () => {
    const id: ConversationId = "c-odd";
    await scene.base(id, repo);
    await scene.shell(id, "unrestricted", "mkdir -p 'x/.GIT' && echo h > 'x/.GIT/config'; echo ok > y");
    const found = await scene.workspaces.changes.read(id, null, signal);
    expect(found.kind).toBe("failed");
  });
});
