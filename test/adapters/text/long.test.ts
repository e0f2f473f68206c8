/** What no message can hold becomes a file, whole (PATCH-007). */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TextOrFile, withLongCode } from "../../../adapters/text/long.ts";
import { neutralize } from "../../../adapters/text/neutral.ts";

const MAX = 200;

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

  it("ends long code at no fence that is indented as code is", () => {
    const code = Array.from({ length: 20 }, (_, at) => `def f${at}():\n    \`\`\`\n    1\n    \`\`\``).join(
      "\n",
    );
    const parts = withLongCode(`\`\`\`python\n${code}\n\`\`\`\nDone.`, MAX);
    expect(parts).toMatchObject([
      { kind: "file", file: { name: "attached-1.py", source: { text: `${code}\n` } } },
      { kind: "text", text: "Done." },
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
    const text = `\`\`\`\n${neutralize("y ".repeat(300))}\n\`\`\``;
    expect(withLongCode(text, MAX).map(({ kind }) => kind)).toEqual(["file"]);
  });
});

const solid = (all: readonly string[]): readonly string[] => all.filter((one) => /text|x/.test(one));

const sourceOf = ({ file }: TextOrFile & { readonly kind: "file" }): string =>
  file.source.kind === "text" ? file.source.text : "";
