/** What a comment cites ships with the project: every citation of the code leads to an entry of docs/design. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../app/cli/host.ts";
import { rows } from "../requirements/rows.ts";
import { readPage } from "./told.ts";

const idsIn = (page: string, entry: RegExp): ReadonlySet<string> =>
  new Set([...readPage(`docs/design/${page}.md`).matchAll(entry)].map(([, id = ""]) => id));

const BOOKS = {
  D: idsIn("decisions", /^- \*\*(D\d+)\b/gm),
  L: idsIn("ideas", /^- \*\*(L\d+)\*\*/gm),
  C: idsIn("contradictions", /^- \*\*(C\d+)\*\*/gm),
  hazard: idsIn("hazards", /^- \*\*([SGMK]\d)\*\*/gm),
  TH: idsIn("threads", /^- \*\*(TH\d+)\*\*/gm),
  idea: idsIn("ideas", /^- \*\*Idea (\d)\./gm),
  source: new Set(readPage("docs/design/sources.md").match(/\b[A-Z]{3,5}-\d{3}\b/g)),
  row: new Set(rows.map(({ id }) => id)),
} as const;

/** Documents that are not part of the project, issues by number, and the like. */
const ELSEWHERE =
  /\b(?:design|platforms|requirements|contracts|thread|scale|house|style|peers)\.md\b|\bissues? \d+\b|\b\d\/9\b|\(9, (?:items? |profile|")/i;

const sources = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "src", "adapters", "sandbox", "bin", "packaging", "test"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter(
    (file) =>
      /\.(ts|js|c|h|css)$/.test(file) &&
      file !== "test/docs/citations.test.ts" &&
      existsSync(join(root, file)),
  );

/** The comments of a file, without what stands in backticks. */
const commentsOf = (text: string): string =>
  (text.match(/\/\*[^]*?\*\/|(?<![:"'`\w])\/\/.*$/gm) ?? []).join("\n").replaceAll(/`[^`\n]*`/g, "");

/** Citations of a text that lead nowhere. `whole`: of the file, whose own invariants it may name. */
const orphans = (comments: string, whole: string): readonly string[] => {
  const cited = (pattern: RegExp): readonly string[] =>
    [...comments.matchAll(pattern)].map(([, id = ""]) => id);
  const own = (id: string): boolean =>
    new RegExp(`^ \\* (?:.* )?${id} [A-Za-z]`, "m").test(whole) && !/^[DL]/.test(id);
  return [
    ...cited(/(?<![\w.-])(D\d{1,2})(?![\w.])/g).filter((id) => !BOOKS.D.has(id)),
    ...cited(/(?<![\w.-])(L\d{1,2})(?![\w.-])/g).filter((id) => !BOOKS.L.has(id)),
    ...cited(/(?<![\w.-])(C\d{1,2})(?![\w.])/g).filter((id) => !BOOKS.C.has(id) && !own(id)),
    ...cited(/(?<![\w.-])(TH\d{1,2})(?![\w.-])/g).filter((id) => !BOOKS.TH.has(id)),
    ...cited(/\bhazards? ([A-Z]\d)\b/g).filter((id) => !BOOKS.hazard.has(id)),
    ...cited(/\bidea (\d)\b/gi).filter((id) => !BOOKS.idea.has(id)),
    ...cited(/\b((?:BED|TUL|BASH|PATCH)-\d{3})\b/g).filter((id) => !BOOKS.source.has(id)),
    ...cited(/\brows? (\d+[a-z]?)\b/g).filter((id) => !BOOKS.row.has(id)),
    ...comments.split("\n").filter((line) => ELSEWHERE.test(line)),
  ];
};

describe("citations", () => {
  it("lead to an entry of docs/design", () => {
    const found = sources.flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return orphans(commentsOf(text), text).map((what) => `${file}: ${what.trim()}`);
    });
    expect(found).toEqual([]);
  });

  it("name pages that are there", () => {
    const known = new Set(
      ["", "docs", "docs/design", "deploy"].flatMap((folder) =>
        readdirSync(join(root, folder)).map((name) => name),
      ),
    );
    const found = sources
      .filter((file) => !file.startsWith("test/"))
      .flatMap((file) =>
        [
          ...commentsOf(readFileSync(join(root, file), "utf8")).matchAll(
            /\b(?:docs\/(?:design\/)?)([\w-]+\.md)\b/g,
          ),
        ]
          .filter(([, name = ""]) => !known.has(name))
          .map(([path]) => `${file}: ${path}`),
      );
    expect(found).toEqual([]);
  });

  it.each([
    ["D1 and L4 and C7, row 14, BED-005, idea 2, hazard S1", []],
    ["D99", ["D99"]],
    ["L40", ["L40"]],
    ["hazard Z9", ["Z9"]],
    ["BED-999", ["BED-999"]],
    ["row 999", ["999"]],
    ["see platforms.md A.1", ["see platforms.md A.1"]],
    ["issue 8 item 5", ["issue 8 item 5"]],
  ])("of %s: the test would notice", (comment, wanted) => {
    expect(orphans(comment, "")).toEqual(wanted);
  });
});
