import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webRoot } from "../../src/ports/conversation.ts";
import { prompt } from "../../src/thread/prompt.ts";
import { referencesIn } from "../../src/text/references.ts";

const GITHUB = "https://github.com/acme/shop.git";

const refer = (text: string): string | null => referencesIn(text, webRoot(GITHUB));

describe("issues and pull requests that a message names (9, item 2)", () => {
  it.each([
    ["see https://github.com/acme/shop/issues/12.", GITHUB, "issue #12"],
    ["<https://github.com/Acme/Shop/pull/7#discussion_r1>", GITHUB, "pull request #7"],
    ["<https://github.com/acme/shop/pull/7/files?diff=split#L3|the change>", GITHUB, "pull request #7"],
    ["http://www.github.com/acme/shop/pull/7/commits/0a1b2c3?w=1", GITHUB, "pull request #7"],
    ["review acme/shop#12, not acme/other#13", GITHUB, "#12"],
    ["review Acme/Shop#12 and https://github.com/acme/shop/pull/12", GITHUB, "pull request #12"],
    [
      "https://gitlab.com/t/u/app/-/merge_requests/3/diffs?commit_id=0a1b",
      "https://gitlab.com/t/u/app",
      "pull request !3",
    ],
    ["review t/u/app!12 and t/u/app#13", "https://gitlab.com/t/u/app", "pull request !12, #13"],
    ["is #123 a duplicate of #99?", GITHUB, "#123, #99"],
    ["#5 and https://github.com/acme/shop/issues/5", GITHUB, "issue #5"],
    [
      "https://git.example.org/t/u/app/-/merge_requests/3",
      "git@git.example.org:t/u/app.git",
      "pull request !3",
    ],
    [
      "!4, https://gitlab.com/t/app/-/merge_requests/5, /-/issues/5 is https://gitlab.com/t/app/-/issues/5",
      "https://gitlab.com/t/app.git",
      "pull request !5, issue #5, pull request !4",
    ],
    ["https://gitlab.com/t/app/-/work_items/6", "https://gitlab.com/t/app", "issue #6"],
    ["https://git.example.org/t/app/-/issues/4", "ssh://git@git.example.org:2222/t/app", "issue #4"],
    ["https://git.example.org:8443/t/app/-/issues/4", "https://git.example.org:8443/t/app", "issue #4"],
  ])("are pointed out: %s", (text, location, named) => {
    expect(referencesIn(text, webRoot(location))).toBe(
      `[Parley] Named here, of this conversation's repository: ${named}. read_issue and read_pull_request read them.`,
    );
  });

  it.each([
    ["https://github.com/acme/other/issues/12", GITHUB],
    ["https://github.com.evil.test/acme/shop/issues/12", GITHUB],
    ["a#12, &#39; and color #ffffff", GITHUB],
    ["#12", "/srv/shop"],
    ["https://github.com/acme/shop/pull/", GITHUB],
    ["x/acme/shop#12, acme/shops#12 and acme/shop!12", GITHUB],
    ["u/app!12", "https://gitlab.com/t/u/app"],
    ["wow!12 and !12", GITHUB],
    ["5!12", "https://gitlab.com/t/app"],
    ["no names", GITHUB],
  ])("are not made up: %s", (text, location) => {
    expect(referencesIn(text, webRoot(location))).toBeNull();
  });

  it("are ten at most, whatever the text is", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat(9_999_999)), (text, numbers) => {
        const said = referencesIn(`${text} ${numbers.map((n) => `#${n}`).join(" ")}`, webRoot(GITHUB));
        expect(said?.match(/#\d+/g)?.length ?? 0).toBeLessThanOrEqual(10);
      }),
      { numRuns: 100 },
    );
  });

  it("stand behind the message in the prompt, and a longer history keeps them", () => {
    const entry = {
      kind: "said",
      turn: 1,
      seq: 1,
      at: 1,
      message: "m-1",
      speaker: { id: "slack:U1", mayDrive: true, mayApprove: false },
      images: 0,
    } as const;
    const told = [{ entry, words: { kind: "said", text: "fix #3", images: [] } as const }];
    const [first] = prompt("preface", told, refer);
    expect(first?.content.map((block) => (block.kind === "text" ? block.text : ""))).toEqual([
      "preface",
      "fix #3",
      expect.stringMatching(/#3/),
    ]);
  });
});
