/** A pull request as the model reads it: a large one is cut with a sentence, and the rest is read by name. */

import { describe, expect, it } from "vitest";
import type { Pull } from "../../../../src/features/forge/ports/project.ts";
import { pullResultText } from "../../../../src/features/forge/tools/result-texts.ts";

const file = (no: number, patch: string | null) => ({
  path: `src/file${no}.ts`,
  status: "modified",
  added: 1,
  removed: 0,
  patch,
});

const pullWith = (files: Pull["files"]): Pull => ({
  number: 2,
  title: "Try three times",
  text: "",
  author: "cy",
  at: 1,
  state: "open",
  url: "https://github.com/acme/shop/pull/2",
  base: "main",
  head: "fix",
  headCommit: "d".repeat(40),
  fork: "cy/shop",
  added: files.length,
  removed: 0,
  filesInAll: files.length,
  files,
  reviews: [],
  reviewsLeft: 0,
});

const SIGN = { pullSign: "#" } as const;
const CUT = "[Not all changes fit. read_pull_request with `files` reads the rest.]";

describe("a pull request", () => {
  it("whose changes fit is told completely", () => {
    const text = pullResultText(pullWith([file(1, "@@ -0,0 +1 @@\n+one")]), SIGN);
    expect(text).toContain("from the fork cy/shop");
    expect(text).toContain("| +one");
    expect(text).not.toContain(CUT);
  });

  it("that is large is cut with a sentence, and each file that was left out is read by its name", () => {
    const files = Array.from({ length: 40 }, (_, no) =>
      file(no, `@@ -0,0 +1,90 @@\n${`+line ${no} ${"x".repeat(60)}\n`.repeat(90)}+end of ${no}`),
    );
    const whole = pullResultText(pullWith(files), SIGN);
    expect(whole).toContain(CUT);
    expect(whole).not.toContain("end of 39");
    const rest = pullResultText(pullWith(files), SIGN, ["src/file39.ts", "src/none.ts"]);
    expect(rest).toContain("end of 39");
    expect(rest).toContain("[1 path not among the files of the pull request]");
    expect(rest).not.toContain("end of 38");
  });

  it("without a diff from the forge says so, and does not offer to read the rest", () => {
    const text = pullResultText(pullWith([file(1, null)]), SIGN);
    expect(text).toContain("The forge shows no changes (binary or too large) of: src/file1.ts");
    expect(text).not.toContain(CUT);
  });
});
