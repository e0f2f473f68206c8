/** 39.A4: a draft is what was changed. Random repositories, in each of which one file is changed and exactly that file proposed. */

import { posix } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import type { DraftFile } from "../../src/thread/draft.ts";
import { isAll, ofWhole } from "../sample.ts";
import { testSeed } from "../seed.ts";
import { importCommits } from "./fast-import.ts";
import { createScene, startSandbox } from "./scene.ts";

/** No two are the same in any spelling. */
const NAMES = [
  "a.txt",
  "dir/b.ts",
  "with blank.md",
  "dir/[x]*.c",
  "tab\tname.txt",
  "naïve.txt",
  "файл.md",
  "dir/文件.ts",
  "می\u200cخواهم.txt",
  "forced.log",
  "vendor/lib.js",
  "-dash.txt",
  "quote'd.txt",
  "run.sh",
];

const ATTRIBUTES = [
  "text",
  "-text",
  "text=auto",
  "text eol=lf",
  "text eol=crlf",
  "ident",
  "working-tree-encoding=X-NO-SUCH",
  "filter=lfs diff=lfs merge=lfs -text",
  "filter=none-here",
  "binary",
  "export-ignore",
];

const content = fc.oneof(
  fc
    .array(
      fc.record({
        text: fc.constantFrom("one", "", "$Id$", "$Id: odd $", "größe", "日本", "\ufffd", "tab\there"),
        end: fc.constantFrom("\n", "\r\n", "\r"),
      }),
      { maxLength: 6 },
    )
    .map((lines) => Buffer.from(lines.map(({ text, end }) => text + end).join(""))),
  fc.constantFrom(
    Buffer.from("gr\u00f6\u00dfe\r\n", "latin1"),
    Buffer.from("\ufeffmarked\r\n"),
    Buffer.from("utf-16\r\n", "utf16le"),
    Buffer.from([0, 1, 2, 13, 10]),
  ),
);

const GITLINK = "1234567890123456789012345678901234567890";

const repository = fc.record({
  files: fc.uniqueArray(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          path: fc.constantFrom(...NAMES),
          content,
          mode: fc.constantFrom("100644" as const, "100755" as const),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          path: fc.constantFrom(...NAMES),
          content: fc.constantFrom("a.txt", "dir", "../dir", "no such file"),
          mode: fc.constant("120000" as const),
        }),
      },
    ),
    { minLength: 2, maxLength: NAMES.length, selector: ({ path }) => path },
  ),
  attributes: fc.array(
    fc
      .record({
        pattern: fc.constantFrom("*", "*.txt", "*.md", "dir/*", "*.log", "*.sh"),
        attribute: fc.constantFrom(...ATTRIBUTES),
      })
      .map(({ pattern, attribute }) => `${pattern} ${attribute}\n`),
    { maxLength: 3 },
  ),
  ignored: fc.subarray(["*.log", "vendor/", "*.txt", "dir/*"]),
  chosen: fc.nat(),
  submodules: fc.subarray(["lib/sub", "dir/sub"]),
  change: fc.constantFrom("write", "append", "mode", "remove", "rename", "link", "submodule"),
});

/**
 * The change that fits the file: a link has no mode, and would lead elsewhere from another directory. A repository may have no
 * submodule.
 */
const fitting = (change: string, isLink: boolean, canMoveSubmodule: boolean): string => {
  const wanted = change === "submodule" && !canMoveSubmodule ? "rename" : change;
  if (!isLink) return wanted;
  if (wanted === "rename") return "rename beside";
  return wanted === "append" || wanted === "mode" ? "link" : wanted;
};

const SCRIPTS: Readonly<Record<string, string>> = {
  // What a link leads to stays.
  write: `rm -- "$f"; printf 'another text of its own\\n' > "$f"`,
  append: `printf 'appended\\n' >> "$f"`,
  mode: `if [ -x "$f" ]; then chmod -x "$f"; else chmod +x "$f"; fi`,
  remove: `rm -- "$f"`,
  rename: `git mv -- "$f" moved.txt`,
  "rename beside": `git mv -- "$f" "\${f%/*}/moved.txt"`,
  link: `rm -- "$f"; ln -s 'another target' "$f"`,
  submodule: `git mv "$s" moved-sub`,
};

/** Seed 165160167: a file moves to a name that git ignores, in an encoding that does not exist. */
const IGNORED_AND_INCONVERTIBLE = {
  files: [
    { path: "run.sh", content: Buffer.from("\r\n"), mode: "100755" as const },
    { path: "dir/b.ts", content: Buffer.from("one\n"), mode: "100644" as const },
  ],
  attributes: ["* working-tree-encoding=X-NO-SUCH\n"],
  ignored: ["*.txt"],
  chosen: 0,
  submodules: [],
  change: "rename" as const,
};

it.for([
  ["a copy", 9_999],
  ["layers", 0],
] as const)(
  "39.A4 a draft of %s that changes one file proposes exactly that file; without a change nothing",
  // Some seconds a run: all of them take a quarter of an hour.
  { timeout: isAll ? 3_600_000 : 600_000 },
  async ([, layersFrom]) => {
    const sandbox = await startSandbox();
    await using scene = await createScene(sandbox, { draft: { bytes: 2 ** 30, entries: 9_999, layersFrom } });
    const { signal } = new AbortController();
    const { drafts } = scene.workspaces;
    let count = 0;
    try {
      await fc.assert(
        fc.asyncProperty(repository, async ({ files, attributes, ignored, chosen, submodules, change }) => {
          const id: ConversationId = `c-one${(count += 1)}`;
          const source = await scene.repository(`source${count}`);
          const modules = submodules.map(
            (path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = https://example.org/s.git\n`,
          );
          const settings = [
            { path: ".gitattributes", content: attributes.join("") },
            { path: ".gitignore", content: ignored.map((one) => `${one}\n`).join("") },
            ...(modules.length === 0 ? [] : [{ path: ".gitmodules", content: modules.join("") }]),
          ];
          const links = submodules.map((path) => ({ path, commit: GITLINK }));
          await importCommits(source, [
            { message: "all", files: [...files, ...settings], submodules: links },
          ]);
          await scene.base(id, source);
          await drafts.open(id, signal);
          expect(await drafts.seal(id, { title: "Nothing" }, signal)).toEqual({ kind: "unchanged" });
          const file = files[chosen % files.length];
          const path = file?.path ?? "";
          const [submodule = ""] = submodules;
          // git mv adds .gitmodules, which no git can do in an encoding that does not exist.
          const canMove = submodule !== "" && !attributes.includes("* working-tree-encoding=X-NO-SUCH\n");
          const done = fitting(change, file?.mode === "120000", canMove);
          const quoted = path.replaceAll("'", String.raw`'\''`);
          const ran = await scene.shell(id, "draft", `f='./${quoted}'; s='${submodule}'; ${SCRIPTS[done]}`);
          expect(ran.code, ran.text).toBe(0);
          const sealed = await drafts.seal(id, { title: "One file" }, signal);
          if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
          expect(movesOf(sealed.result.files)).toEqual(expectedOf(done, path, submodule));
        }),
        // Each run makes a repository: the first that fails says enough.
        {
          numRuns: ofWhole(60, 4),
          seed: testSeed(),
          endOnFailure: true,
          examples: [[IGNORED_AND_INCONVERTIBLE]],
        },
      );
    } finally {
      await sandbox.close();
    }
  },
);

/** Paths that are proposed. Git recognizes a moved file by its content: the path before stands beside it or alone. */
const movesOf = (files: readonly DraftFile[]): readonly string[] =>
  files.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])).toSorted();

const expectedOf = (done: string, path: string, submodule: string): readonly string[] => {
  if (done === "rename") return [path, "moved.txt"].toSorted();
  if (done === "rename beside") return [path, posix.join(posix.dirname(path), "moved.txt")].toSorted();
  if (done === "submodule") return [".gitmodules", submodule, "moved-sub"].toSorted();
  return [path];
};
