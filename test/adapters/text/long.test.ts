/** What no message can hold becomes a file, whole (PATCH-007). */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeOf, neutralise, type Part, withLongCode } from "../../../adapters/text/text.ts";
import type { MessageId } from "../../../src/machine/id.ts";
import type { PostBody } from "../../../src/thread/post.ts";
import type { Words } from "../../../src/thread/prompt.ts";

const MAX = 200;

const body: PostBody & { kind: "activity" } = {
  kind: "activity",
  message: "m-1",
  call: { id: "t1", name: "patch", intent: "tool" },
  status: "done",
  outcome: { kind: "ran", message: "m-2", isError: false },
};

const wordsOf = (diff: string | null, path: unknown = "src/a.ts") =>
  new Map<MessageId, Words>([
    ["m-1", { kind: "answer", blocks: [{ kind: "toolUse", id: "t1", name: "patch", input: { path } }] }],
    ["m-2", { kind: "result", text: "ok", images: [], diff }],
  ]);

const diffOf = (lines: number): string =>
  [
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -1 +1 @@",
    "-old",
    ...Array.from({ length: lines }, () => "+new"),
  ].join("\n");

describe("a diff", () => {
  it("is a code block where it fits, counted without its header", () => {
    const change = changeOf(body, wordsOf(diffOf(2)), MAX, neutralise);
    expect(change).toEqual({
      path: "src/a.ts",
      added: 2,
      removed: 1,
      part: { kind: "text", text: `\`\`\`diff\n${diffOf(2)}\n\`\`\`` },
    });
  });

  it("is a file with all of it where it does not", () => {
    const part = changeOf(body, wordsOf(diffOf(100)), MAX, neutralise)?.part;
    expect(part).toMatchObject({
      kind: "file",
      file: { name: "a.ts.diff", mediaType: "text/x-diff", source: { kind: "text", text: diffOf(100) } },
      size: diffOf(100).length,
    });
  });

  it("stays in its block whatever fences the file has", () => {
    const diff = " ```\n+@everyone\n-~~~\n+````` x";
    const text = textOf(changeOf(body, wordsOf(diff), MAX, neutralise)?.part);
    const fences = text.split("\n").filter((line) => /^ {0,3}(`{3,}|~{3,})/.test(line));
    expect(fences).toEqual(["```diff", "```"]);
    expect(text.replaceAll("\u200b", "")).toBe(`\`\`\`diff\n${diff}\n\`\`\``);
  });

  it("that is missing, erased or of a call that only looked makes nothing", () => {
    expect(changeOf(body, wordsOf(null), MAX, neutralise)).toBeNull();
    expect(changeOf(body, new Map([["m-2", { kind: "gone" }]]), MAX, neutralise)).toBeNull();
    expect(changeOf({ ...body, outcome: null }, wordsOf(diffOf(1)), MAX, neutralise)).toBeNull();
    expect(changeOf(body, wordsOf(diffOf(1), 7), MAX, neutralise)?.path).toBe("a file");
  });
});

const textOf = (part: Part | undefined): string => (part?.kind === "text" ? part.text : "");

describe("an answer", () => {
  it("whose code fits is one text, as it was", () => {
    const text = "Look:\n\n```ts\nconst a = 1;\n```\nDone.";
    expect(withLongCode(text, MAX)).toEqual([{ kind: "text", text }]);
  });

  it("has long code as a file in its place, whole, named after its language", () => {
    const log = Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n");
    const parts = withLongCode(`Before.\n\n\`\`\`python\n${log}\n\`\`\`\nBetween.\n~~~\n${log}`, MAX);
    expect(parts).toMatchObject([
      { kind: "text", text: "Before.\n" },
      { kind: "file", file: { name: "attached-1.py", source: { kind: "text", text: `${log}\n` } } },
      { kind: "text", text: "Between." },
      { kind: "file", file: { name: "attached-2.txt", source: { text: `${log}\n` } } },
    ]);
  });

  it("loses nothing, whatever it is: its parts are its lines, in order", () => {
    const line = fc.constantFrom(
      "```",
      "```ts",
      "~~~~",
      "~~~",
      "text",
      "    ```",
      "- ```",
      "",
      "x".repeat(60),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const shown = withLongCode(lines.join("\n"), MAX).flatMap((part) =>
          part.kind === "text" ? part.text.split("\n") : sourceOf(part).split("\n"),
        );
        expect(solid(shown)).toEqual(solid(lines));
      }),
    );
  });

  it("has no block left that is longer than a message", () => {
    const text = `\`\`\`\n${neutralise("y ".repeat(300))}\n\`\`\``;
    expect(withLongCode(text, MAX).map(({ kind }) => kind)).toEqual(["file"]);
  });
});

const solid = (all: readonly string[]): readonly string[] => all.filter((one) => /text|x/.test(one));

const sourceOf = ({ file }: Part & { readonly kind: "file" }): string =>
  file.source.kind === "text" ? file.source.text : "";
