/** Citations as people see whether they hold: links to the very lines, and the host's marks behind the rest. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permalink } from "../../../adapters/text/permalink.ts";
import { markCitations, sourcesText } from "../../../adapters/text/citations.ts";
import { neutralize } from "../../../adapters/text/neutral.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import type { Citation } from "../../../src/text/citation.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const base = { commit: COMMIT, ref: "main", cwd: "/work" };
const on = (location: string, kind: Repo["kind"] = "url") => ({ repo: { kind, location }, base });
const GITHUB = on("https://github.com/acme/api.git");
const LOCAL = on("/srv/api", "path");

const one = (path: string, from: number, to = from, status: Citation["status"] = "found"): Citation => ({
  path,
  from,
  to,
  status,
  file: status === "missing" ? null : path.replace(/^\.\//, ""),
});

const coded = ({ text, link }: { readonly text: string; readonly link: string | null }) =>
  link === null ? `\`${text}\`` : `[${text}](${link.slice(link.indexOf("/blob/") + 6)})`;

describe("an answer's citations", () => {
  it("those that were found become links to their lines at the commit", () => {
    const text = "See src/a.ts:3 and `src/b.ts:4-9`.";
    const checked = [one("src/a.ts", 3), one("src/b.ts", 4, 9)];
    const blob = `https://github.com/acme/api/blob/${COMMIT}`;
    expect(markCitations(text, checked, GITHUB)).toBe(
      `See [\`src/a.ts:3\`](<${blob}/src/a.ts?plain=1#L3>) and [\`src/b.ts:4-9\`](<${blob}/src/b.ts?plain=1#L4-L9>).`,
    );
    expect(markCitations(text, checked, LOCAL)).toBe(text);
  });

  it("those that could not be verified are marked, and those of changed files say so; neither is a link", () => {
    const checked = [
      one("src/a.ts", 3, 3, "missing"),
      one("b.ts", 4, 4, "changed"),
      one("c.ts", 5, 5, "unread"),
    ];
    expect(markCitations("`src/a.ts:3`, b.ts:4, c.ts:5 and never looked up d.ts:6", checked, GITHUB)).toBe(
      "`src/a.ts:3` (not found), b.ts:4 (as changed here), c.ts:5 (not checked) and never looked up d.ts:6 (not checked)",
    );
  });

  it("an answer that was never looked at stays as it is", () => {
    fc.assert(fc.property(fc.string(), (text) => markCitations(text, undefined, GITHUB) === text));
  });

  it("inside other code and inside of links nothing is linked, and the mark stands behind", () => {
    const checked = [one("a.ts", 1, 1, "missing"), one("b.ts", 2)];
    expect(markCitations("`grep x a.ts:1 b.ts:2` [b.ts:2](https://example.org)", checked, GITHUB)).toBe(
      "`grep x a.ts:1 b.ts:2` (not found) [b.ts:2](https://example.org)",
    );
  });

  it("apart from links and marks the text is the same", () => {
    const word = fc.constantFrom(
      "a.ts:1",
      "`a.ts:1`",
      "src/b.ts:2-3",
      "x/y.ts:9",
      "`",
      "[",
      "](x)",
      "```\n",
      "\n",
      " ",
      "**",
      "word",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const text = neutralize(words.join(""));
        const checked = [one("a.ts", 1), one("src/b.ts", 2, 3, "missing")];
        const shown = markCitations(text, checked, GITHUB);
        const bare = shown
          .replaceAll(/ \((?:not found|not checked|as changed here)\)/g, "")
          .replaceAll(/\[`([^`]+)`\]\(<https:\/\/github\.com\/acme\/api\/[^>]+>\)/g, "$1");
        expect(bare.replaceAll("`", "")).toBe(text.replaceAll("`", ""));
      }),
      { numRuns: 200 },
    );
  });

  it("below the answer stand the sources, bounded, and how many are not verified", () => {
    const many = Array.from({ length: 8 }, (_, index) => one(`src/f${index}.ts`, index + 1));
    expect(sourcesText([...many, one("x.ts", 1, 1, "missing")], LOCAL, ({ text }) => text)).toBe(
      "Sources: src/f0.ts:1, src/f1.ts:2, src/f2.ts:3, src/f3.ts:4, src/f4.ts:5, 3 more · 1 not verified",
    );
    expect(sourcesText([one("x.ts", 1, 1, "missing")], LOCAL, ({ text }) => text)).toBe("1 not verified");
    expect(sourcesText(undefined, LOCAL, ({ text }) => text)).toBeNull();
  });

  it("lines of one file are merged into ranges, in order, and each range has its own link", () => {
    const cited = [one("a.ts", 20), one("b.ts", 1), one("./a.ts", 3, 5), one("a.ts", 6), one("a.ts", 5, 9)];
    expect(sourcesText(cited, LOCAL, coded)).toBe("Sources: `a.ts:3-9, 20`, `b.ts:1`");
    expect(sourcesText(cited, GITHUB, coded)).toBe(
      `Sources: [a.ts:3-9](${COMMIT}/a.ts?plain=1#L3-L9), [20](${COMMIT}/a.ts?plain=1#L20), [b.ts:1](${COMMIT}/b.ts?plain=1#L1)`,
    );
  });

  it("lines of different commits, and lines that were changed here, are not merged", () => {
    const cited = [
      one("a.ts", 3),
      one("a.ts", 4, 4, "changed"),
      { ...one("a.ts", 5), at: "b".repeat(40) },
      one("a.ts", 6, 6, "missing"),
      { ...one("a.ts", 7), now: { kind: "moved", file: "c.ts", from: 9, to: 9, commit: "d".repeat(40) } },
      one("a.ts", 2),
    ] as const;
    expect(sourcesText(cited, LOCAL, coded)).toBe(
      "Sources: `a.ts:2-3`, `a.ts:4`, `a.ts:5`, `c.ts:9` · 1 not verified",
    );
    expect(sourcesText(cited, GITHUB, coded)).toContain(
      `[c.ts:9](${"d".repeat(40)}/c.ts?plain=1#L9) · 1 not verified`,
    );
  });

  it("ranges are bounded, but every listed file has one; a page with several quotes stands once", () => {
    const lines = Array.from({ length: 12 }, (_, index) => one("a.ts", 2 * index + 1));
    const pages = ["one", "two"].map((quote) => ({ ...one("https://example.org/p", 0), quote }));
    expect(sourcesText(lines, LOCAL, coded)).toBe(
      "Sources: `a.ts:1, 3, 5, 7, 9, 11, 13, 15, 17, 19` and 2 more",
    );
    expect(sourcesText([...lines, one("b.ts", 1), one("b.ts", 9), ...pages], LOCAL, ({ text }) => text)).toBe(
      "Sources: a.ts:1, 3, 5, 7, 9, 11, 13, 15 and 4 more, b.ts:1 and 1 more, example.org/p",
    );
  });
});

describe("a link to a forge", () => {
  it.each([
    ["https://github.com/acme/api", `https://github.com/acme/api/blob/${COMMIT}/src/a.ts?plain=1#L3-L5`],
    ["git@github.com:acme/api.git", `https://github.com/acme/api/blob/${COMMIT}/src/a.ts?plain=1#L3-L5`],
    [
      "ssh://git@github.com:22/acme/api.git",
      `https://github.com/acme/api/blob/${COMMIT}/src/a.ts?plain=1#L3-L5`,
    ],
    [
      "https://token:secret@gitlab.com/g/sub/api.git",
      `https://gitlab.com/g/sub/api/-/blob/${COMMIT}/src/a.ts?plain=1#L3-5`,
    ],
    [
      "https://gitlab.example.org:8443/g/api",
      `https://gitlab.example.org:8443/g/api/-/blob/${COMMIT}/src/a.ts?plain=1#L3-5`,
    ],
    [
      "https://codeberg.org/acme/api",
      `https://codeberg.org/acme/api/src/commit/${COMMIT}/src/a.ts?display=source#L3-L5`,
    ],
    ["https://bitbucket.org/acme/api.git", `https://bitbucket.org/acme/api/src/${COMMIT}/src/a.ts#lines-3:5`],
    ["https://git.sr.ht/~ada/api", `https://git.sr.ht/~ada/api/tree/${COMMIT}/item/src/a.ts#L3-5`],
  ])("of %s", (location, link) => {
    expect(permalink(on(location), one("src/a.ts", 3, 5))).toBe(link);
  });

  it.each([
    "http://github.com/acme/api",
    "https://example.org/acme/api",
    "https://notgithub.com/a/b",
    "file:///acme/api",
    "/srv/github.com/api",
    "https://github.com/acme",
  ])("there is none for %s", (location) => {
    expect(permalink(on(location), one("src/a.ts", 3))).toBeNull();
    expect(permalink(GITHUB, one("src/a.ts", 3))).not.toBeNull();
  });

  it("stays on the repository's forge and names no user, whatever the file is called", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40, unit: "binary" }), (file) => {
        const link = permalink(on("https://x:y@github.com/acme/api"), { ...one("p", 1), file });
        expect(
          link === null || /^https:\/\/github\.com\/acme\/api\/blob\/[^\s<>()[\]`|*@]*$/.test(link),
        ).toBe(true);
      }),
    );
  });

  it("what does not stand at the commit has none", () => {
    const statuses = ["changed", "missing", "unread"] as const;
    expect(statuses.map((status) => permalink(GITHUB, { ...one("a.ts", 1), status }))).toEqual([
      null,
      null,
      null,
    ]);
  });
});
