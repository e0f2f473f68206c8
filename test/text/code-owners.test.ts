/** CODEOWNERS names whom a change needs, as GitHub documents it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownersOf, parseCodeOwners } from "../../src/text/code-owners.ts";

const owners = (text: string, path: string) => ownersOf(parseCodeOwners(text), path, { left: 1e6 });
const one = (pattern: string, path: string): boolean => owners(`${pattern} @x`, path)?.length === 1;

/** What GitHub's page about code owners says of its examples. */
const DOCUMENTED = `# A comment
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
`;

describe("code owners", () => {
  it.each([
    ["README.md", ["@global-owner1", "@global-owner2"]],
    ["deep/a.md", ["@global-owner1", "@global-owner2"]],
    ["src/a.js", ["@js-owner"]],
    ["a.go", ["docs@example.com"]],
    ["x/y.txt", ["@octo-org/octocats"]],
    ["build/logs/a/b.c", ["@octocat"]],
    ["build/log.c", ["@global-owner1", "@global-owner2"]],
    ["docs/getting-started.md", ["@doctocat"]],
    ["docs/build-app/troubleshooting.md", ["@doctocat"]],
    ["lib/apps/a/b.c", ["@octocat"]],
    ["lib/docs/a.c", ["@global-owner1", "@global-owner2"]],
    ["scripts/x.js", ["@doctocat", "@octocat"]],
    ["deeply/nested/logs/x", ["@octocat"]],
    ["apps/x.js", ["@octocat"]],
  ])("of the documented file: %s", (path, wanted) => {
    expect(owners(DOCUMENTED, path)).toEqual([wanted]);
  });

  it("a rule without owners takes them away", () => {
    expect(owners(DOCUMENTED, "apps/github/x.js")).toEqual([]);
    expect(owners(DOCUMENTED, "apps/gitlab/x.js")).toEqual([["@octocat"]]);
  });

  it.each([
    ["docs/*", "docs/a.md", "docs/build/a.md"],
    ["/docs/", "docs/x/a.md", "lib/docs/a.md"],
    ["apps/", "lib/apps/a", "lib/apps"],
    ["*.js", "a/b.js", "a/b.jsx"],
    ["/*.js", "b.js", "a/b.js"],
    ["/src", "src/a/b", "lib/src"],
    ["src/**/test", "src/a/b/test/x", "src/a/b"],
    ["**/a", "x/y/a", "x/y/ab"],
    ["docs/**", "docs/a/b", "docs"],
    ["a?c", "abc", "ac"],
    ["*", "a/b/c", ""],
    ["with\\ blank/", "with blank/a", "with/a"],
    ["A.md", "A.md", "a.md"],
  ])("%s matches %s and not %s", (pattern, yes, no) => {
    expect(one(pattern, yes)).toBe(true);
    if (no !== "") expect(one(pattern, no)).toBe(false);
  });

  it.each(["!a", "[ab]", "/", "[a-z].md"])(
    "a line that GitHub cannot read counts for nothing: %s",
    (pattern) => {
      expect(owners(`* @all\n${pattern} @x`, "a")).toEqual([["@all"]]);
    },
  );

  it("so does one with an owner that is none, and its neighbours count", () => {
    expect(owners("* @all\na nobody", "a")).toEqual([["@all"]]);
    expect(owners("* @all\na @some\r\nb @x", "a")).toEqual([["@some"]]);
  });

  it("GitLab's sections each want their own, and an optional one nobody", () => {
    const text =
      "* @all\n[Docs][2] @writers\ndocs/\n*.md @md\n^[Style] @style\n*\n[Two words]\nsrc/ @@maintainer";
    expect(owners(text, "docs/a")).toEqual([["@all"], ["@writers"]]);
    expect(owners(text, "docs/a.md")).toEqual([["@all"], ["@md"]]);
    expect(owners(text, "src/a")).toEqual([["@all"], ["@@maintainer"]]);
  });

  it("a pattern of plain names matches exactly itself and what lies beneath", () => {
    const name = fc.stringMatching(/^[a-c]{1,2}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(path, path, (pattern, given) => {
        const isBeneath = pattern.every((part, index) => given[index] === part);
        expect(one(`/${pattern.join("/")}`, given.join("/"))).toBe(isBeneath);
      }),
    );
  });

  it("ends when its work is used up, and says so", () => {
    const work = { left: 100_000 };
    expect(ownersOf(parseCodeOwners(`*${"a".repeat(2_000)}b @x`), "a".repeat(4_000), work)).toBe(null);
    expect(owners("*a @x", "a".repeat(4_000))).toEqual([["@x"]]);
  });
});
