/** D42: the host's own lines about a draft, as people read them. */

import { describe, expect, it } from "vitest";
import type { DraftResult } from "../../src/thread/draft.ts";
import type { DraftReference } from "../../src/thread/prompt.ts";
import { draftFacts, draftProposal, proposalFacts } from "../../src/thread/proposal.ts";
import { english } from "../../src/i18n/say.ts";

const draft: DraftReference = {
  tree: "a".repeat(40),
  base: "b".repeat(40),
  added: 1,
  removed: 0,
  diff: "",
  isDiffCut: false,
  delicate: [],
  test: null,
  commits: [{ title: "All", tree: "a".repeat(40) }],
};
const told = (more: Partial<DraftReference>): readonly string[] =>
  draftFacts({ ...draft, ...more }, { code: (text) => `\`${text}\``, say: english }, 2).slice(0, -1);

describe("a draft", () => {
  it("of one commit on a branch that stands still has no line for either", () => {
    expect(told({})).toEqual([]);
  });

  it("of several commits names each with its size and tree, as far as there is room", () => {
    const one = { title: "One", tree: "c".repeat(40), files: 1, added: 2, removed: 3 };
    expect(told({ commits: [one, { ...one, files: 2 }, ...draft.commits] })).toEqual([
      "Commit 1 of 3: `One`, 1 file, +2 −3, tree `ccccccccc`",
      "Commit 2 of 3: `One`, 2 files, +2 −3, tree `ccccccccc`",
      "and 1 more commit",
    ]);
  });

  it("WG6 that replaces a pointer of Git LFS warns in one line", () => {
    const paths = ["a.bin", "b.bin", "c.bin"];
    expect(told({ delicate: paths.map((path) => ({ why: "pointer", path })) })).toEqual([
      "Look twice: Git LFS pointer replaced by other content `a.bin`, `b.bin` and 1 more.",
    ]);
  });

  it("whose branch has moved says by what, and what comes of it", () => {
    const moved = { ref: "main", count: 3, titles: ["A", "B"], merges: true };
    expect(told({ moved })).toEqual([
      "`main` now has 3 newer commits: `A`, `B` and 1 more. The change still merges cleanly.",
    ]);
    expect(told({ moved: { ...moved, count: 1, titles: ["A"], merges: false } })).toEqual([
      "`main` now has 1 newer commit: `A`. The change now conflicts with the newer commits. Start a new draft from the current branch, in a new thread.",
    ]);
  });
});

const file = (path: string): DraftResult["files"][number] => ({
  path,
  change: "changed",
  added: 1,
  removed: 2,
});
const facts = (files: DraftResult["files"], filesInAll = files.length): readonly string[] => {
  const proposal = draftProposal("acme/api", { title: "T", summary: "S" }, { ...draft, files, filesInAll });
  return proposalFacts({ kind: "proposal", proposal }, { code: (text) => `\`${text}\``, say: english }, 2);
};
const where = "In `acme/api`, on top of `bbbbbbbbb`, tree `aaaaaaaaa`";

describe("the files of a draft", () => {
  it("WG6 a moved one is named with both names; a new one with its own", () => {
    const moved = { path: "new.ts", from: "old.ts", change: "added", added: 1, removed: 0 } as const;
    expect(facts([moved])).toEqual([where, "Changes `old.ts` → `new.ts` (renamed, +1 −0)"]);
    expect(facts([{ ...moved, added: 0 }])).toEqual([where, "Changes `old.ts` → `new.ts` (renamed)"]);
    const { from: _, ...added } = moved;
    expect(facts([added])).toEqual([where, "Changes `new.ts` (new, +1 −0)"]);
  });

  it("are named, with their sum where they are several", () => {
    expect(facts([file("a")])).toEqual([where, "Changes `a` (+1 −2)"]);
    expect(facts([file("a"), file("b")])).toEqual([
      where,
      "Changes 2 files, +1 −0: `a` (+1 −2), `b` (+1 −2)",
    ]);
  });

  it("that find no room are counted", () => {
    expect(facts([file("a"), file("b"), file("c")])[1]).toMatch(/^Changes 3 files, .* and 1 more file$/);
    expect(facts([file("a"), file("b"), file("c")], 7)[1]).toMatch(/^Changes 7 files, .* and 5 more files$/);
  });
});

const similarItem = (no: number, isSame: boolean, url = `https://forge.example/${no}`) => ({
  name: `#${no}`,
  title: `T${no}`,
  state: "open",
  url,
  isSame,
});

it("similar issues come first, with links where an address can be one, and an equal title before all", () => {
  const similar = [similarItem(1, true), similarItem(2, false), similarItem(3, false, "javascript:alert(1)")];
  const proposal = {
    project: "acme/api",
    facts: [{ name: "a new issue", value: "open" }],
    files: [],
    unlisted: 0,
    texts: [],
    similar,
  };
  const marks = {
    code: (text: string) => `\`${text}\``,
    link: (text: string, url: string) => `[${text}](${url})`,
    say: english,
  };
  expect(proposalFacts({ kind: "proposal", proposal }, marks, 2)).toEqual([
    "An open issue has the same title: [#1](https://forge.example/1).",
    "Similar issues: [#2](https://forge.example/2) `T2` (open), `#3` `T3` (open).",
    "In `acme/api`, a new issue `open`",
  ]);
});

it("a test of several commits says that it was not one by one", () => {
  const test = { command: "t", status: 0, tail: "", seconds: 1 };
  const line = (commits: DraftReference["commits"]) =>
    draftFacts({ ...draft, test, commits }, { code: (text) => text, say: english }, 2).at(-1);
  expect(line(draft.commits)).toBe("Tested by the host: t exited with status 0 after 1 s.");
  expect(line([...draft.commits, ...draft.commits])).toBe(
    "Tested by the host with all 2 commits together, not commit by commit: t exited with status 0 after 1 s.",
  );
});
