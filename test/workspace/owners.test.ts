/** The pinned commit says who owns what a change touches; what the change makes of CODEOWNERS does not count. */

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { FileOwners } from "../../src/thread/owners.ts";
import { commit, createScene, type Scene, startSandbox } from "./scene.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let scene: Scene;
let off: Scene;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox, { ownerKnown: (owner) => owner !== "@ghost" });
  off = await createScene(sandbox);
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await off[Symbol.asyncDispose]();
  await sandbox.close();
});

const FILES = { "src/a.js": "1\n", "docs/b.md": "b\n", "free.txt": "f\n" };
const RULES = "src/ @ada @grace\n/docs/ @ghost\nCODEOWNERS @keeper\n";

let count = 0;
const begin = async (
  files: Readonly<Record<string, string>>,
  on = scene,
  link?: string,
): Promise<ConversationId> => {
  count += 1;
  const id: ConversationId = `c-own${count}`;
  const repo = await on.repository(`shop${count}`);
  if (link !== undefined) await symlink(link, join(repo, "CODEOWNERS"));
  await commit(repo, files);
  await on.base(id, repo);
  return id;
};

const sealed = async (id: ConversationId, script: string, on = scene) => {
  await on.workspaces.drafts.open(id, signal);
  await on.shell(id, "draft", script);
  return on.workspaces.drafts.seal(id, { title: "A change" }, signal);
};

const ownersOf = async (id: ConversationId, script: string, on = scene): Promise<FileOwners | undefined> => {
  const found = await sealed(id, script, on);
  if (found.kind !== "sealed") throw new Error(JSON.stringify(found));
  return found.result.owners;
};

describe("owners of a draft's files", () => {
  it("are those of the pinned commit, with whom the table does not know", async () => {
    const id = await begin({ ...FILES, ".github/CODEOWNERS": RULES });
    const all = "echo 2 > src/a.js; echo 2 > src/new.js; rm docs/b.md; echo x > free.txt";
    expect(await ownersOf(id, all)).toEqual({
      file: ".github/CODEOWNERS",
      sets: [
        { owners: ["@ghost"], path: "docs/b.md", files: 1 },
        { owners: ["@ada", "@grace"], path: "src/a.js", files: 2 },
      ],
      unknown: ["@ghost"],
    });
  });

  it("stay so where the draft changes, moves or removes CODEOWNERS, which is a file with owners itself", async () => {
    const id = await begin({ ...FILES, ".github/CODEOWNERS": RULES });
    const script = "echo '* @me' > .github/CODEOWNERS; echo 2 > src/a.js";
    const sets = [
      { owners: ["@keeper"], path: ".github/CODEOWNERS", files: 1 },
      { owners: ["@ada", "@grace"], path: "src/a.js", files: 1 },
    ];
    expect(await ownersOf(id, script)).toMatchObject({ sets });
    expect(await ownersOf(id, "rm .github/CODEOWNERS")).toMatchObject({ sets });
  });

  it("count for what a commit of the draft did and a later one undid", async () => {
    const id = await begin({ ...FILES, CODEOWNERS: RULES });
    const by = "git -c user.name=a -c user.email=a@b commit -qam";
    const script = `echo 2 > src/a.js; ${by} one; echo 1 > src/a.js; echo x > free.txt; ${by} two`;
    expect(await ownersOf(id, script)).toMatchObject({ sets: [{ owners: ["@ada", "@grace"] }] });
  });

  it("are looked for in GitHub's order, and a link is no file", async () => {
    const both = await begin({ ...FILES, CODEOWNERS: "* @root\n", "docs/CODEOWNERS": "* @docs\n" });
    expect(await ownersOf(both, "echo x > free.txt")).toMatchObject({ file: "CODEOWNERS" });
    const none = await begin({ ...FILES });
    expect(await ownersOf(none, "echo x > free.txt")).toEqual({ file: null, sets: [], unknown: [] });
    const linked = await begin({ ...FILES, "docs/CODEOWNERS": "* @docs\n" }, scene, "free.txt");
    expect(await ownersOf(linked, "echo x > free.txt")).toMatchObject({ file: "docs/CODEOWNERS" });
    const free = await begin({ ...FILES, "docs/CODEOWNERS": RULES });
    expect(await ownersOf(free, "echo x > free.txt")).toEqual({
      file: "docs/CODEOWNERS",
      sets: [],
      unknown: [],
    });
  });

  it("where the file is too large to be read nothing is proposed, and where owners do not count it is not read", async () => {
    const files = { ...FILES, CODEOWNERS: `#${"x".repeat(3 * 2 ** 20)}\n* @ada\n` };
    expect(await sealed(await begin(files), "echo x > free.txt")).toEqual({
      kind: "refused",
      message: "CODEOWNERS is too large to say who owns the files.",
    });
    expect(await ownersOf(await begin(files, off), "echo x > free.txt", off)).toBe(undefined);
  });
});

describe("owners of a checkout's changes", () => {
  it("are read the same way, for a pull request of it", async () => {
    const id = await begin({ ...FILES, ".github/CODEOWNERS": RULES });
    await scene.shell(id, "unrestricted", "echo '* @me' > .github/CODEOWNERS; echo 2 > src/a.js");
    const found = await scene.workspaces.changes.read(id, null, signal);
    expect(found).toMatchObject({
      kind: "changes",
      changed: { owners: { sets: [{ owners: ["@keeper"] }, { owners: ["@ada", "@grace"] }] } },
    });
  });
});
