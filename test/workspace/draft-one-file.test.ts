/** 39.A4: a draft is what was changed. Random repositories, in each of which one file is changed and exactly that file proposed. */

import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationId } from "../../src/machine/id.ts";
import { ofWhole } from "../sample.ts";
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

const repository = fc.record({
  files: fc.uniqueArray(
    fc.record({
      path: fc.constantFrom(...NAMES),
      content,
      mode: fc.constantFrom("100644" as const, "100755" as const),
    }),
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
  change: fc.constantFrom("write", "append", "mode", "remove"),
});

const SCRIPTS: Readonly<Record<string, string>> = {
  write: `printf 'another text of its own\\n' > "$f"`,
  append: `printf 'appended\\n' >> "$f"`,
  mode: `if [ -x "$f" ]; then chmod -x "$f"; else chmod +x "$f"; fi`,
  remove: `rm -- "$f"`,
};

it.for([
  ["a copy", 9_999],
  ["layers", 0],
] as const)(
  "39.A4 a draft of %s that changes one file proposes exactly that file; without a change nothing",
  { timeout: 600_000 },
  async ([, layersFrom]) => {
    const sandbox = await startSandbox();
    await using scene = await createScene(sandbox, { draft: { bytes: 2 ** 30, entries: 9_999, layersFrom } });
    const { signal } = new AbortController();
    const { drafts } = scene.workspaces;
    let count = 0;
    try {
      await fc.assert(
        fc.asyncProperty(repository, async ({ files, attributes, ignored, chosen, change }) => {
          const id: ConversationId = `c-one${(count += 1)}`;
          const source = await scene.repository(`source${count}`);
          const settings = [
            { path: ".gitattributes", content: attributes.join("") },
            { path: ".gitignore", content: ignored.map((one) => `${one}\n`).join("") },
          ];
          await importCommits(source, [{ message: "all", files: [...files, ...settings] }]);
          await scene.base(id, source);
          await drafts.open(id, signal);
          expect(await drafts.seal(id, { title: "Nothing" }, signal)).toEqual({ kind: "unchanged" });
          const path = files[chosen % files.length]?.path ?? "";
          const quoted = path.replaceAll("'", String.raw`'\''`);
          const ran = await scene.shell(id, "draft", `f='./${quoted}'; ${SCRIPTS[change]}`);
          expect(ran.code, ran.text).toBe(0);
          const sealed = await drafts.seal(id, { title: "One file" }, signal);
          if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
          expect(sealed.result.files.map((file) => file.path)).toEqual([path]);
        }),
        { numRuns: ofWhole(60, 3), seed: testSeed() },
      );
    } finally {
      await sandbox.close();
    }
  },
);
