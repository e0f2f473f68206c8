/** WG1 to WG4, 39.B7: a draft proposes what was changed in it, whatever attributes, ignore rules and names a repository has. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { visibleDiff } from "../../src/text/visible-diff.ts";
import { commit, createScene, git, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const { signal } = new AbortController();

/** Commits these bytes as they are, past every attribute. */
const commitRaw = async (repo: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> => {
  for (const [name, content] of Object.entries(files)) {
    const input = typeof content === "string" ? Buffer.from(content) : content;
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: repo, input })
      .toString()
      .trim();
    await git(repo, "update-index", "--add", "--cacheinfo", `100644,${blob},${name}`);
  }
  await git(repo, "commit", "--quiet", "--message", "raw");
  return git(repo, "rev-parse", "HEAD");
};

const WAYS = [
  ["a copy", 9_999],
  ["layers", 0],
] as const;

const sceneOf = (layersFrom: number): Promise<Scene> =>
  createScene(sandbox, { draft: { bytes: 2 ** 30, entries: 9_999, layersFrom } });

const seal = async (scene: Scene, id: ConversationId, script: string) => {
  const { drafts } = scene.workspaces;
  await drafts.open(id, signal);
  const ran = await scene.shell(id, "draft", script);
  expect(ran.code, ran.text).toBe(0);
  return drafts.seal(id, { title: "A change" }, signal);
};

const sealedOf = async (scene: Scene, id: ConversationId, script: string) => {
  const sealed = await seal(scene, id, script);
  if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
  return sealed.result;
};

const ODD = {
  "crlf.txt": "one\r\ntwo\r\n",
  "eol.lf": "one\r\ntwo\r\n",
  "eol.crlf": "one\r\nmixed\ntwo\r\n",
  "id.ident": "$Id: not an id of git $\n",
  "a name.odd": "x\n",
  "b[1]*.odd": "x\n",
  "wide.u16": "no bytes of that encoding\n",
  "has a bom.u16le": Buffer.from("\uFEFFa\n"),
  "f.filtered": "one\r\n",
  "plain.bin": Buffer.from([0, 1, 13, 10, 255]),
};
const ATTRIBUTES = `*.txt text
*.lf eol=lf
*.crlf text eol=crlf
*.ident ident
*.odd working-tree-encoding=no-such-encoding
*.u16 working-tree-encoding=UTF-16
*.u16le working-tree-encoding=UTF-16LE
*.filtered filter=lfs text
`;

it.for(WAYS)(
  "WG1 no attribute puts an unchanged file into a draft of %s, and a changed one is proposed alone",
  async ([, layersFrom]) => {
    await using scene = await sceneOf(layersFrom);
    const repo = await scene.repository("shop");
    const base = await commitRaw(repo, { ...ODD, ".gitattributes": ATTRIBUTES, "main.ts": "one\n" });
    await scene.base("c-odd", repo);
    expect(await seal(scene, "c-odd", "true")).toEqual({ kind: "unchanged" });
    const { tree, files } = await sealedOf(scene, "c-odd", "touch *; echo two >> main.ts");
    expect(files.map(({ path }) => path)).toEqual(["main.ts"]);
    expect(await scene.workspaces.drafts.apply("c-odd", { tree, base }, signal)).toMatchObject({ tree });
    // Not `git status`: it calls such files changed whenever it reads them again, here as after a plain clone.
    const landed = await scene.shell("c-odd", "restricted", "git rev-parse 'HEAD^{tree}'");
    expect(landed.text).toBe(tree);
    // A second change, of the checkout that was applied.
    const again = await sealedOf(scene, "c-odd", "printf 'three\\n' >> id.ident");
    expect(again.files.map(({ path }) => path)).toEqual(["id.ident", "main.ts"]);
    expect(await scene.workspaces.drafts.apply("c-odd", { tree: again.tree, base }, signal)).toMatchObject({
      tree: again.tree,
    });
  },
);

it("WG1 attributes that a draft itself changes touch no other file, and none makes it impossible", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  const base = await commitRaw(repo, { "a.txt": "one\r\n", "b.txt": "two\r\n" });
  await scene.base("c-new", repo);
  const attributes = "* text eol=lf working-tree-encoding";
  const { tree, files } = await sealedOf(scene, "c-new", `echo '${attributes}' > .gitattributes`);
  expect(files.map(({ path }) => path)).toEqual([".gitattributes"]);
  expect((await scene.workspaces.drafts.tree("c-new", signal)).kind).toBe("tree");
  expect(tree).not.toBe(base);
});

it.for(WAYS)(
  "WG2 a draft of %s has the ignored files that git add -f names, and tracked files that .gitignore matches",
  async ([, layersFrom]) => {
    await using scene = await sceneOf(layersFrom);
    const repo = await scene.repository("shop");
    const base = await commitRaw(repo, {
      ".gitignore": "*.log\nbuild/\n",
      "kept.log": "one\n",
      "a.ts": "one\n",
    });
    await scene.base("c-force", repo);
    const script = `echo two >> kept.log; mkdir build; echo x > build/left.js; echo y > 'build/ü taken.js'; echo z > no.log
      git add -f 'build/ü taken.js'`;
    const { tree, files, diff } = await sealedOf(scene, "c-force", script);
    expect(files.map(({ path }) => path)).toEqual(["build/ü taken.js", "kept.log"]);
    expect(diff).toContain("diff --git a/build/ü taken.js b/build/ü taken.js");
    const applied = await scene.workspaces.drafts.apply("c-force", { tree, base }, signal);
    expect(applied).toMatchObject({ kind: "applied", tree });
    const ran = await scene.shell("c-force", "restricted", "git status --porcelain; find build -type f");
    expect(ran.text).toBe("build/ü taken.js");
  },
);

it("WG3 git commit works in a draft, with the configured name", async () => {
  await using scene = await createScene(sandbox, {
    identity: { name: "Ada's bot", email: "bot@example.org" },
  });
  const repo = await scene.repository("shop");
  await commitRaw(repo, { "a.ts": "one\n" });
  await scene.base("c-commit", repo);
  const script =
    "echo two >> a.ts; git commit -qam 'Say two'; git log -1 --format='%an <%ae>' > who; rm who; git log -1 --format='%an <%ae>'";
  await scene.workspaces.drafts.open("c-commit", signal);
  const ran = await scene.shell("c-commit", "draft", script);
  expect(ran).toEqual({ code: 0, text: "Ada's bot <bot@example.org>" });
  const { commits } = await sealedOf(scene, "c-commit", "true");
  expect(commits.map(({ title }) => title)).toEqual(["Say two"]);
});

const NAMES = [
  "می\u200cخواهم.md",
  "क्\u200dष.txt",
  "👩\u200d💻.md",
  "x².ts",
  "１.md",
  "1.md",
  "文件.txt",
  "ﬁ.txt",
  "fi.txt",
  "ısı.txt",
  "isi.txt",
  "e\u0301.txt",
];

it("WG4 names in any script are proposed and shown as they are; a change of an odd one is, too", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  const base = await commitRaw(repo, { "a\tb.txt": "one\n", "Icon\r": "one\n", "gone ü.txt": "one\n" });
  await scene.base("c-names", repo);
  const made = NAMES.map((name) => `echo x > '${name}'`).join("; ");
  const { tree, files, diff } = await sealedOf(
    scene,
    "c-names",
    `${made}; rm 'gone ü.txt'; for f in a*b.txt Icon*; do echo two >> "$f"; done`,
  );
  expect(files.map(({ path }) => path).toSorted()).toEqual(
    [...NAMES, "a\tb.txt", "Icon\r", "gone ü.txt"].toSorted(),
  );
  for (const name of NAMES) expect(diff).toContain(`+++ b/${name}`);
  expect(diff).toContain("--- a/gone ü.txt");
  expect(diff).not.toMatch(/\\\d{3}/);
  expect(await scene.workspaces.drafts.apply("c-names", { tree, base }, signal)).toMatchObject({ tree });
});

it("WG4 a name in Latin-1 bytes can be changed", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  writeFileSync(
    Buffer.concat([Buffer.from(join(repo, "na")), Buffer.from([0xef]), Buffer.from("ve.txt")]),
    "one\n",
  );
  await git(repo, "add", "--all");
  await git(repo, "commit", "--quiet", "--message", "latin");
  const base = await git(repo, "rev-parse", "HEAD");
  await scene.base("c-latin", repo);
  const { tree, filesInAll } = await sealedOf(scene, "c-latin", 'for f in na*; do echo two >> "$f"; done');
  expect(filesInAll).toBe(1);
  expect(await scene.workspaces.drafts.apply("c-latin", { tree, base }, signal)).toMatchObject({ tree });
});

it.for([
  [
    "echo x > README.md; echo x > ReadMe.md",
    `"README.md" and "ReadMe.md" are the same file on many machines.`,
  ],
  ["echo x > '\u00e9.md'; echo x > 'e\u0301.md'", `"é.md" and "é.md" are the same file`],
  ["echo x > 'pay\u200bload.ts'", `"pay[U+200B]load.ts"`],
  ["echo x > '文\u202egpj.ts'", `"文[U+202E]gpj.ts"`],
  ["echo x > 'a\u200cb.ts'", `"a[U+200C]b.ts"`],
] as const)("WG4 refuses twins and deceptive names readably: %s", async ([script, message]) => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  await commitRaw(repo, { "a.ts": "one\n" });
  await scene.base("c-bad", repo);
  const sealed = await seal(scene, "c-bad", script);
  expect(sealed).toMatchObject({ kind: "refused" });
  expect(sealed.kind === "refused" ? sealed.message.normalize("NFC") : "").toContain(
    message.normalize("NFC"),
  );
});

const SUB = "1111111111111111111111111111111111111111";

const withSubmodule = async (scene: Scene): Promise<{ repo: string; base: string }> => {
  const repo = await scene.repository("shop");
  await git(repo, "update-index", "--add", "--cacheinfo", `160000,${SUB},lib/sub`);
  const modules = `[submodule "sub"]\n\tpath = lib/sub\n\turl = https://example.org/sub.git\n`;
  return { repo, base: await commitRaw(repo, { ".gitmodules": modules, "a.ts": "one\n" }) };
};

it("39.B7 a submodule that git mv moved is proposed as moved, and applied", async () => {
  await using scene = await sceneOf(0);
  const { repo, base } = await withSubmodule(scene);
  await scene.base("c-sub", repo);
  const { tree, files } = await sealedOf(scene, "c-sub", "mkdir vendor; git mv lib/sub vendor/sub");
  expect(files.map(({ path, from, change }) => [path, from, change])).toEqual([
    [".gitmodules", undefined, "changed"],
    ["vendor/sub", "lib/sub", "added"],
  ]);
  expect(await scene.workspaces.drafts.apply("c-sub", { tree, base }, signal)).toMatchObject({ tree });
  const { text } = await scene.shell(
    "c-sub",
    "restricted",
    "git ls-files -s vendor/sub; git status --porcelain",
  );
  expect(text).toBe(`160000 ${SUB} 0\tvendor/sub`);
});

it("39.B7 a submodule that mv moved is refused with the way out; git rm removes one", async () => {
  await using scene = await sceneOf(0);
  const { repo } = await withSubmodule(scene);
  await scene.base("c-mv", repo);
  expect(await seal(scene, "c-mv", "mkdir vendor; mv lib/sub vendor/sub")).toEqual({
    kind: "refused",
    message: `"lib/sub" is a submodule whose directory is missing, but git still lists it: move it with git mv, or remove it with git rm.`,
  });
  const { files } = await sealedOf(scene, "c-mv", "git rm -q --cached lib/sub; rm -rf vendor");
  expect(files.map(({ path, change }) => [path, change])).toEqual([["lib/sub", "deleted"]]);
});

it("WG6 a moved file is proposed as moved, with both names; one that is deleted beside a new one is not", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");
  await commitRaw(repo, { "old/a.ts": lines, "gone.ts": "nothing alike\n" });
  await scene.base("c-move", repo);
  const { files, filesInAll, added, removed, diff } = await sealedOf(
    scene,
    "c-move",
    "mkdir new; mv old/a.ts 'new/b c.ts'; echo more >> 'new/b c.ts'; rm gone.ts; echo other > fresh.ts",
  );
  expect(files).toEqual([
    { path: "fresh.ts", change: "added", added: 1, removed: 0 },
    { path: "gone.ts", change: "deleted", added: 0, removed: 1 },
    { path: "new/b c.ts", from: "old/a.ts", change: "added", added: 1, removed: 0 },
  ]);
  expect([filesInAll, added, removed]).toEqual([3, 2, 1]);
  expect(diff).toContain("rename from old/a.ts\nrename to new/b c.ts\n");
  expect(diff).toContain("+more\n");
  expect(diff).not.toContain("+line 1\n");
});

it("WG6 bytes that are no UTF-8 stand in the difference as they are, and U+FFFD as itself", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  await commitRaw(repo, { "latin.txt": Buffer.from("gr\u00fcn\n", "latin1"), "replaced.txt": "\ufffd\n" });
  await scene.base("c-bytes", repo);
  const script = String.raw`printf 'gr\xf6n\n' > latin.txt; printf '\xef\xbf\xbd\xff\n' > replaced.txt`;
  const { diff } = await sealedOf(scene, "c-bytes", script);
  const shown = visibleDiff(diff, "");
  expect(shown).toContain("-gr[0xFC]n\n+gr[0xF6]n\n");
  expect(shown).toContain("-\ufffd\n+\ufffd[0xFF]\n");
});

it("WG6 the patch of a change is exact: U+FFFD is a character, and bytes that are no UTF-8 stay these bytes", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  const base = await commitRaw(repo, {
    "replaced.txt": "\ufffd\n",
    "latin.txt": Buffer.from("gr\u00fcn\r\n", "latin1"),
  });
  await scene.base("c-patch", repo);
  const script = String.raw`printf '\xef\xbf\xbd two\n' > replaced.txt; printf 'gr\xf6n\r\n' > latin.txt; printf '\0\377' > new.bin`;
  const { tree } = await sealedOf(scene, "c-patch", script);
  const patch = await scene.workspaces.drafts.patch("c-patch", { tree, base }, signal);
  execFileSync("git", ["apply", "--index"], { cwd: repo, input: patch ?? "" });
  expect(await git(repo, "write-tree")).toBe(tree);
});

it("39.A4 a link that leads out may move as long as it leads to the same place; no new one may", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  const links = { out: "../x", "dir/deep": "../../x", absolute: "/etc/hosts", hooks: "sub/.git/hooks" };
  mkdirSync(join(repo, "dir"));
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(repo, path));
  await commit(repo, { "a.txt": "one\n" });
  let count = 0;
  const sealAfter = async (script: string) => {
    const id: ConversationId = `c-link${(count += 1)}`;
    await scene.base(id, repo);
    return seal(scene, id, script);
  };
  const moved = await sealAfter(
    "git mv out moved; mkdir far; mv dir/deep far/deep; mv absolute far/away; ln -s ../a.txt far/in",
  );
  expect(moved).toMatchObject({ kind: "sealed", result: { filesInAll: 4 } });
  const { delicate, files } = moved.kind === "sealed" ? moved.result : { delicate: [], files: [] };
  expect(files.map(({ path, from }) => [path, from])).toEqual([
    ["far/away", "absolute"],
    ["far/deep", "dir/deep"],
    ["far/in", undefined],
    ["moved", "out"],
  ]);
  expect(delicate.map(({ why }) => why)).toEqual(["link", "link", "link", "link"]);
  for (const script of [
    // A second one, one that leads elsewhere from there, one with another target, and one into a repository.
    "cp -P out second",
    "mv dir/deep deep",
    "rm out; ln -s ../y moved",
    "mv hooks moved",
  ])
    expect(await sealAfter(script), script).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("leads out"),
    });
});

const pointer = (digit: string): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12345\n`;

it("WG6 a pointer of Git LFS that a draft replaces by content is named on the card; one for another file is not", async () => {
  await using scene = await sceneOf(0);
  const repo = await scene.repository("shop");
  await commitRaw(repo, {
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "content.bin": pointer("1"),
    "broken.bin": pointer("2"),
    "other.bin": pointer("3"),
    "gone.bin": pointer("4"),
    "moved.bin": pointer("5"),
    "text.md": `A pointer begins with\n${pointer("6")}`,
    "empty.txt": "",
    "latin.txt": Buffer.from("gr\u00fcn\n", "latin1"),
  });
  await scene.base("c-lfs", repo);
  const { delicate, commits } = await sealedOf(
    scene,
    "c-lfs",
    `as='git -c user.name=x -c user.email=x@y commit -qm'
    head -c 2000 /dev/zero | tr '\\0' a > content.bin; git add content.bin; $as Content
    sed -i 's/^oid.*/oid unknown/' broken.bin; sed -i 's/3333/7777/' other.bin; git rm -q gone.bin; git mv moved.bin away.bin
    echo text > text.md; echo text > empty.txt; echo text > latin.txt`,
  );
  expect(commits).toHaveLength(2);
  expect(delicate.filter(({ why }) => why === "pointer").map(({ path }) => path)).toEqual([
    "content.bin",
    "broken.bin",
  ]);
});
