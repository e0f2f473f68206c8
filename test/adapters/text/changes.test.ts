/** What a turn changed is told once (TH5, PATCH-007). */

import { describe, expect, it } from "vitest";
import { changesOf, withoutRendered } from "../../../adapters/text/changes.ts";
import { neutralize } from "../../../adapters/text/neutral.ts";
import type { MessageId } from "../../../src/machine/id.ts";
import type { TurnStep } from "../../../src/thread/post.ts";
import type { StoredContent } from "../../../src/thread/prompt.ts";

const stepOf = (index: number): TurnStep => ({
  message: `m-a${index}`,
  call: { id: "t1", name: "patch", intent: "tool" },
  outcome: { kind: "ran", message: `m-r${index}`, isError: false, changed: true },
  took: 1,
});

interface Changed {
  readonly path?: unknown;
  readonly diff: string | null;
}

const sceneOf = (...changed: readonly Changed[]) => ({
  steps: changed.map((_, index) => stepOf(index)),
  words: new Map<MessageId, StoredContent>(
    changed.flatMap(
      ({ path = "src/a.ts", diff }, index): readonly (readonly [MessageId, StoredContent])[] => [
        [
          `m-a${index}`,
          { kind: "answer", blocks: [{ kind: "toolUse", id: "t1", name: "patch", input: { path } }] },
        ],
        [`m-r${index}`, { kind: "result", text: "ok", images: [], diff }],
      ],
    ),
  ),
});

const diffOf = (lines: number): string =>
  [
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -1 +1 @@",
    "-old",
    ...Array.from({ length: lines }, () => "+new"),
  ].join("\n");

const of = (...changed: readonly Changed[]) => {
  const { steps, words } = sceneOf(...changed);
  return changesOf(steps, words, neutralize);
};

describe("the changes of a turn", () => {
  it("are one block where they are short, counted by file without headers", () => {
    expect(of({ diff: diffOf(2) }, { diff: "+more\n" }, { path: "b.ts", diff: "-gone" })).toEqual({
      files: [
        { path: "src/a.ts", added: 3, removed: 1 },
        { path: "b.ts", added: 0, removed: 1 },
      ],
      diff: `\`\`\`diff\n${diffOf(2)}\n+more\n-gone\n\`\`\``,
    });
  });

  it("are one file beyond 40 lines or 2,500 bytes", () => {
    const file = { name: "changes.diff", mediaType: "text/x-diff" };
    expect(of({ diff: diffOf(36) })?.file).toBeUndefined();
    expect(of({ diff: diffOf(37) })).toMatchObject({
      file: { ...file, source: { kind: "text", text: `${diffOf(37)}\n` } },
    });
    expect(of({ diff: `+${"é".repeat(1_250)}` })?.diff).toBeUndefined();
    expect(of({ diff: `+${"é".repeat(1_249)}` })?.file).toBeUndefined();
  });

  it("are none where nothing was changed, or the words are gone", () => {
    expect(of()).toBeNull();
    expect(of({ diff: null })).toBeNull();
    expect(changesOf([stepOf(0)], new Map(), neutralize)).toBeNull();
  });

  it("name a file although the model did not", () => {
    expect(of({ path: 7, diff: "+a" })?.files[0]?.path).toBe("a file");
  });

  it("stay in their block whatever fences the file has", () => {
    const diff = " ```\n+@everyone\n-~~~\n+````` x";
    const fences = of({ diff })
      ?.diff?.split("\n")
      .filter((line) => /^ {0,3}(`{3,}|~{3,})/.test(line));
    expect(fences).toEqual(["```diff", "```"]);
  });
});

const without = (markdown: string, ...changed: readonly Changed[]): string => {
  const { steps, words } = sceneOf(...changed);
  return withoutRendered(markdown, steps, words);
};
const shown = (...lines: readonly string[]): string => `Done.\n\`\`\`diff\n${lines.join("\n")}\n\`\`\`\nEnd.`;

const led = (lines: string): string => `Here it is:\n\n${lines.slice("Done.\n".length)}`;

describe("an answer", () => {
  it("goes without a diff that repeats what was changed", () => {
    expect(without(shown("@@ -1 +1 @@", "-old", "+new"), { diff: diffOf(2) })).toBe("Done.\nEnd.");
    expect(without(shown("+new", "+other"), { diff: diffOf(1) }, { diff: "+other" })).toBe("Done.\nEnd.");
  });

  it("ends the sentence that led to such a diff, and leads to one that stays", () => {
    expect(without(led(shown("-old", "+new")), { diff: diffOf(2) })).toBe("Here it is.\n\nEnd.");
    const said = led(shown("-old")).replace("Here it is:", "Done :tada:");
    expect(without(said, { diff: diffOf(2) })).toBe("Done :tada:\n\nEnd.");
    expect(without(led(shown("+mine")), { diff: diffOf(2) })).toBe(led(shown("+mine")));
  });

  it.each([
    ["a line more", ["-old", "+new", "+mine"]],
    ["another sign", ["+old"]],
    ["another word", ["-old", "+news"]],
    ["no changed line", [" context"]],
  ])("keeps one with %s", (_, lines) => {
    expect(without(shown(...lines), { diff: diffOf(1) })).toBe(shown(...lines));
  });

  it("keeps code that is no diff, and every diff where nothing was changed", () => {
    const code = "```ts\n+new\n```";
    expect(without(code, { diff: diffOf(1) })).toBe(code);
    expect(without(shown("+new"))).toBe(shown("+new"));
  });
});
