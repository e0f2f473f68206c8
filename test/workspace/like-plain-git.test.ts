/**
 * 39.B: ten generated repositories, one of each kind that was found to be misread. Plain git is the measure: a clone of the
 * same repository answers the same commands, byte by byte, and a draft proposes the tree that `git add` makes of the same change.
 */

import { execFile } from "node:child_process";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import { createResolveExecution } from "../../src/tools/resolve-execution.ts";
import { createSearchTool, findRipgrep } from "../../src/tools/search/keyword-search.ts";
import { sandboxPathOf } from "../../src/workspace/disk/layout.ts";
import { testSeed } from "../seed.ts";
import { importCommits, type ImportedCommit, type ImportedFile, longHistory } from "./fast-import.ts";
import { conversation, createScene, git, noise, type Scene, startSandbox } from "./scene.ts";

interface Kind {
  readonly commits: fc.Arbitrary<readonly ImportedCommit[]>;
  /** The file that is blamed, and changed in the draft. */
  readonly file: string;
  /** Shell; `$f` is the file. Absent: a line is appended. */
  readonly change?: string;
}

/** A word that every kind holds somewhere, and that is searched for. */
const WORD = "needle";
const LIMIT = 2 ** 16;

const line = fc.constantFrom("one", "", "a needle here", "größe", "日本", "  indented", "$Id$", "tab\there");
const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => `${lines.join("\n")}\n`);
const mixed = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.flat().join(""));

const needled = text.map((lines) => `${lines}${WORD}\n`);

/** A commit with these files, then one that appends to each of them. */
const written = (
  paths: readonly string[],
  content: fc.Arbitrary<string | Uint8Array> = text,
  beside: readonly ImportedFile[] = [],
): fc.Arbitrary<readonly ImportedCommit[]> =>
  fc.tuple(...paths.map((path) => content.map((bytes) => ({ path, content: bytes })))).map((files) => [
    { message: "begin", files: [...beside, ...files, { path: "word.txt", content: `a ${WORD}\n` }] },
    {
      message: "append",
      files: files.map(({ path, content: bytes }) => ({
        path,
        content: Buffer.concat([Buffer.from(bytes), Buffer.from("appended\r\n")]),
      })),
    },
  ]);

const GITLINK = "1234567890123456789012345678901234567890";

const KINDS: Readonly<Record<string, Kind>> = {
  "files larger than a draft may add": {
    commits: written(
      ["a.txt"],
      text,
      [1, 2, 3].map((at) => ({ path: `large${at}.bin`, content: `${at}${noise(LIMIT)}` })),
    ),
    file: "a.txt",
  },
  "many commits": {
    commits: fc
      .integer({ min: 1_000, max: 1_200 })
      .map((count) => [
        ...longHistory(60, count),
        { message: "word", files: [{ path: "word.txt", content: `a ${WORD}\n` }] },
      ]),
    file: "src/area0/part0/file0.ts",
    change: `echo 'a needle' > "$f"`,
  },
  "names with blanks, brackets and in many scripts": {
    commits: written([
      "docs/Bug fix [2].md",
      "a (copy), b=c.txt",
      "файл.md",
      "文件/日本.ts",
      "می\u200cخواهم.txt",
      "tab\tname.txt",
      'quote"d.txt',
      "back\\slash.txt",
      "-dash.txt",
      "*.star",
    ]),
    file: "docs/Bug fix [2].md",
  },
  "attributes, filters and encodings": {
    commits: written(
      ["a.txt", "b.lf", "c.crlf", "d.ident", "e.filtered", "f.lfs", "g.none", "left-out.txt"],
      mixed,
      [
        {
          path: ".gitattributes",
          content:
            "*.txt text\n*.lf text eol=lf\n*.crlf text eol=crlf\n*.ident ident\n*.filtered filter=nothing-here\n*.lfs filter=lfs diff=lfs merge=lfs -text\n*.none working-tree-encoding=X-NO-SUCH\n*.u16 text working-tree-encoding=UTF-16LE\nleft-out.txt export-ignore\n",
        },
        { path: "wide.u16", content: "utf-8 in git\nutf-16 here\n" },
      ],
    ),
    file: "b.lf",
  },
  "modes and symbolic links": {
    commits: written(["run.sh", "dir/plain.txt"], text, [
      { path: "tool", content: "#!/bin/sh\n", mode: "100755" },
      { path: "to-file", content: "run.sh", mode: "120000" },
      { path: "dir/to-dir", content: "../dir", mode: "120000" },
      { path: "to-nothing", content: "no such file", mode: "120000" },
      { path: "to-outside", content: "/etc/passwd", mode: "120000" },
    ]),
    file: "run.sh",
    change: `chmod +x "$f"`,
  },
  "ignored files that are tracked": {
    commits: written(["forced.log", "vendor/lib.js", "kept.txt"], needled, [
      { path: ".gitignore", content: "*.log\nvendor/\n" },
      { path: ".ignore", content: "kept.txt\n" },
    ]),
    file: "forced.log",
  },
  "a submodule": {
    commits: written(["a.txt"], text, [
      {
        path: ".gitmodules",
        content: '[submodule "s"]\n\tpath = lib/s\n\turl = https://example.org/s.git\n',
      },
    ]).map(([first, ...rest]) => [
      {
        message: "begin",
        files: [],
        ...first,
        submodules: [{ path: "lib/s", commit: GITLINK }],
      },
      ...rest,
    ]),
    file: "a.txt",
  },
  "CRLF, U+FFFD, UTF-16 and bytes of no encoding": {
    commits: written(["crlf.txt", "mixed.txt"], mixed, [
      { path: "replaced.txt", content: `\ufffd ${WORD} \ufffd\n` },
      { path: "latin.txt", content: Buffer.from(`gr\u00f6\u00dfe ${WORD}\r\n`, "latin1") },
      { path: "wide.txt", content: Buffer.from("\ufeffutf-16\r\n", "utf16le") },
      { path: "marked.txt", content: `\ufeff${WORD}\n` },
      { path: "far.txt", content: `${"far\n".repeat(2_500)}\0\n${WORD}\n` },
      { path: "near.bin", content: Buffer.from([0, 1, 2, 13, 10, 255]) },
    ]),
    file: "replaced.txt",
  },
  "odd old commits": {
    commits: written(["a.txt"]).map((commits) => [
      { message: "odd\0message", files: [{ path: "old.txt", content: "old\n" }] },
      {
        message: "long",
        files: [{ path: "old/.gitattributes", content: `*.txt ${"x".repeat(3_000)}\n` }],
      },
      { message: "", removed: ["old/.gitattributes"], files: [] },
      ...commits,
    ]),
    file: "a.txt",
  },
  "renames and deep directories": {
    commits: fc.tuple(text, fc.integer({ min: 10, max: 40 })).map(([content, depth]) => {
      const deep = Array.from({ length: depth }, (_, at) => `d${at}`).join("/");
      const same = `${content}${"a line that stays\n".repeat(20)}a ${WORD}\n`;
      return [
        { message: "begin", files: [{ path: "first.txt", content: same }] },
        { message: "down", moved: [{ from: "first.txt", to: `${deep}/second.txt` }], files: [] },
        { message: "up", moved: [{ from: "d0", to: "up" }], files: [] },
        {
          message: "split",
          removed: [`up${deep.slice(2)}/second.txt`],
          files: [
            { path: "third.txt", content: `${same}more\n` },
            { path: "up/third.txt", content: same },
          ],
        },
      ];
    }),
    file: "third.txt",
  },
};

/** What people and models ask of a checkout. Long answers count by their hash. */
const REPORT = String.raw`
part() { printf '\n== %s\n' "$*"; "$@" 2>&1; printf '(status %s)\n' "$?"; }
hashed() { printf '\n== %s\n' "$*"; "$@" 2>&1 | sha256sum; }
entries() { find . -mindepth 1 -path ./.git -prune -o -printf '%y %P > %l\n' | LC_ALL=C sort; }
executable() { find . -path ./.git -prune -o -type f -perm -100 -print | LC_ALL=C sort; }
bytes() { find . -path ./.git -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; }
exported() { git archive HEAD | tar -t; }
{
  part entries; part executable; part bytes; part exported
  part git status --porcelain --branch --untracked-files=all --ignored
  part git for-each-ref
  part git rev-parse HEAD origin/HEAD '@{u}'
  part git ls-files -s --eol
  part git diff HEAD
  part git blame -s "$f"
  part git log --oneline --follow -M -- "$f"
  part git grep -n "$word"
  hashed git log --all -z --raw -M --no-abbrev --format='%H %T %P %an %ae %at %cn %ce %ct %D%n%B'
  hashed git cat-file --batch-all-objects --batch-check
} | base64 -w 0`;

const DRAFTED = ["--find-renames", "--no-ext-diff", "--no-textconv", "--no-color"] as const;
const { signal } = new AbortController();
const run = promisify(execFile);

let sandbox: Sandbox;
let scene: Scene;
beforeAll(async () => {
  sandbox = await startSandbox();
  // Some of them are copied, the larger ones stand in layers.
  const draft = { bytes: 2 ** 30, entries: 9_999, layersFrom: 40 };
  scene = await createScene(sandbox, { maxPackBytes: LIMIT, draft });
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

it.for(Object.entries(KINDS).map(([name, kind], at) => [name, { ...kind, at }] as const))(
  "39.B a repository with %s is as plain git has it: checkout, status, log, blame, searches and a draft",
  async ([, { commits, file, change = `printf 'changed\n' >> "$f"`, at }]) => {
    const [history = []] = fc.sample(commits, { numRuns: 1, seed: testSeed() + at });
    const id: ConversationId = `c-plain${at}`;
    const source = await scene.repository(`source${at}`);
    const head = await importCommits(source, history);
    const plain = await cloned(source, `plain${at}`);
    expect((await scene.base(id, source)).commit).toBe(head);

    const names = `f=${quoted(file)} word=${WORD}`;
    const ours = (await scene.shell(id, "restricted", names + REPORT)).text;
    expect(decoded(ours)).toBe(decoded(await inPlain(plain, names + REPORT)));

    expect(await searched(id)).toEqual(await grepped(plain));

    await scene.workspaces.drafts.open(id, signal);
    const edit = `f=${quoted(`./${file}`)}; ${change}`;
    expect(await scene.shell(id, "draft", edit)).toEqual({ code: 0, text: "" });
    const sealed = await scene.workspaces.drafts.seal(id, { title: "One file" }, signal);
    await inPlain(plain, edit);
    await git(plain, "add", "--all");
    const diff = await gitText(plain, "-c", "core.quotePath=false", "diff", "--cached", ...DRAFTED, "HEAD");
    expect(sealed).toMatchObject({
      kind: "sealed",
      result: {
        base: head,
        files: [{ path: file }],
        filesInAll: 1,
        tree: await git(plain, "write-tree"),
        diff,
      },
    });
  },
);

/** As a clone whose checkout took longer than a second: its index is younger than every file, and status reads none again. */
const cloned = async (source: string, name: string): Promise<string> => {
  const plain = join(scene.root, name);
  await git(scene.root, "clone", "--quiet", "--no-local", source, plain);
  const later = Date.now() / 1_000 + 2;
  await utimes(join(plain, ".git/index"), later, later);
  return plain;
};

const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
};

const inPlain = async (cwd: string, script: string): Promise<string> => {
  const args = ["--noprofile", "--norc", "-c", script];
  return (await run("/bin/bash", args, { cwd, env: ENVIRONMENT, maxBuffer: 2 ** 24 })).stdout.trim();
};

const gitText = async (cwd: string, ...args: readonly string[]): Promise<string> =>
  (await run("git", args, { cwd, env: ENVIRONMENT, maxBuffer: 2 ** 24 })).stdout;

const decoded = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");

const quoted = (name: string): string => `'${name.replaceAll("'", String.raw`'\''`)}'`;

/** Places of the word, as `keyword_search` tells them. */
const searched = async (id: ConversationId): Promise<readonly string[]> => {
  const ripgrep = await findRipgrep();
  if (ripgrep === null) throw new Error("this machine has no ripgrep");
  const findPlace = createResolveExecution(scene.workspaces, sandbox.probe, ripgrep);
  const tool = createSearchTool(sandbox, findPlace, `${sandboxPathOf(sandbox, ripgrep)}/rg`);
  const outcome = await tool.run({ search_terms: [WORD] }, callOf(id));
  return placesIn(z.string().parse(outcome.text), /^(.*):(\d+):/);
};

const grepped = async (plain: string): Promise<readonly string[]> =>
  placesIn(await gitText(plain, "grep", "--null", "-n", "-I", "-i", "-F", WORD), /^(.*)\0(\d+)\0/);

const placesIn = (answer: string, place: RegExp): readonly string[] =>
  answer
    .split("\n")
    .flatMap((each) => {
      const [, path, number] = place.exec(each) ?? [];
      return path === undefined ? [] : [`${path} ${number}`];
    })
    .toSorted();

const callOf = (id: ConversationId) => ({
  conversation: conversation(id, { kind: "path", location: "/nowhere" }, null),
  base: { commit: "", ref: "main", cwd: "/work" },
  permission: "restricted" as const,
  grants: [],
  safeMode: false,
  signal,
});
