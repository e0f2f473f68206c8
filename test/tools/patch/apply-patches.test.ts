import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyPatches } from "../../../src/tools/patch/apply-patches.ts";
import type { Patch } from "../../../src/tools/patch/patch-input.ts";
import { Unable } from "../../../src/tools/tool.ts";
import { growthFault } from "../../linear/growth.ts";

const replace = (oldText: string, newText: string, more: Partial<Patch> = {}): Patch => ({
  operation: "replace",
  oldText,
  newText,
  ...more,
});
const append = (newText: string): Patch => ({ operation: "append_eof", newText });
const prepend = (newText: string): Patch => ({ operation: "prepend_bof", newText });
const overwrite = (newText: string): Patch => ({ operation: "overwrite", newText });

const apply = (original: string | null, patches: readonly Patch[], clipboards: Record<string, string> = {}) =>
  tried(original, patches, new Map(Object.entries(clipboards)));

const tried = (...given: Parameters<typeof applyPatches>) => {
  try {
    return { kind: "applied", ...applyPatches(...given) } as const;
  } catch (error) {
    if (error instanceof Unable) return { kind: "failed", message: error.message } as const;
    throw error;
  }
};

/** The text, or the failure's message. */
const outcome = (...args: Parameters<typeof apply>): string => {
  const applied = apply(...args);
  return applied.kind === "applied" ? applied.text : `! ${applied.message}`;
};

const clipboardsOf = (...args: Parameters<typeof apply>): Record<string, string> => {
  const applied = apply(...args);
  return applied.kind === "applied" ? Object.fromEntries(applied.clipboards) : {};
};

describe("operations", () => {
  it.each<[string, string | null, readonly Patch[], string]>([
    ["replace", "one two three", [replace("two", "2")], "one 2 three"],
    ["replace with nothing deletes", "one two", [{ operation: "replace", oldText: " two" }], "one"],
    ["append", "a\n", [append("b\n")], "a\nb\n"],
    ["prepend", "a\n", [prepend("b\n")], "b\na\n"],
    ["overwrite", "a\n", [overwrite("b\n")], "b\n"],
    ["overwrite with the empty text", "a\n", [overwrite("")], ""],
    ["append creates", null, [append("a")], "a"],
    ["prepend creates", null, [prepend("a")], "a"],
    ["overwrite creates", null, [overwrite("a")], "a"],
    ["several replaces, in any order", "a b c", [replace("c", "3"), replace("a", "1")], "1 b 3"],
    ["neighbours do not overlap", "ab", [replace("a", "1"), replace("b", "2")], "12"],
    ["against the original, not against each other", "a b", [replace("a", "b"), replace("b", "a")], "b a"],
    ["appends stand in their order", "x", [append("1"), append("2")], "x12"],
    ["prepends stand in their order", "x", [prepend("1"), prepend("2")], "12x"],
    ["all at once", "x", [append("3"), replace("x", "2"), prepend("1")], "123"],
    ["around an overwrite, of nothing too", null, [append("3"), overwrite("2"), prepend("1")], "123"],
  ])("%s", (_, original, patches, expected) => {
    expect(outcome(original, patches)).toBe(expected);
  });

  it.each<[string, string | null, readonly Patch[], string]>([
    ["no patches", "a", [], "No patches provided"],
    ["replace in no file", null, [replace("a", "b")], "Cannot use replace operation on non-existent file"],
    ["replace of nothing", "a", [replace("", "b")], "Replace operation requires oldText"],
    [
      "replace without oldText",
      "a",
      [{ operation: "replace", newText: "b" }],
      "Replace operation requires oldText",
    ],
    ["text that is not there", "a", [replace("z", "b")], "oldText not found in file"],
    [
      "text that is there twice",
      "a a",
      [replace("a", "b")],
      "oldText appears 2 times in file (must be unique)",
    ],
    [
      "text that overlaps itself",
      "aaa",
      [replace("aa", "b")],
      "oldText appears 2 times in file (must be unique)",
    ],
    [
      "an unknown clipboard",
      "a",
      [replace("a", "", { fromClipboard: "k" })],
      "Clipboard 'k' not found: nothing was cut to it, or it is gone (clipboards end with a restart of the host). Cut the text again with toClipboard.",
    ],
    [
      "a cut that is no replace",
      "a",
      [{ ...append("b"), toClipboard: "k" }],
      "toClipboard can only be used with the replace operation",
    ],
    [
      "an overwrite with nothing said",
      "a",
      [{ operation: "overwrite" }],
      "The overwrite operation requires newText or fromClipboard",
    ],
    [
      "a line without the indentation to strip",
      "a",
      [replace("a", "  x\ny", { reindent: { strip: "  ", add: "" } })],
      "Line does not start with expected prefix '  ':\ny",
    ],
    ...[
      [replace("ab", "1"), replace("bc", "2")],
      [replace("b", "1"), replace("b", "2")],
      [replace("abc", "1"), replace("b", "2")],
      [overwrite("1"), replace("b", "2")],
      [overwrite("1"), overwrite("2")],
    ].map((patches, index): [string, string, readonly Patch[], string] => [
      `overlap ${index}`,
      "abc",
      patches,
      "Patches overlap: two of them change the same part of the file. Merge them into one.",
    ]),
  ])("refuses %s", (_, original, patches, message) => {
    expect(apply(original, patches)).toEqual({ kind: "failed", message });
  });
});

describe("clipboards", () => {
  it("hold the replaced text", () => {
    expect(clipboardsOf("a b", [replace("a", "", { toClipboard: "k" })])).toEqual({ k: "a" });
  });

  it("give their text instead of newText", () => {
    expect(outcome("a", [replace("a", "ignored", { fromClipboard: "k" })], { k: "held" })).toBe("held");
    expect(outcome("a", [{ operation: "append_eof", fromClipboard: "k" }], { k: "held" })).toBe("aheld");
  });

  it("move text within one call", () => {
    const cut = replace("a\n", "", { toClipboard: "k" });
    expect(outcome("a\nb\n", [cut, { operation: "append_eof", fromClipboard: "k" }])).toBe("b\na\n");
  });

  it("copy where both names are the same", () => {
    const copy = replace("a", "ignored", { toClipboard: "k", fromClipboard: "k" });
    expect(outcome("a b", [copy], { k: "old" })).toBe("a b");
    expect(clipboardsOf("a b", [copy], { k: "old" })).toEqual({ k: "a" });
  });

  it("are none by the empty name", () => {
    const patch = replace("a", "b", { toClipboard: "", fromClipboard: "" });
    expect(outcome("a", [patch])).toBe("b");
    expect(clipboardsOf("a", [patch])).toEqual({});
  });

  it("hold the file's text after an inexact match, and the answer says so", () => {
    const applied = apply("\tif x {\n\t}\n", [replace("if x {\n}\n", "y\n", { toClipboard: "k" })]);
    expect(applied).toEqual({
      kind: "applied",
      text: "\ty\n",
      clipboards: new Map([["k", "\tif x {\n\t}\n"]]),
      adjusted: ["k"],
    });
  });

  it("are not changed by a call that fails", () => {
    const before = new Map([["k", "old"]]);
    const patches = [replace("a", "", { toClipboard: "k" }), replace("missing", "")];
    expect(tried("a", patches, before).kind).toBe("failed");
    expect(before).toEqual(new Map([["k", "old"]]));
  });
});

describe("reindent", () => {
  it.each([
    ["adds", "a\n\nb", { strip: "", add: "  " }, "  a\n\n  b"],
    ["strips", "  a\n\n    b\n", { strip: "  ", add: "" }, "a\n\n  b\n"],
    ["swaps", "  a\n  b", { strip: "  ", add: "\t" }, "\ta\n\tb"],
  ])("%s on every line that is not empty", (_, text, reindent, expected) => {
    expect(outcome("x", [replace("x", text, { reindent })])).toBe(expected);
    expect(outcome("x", [replace("x", "", { reindent, fromClipboard: "k" })], { k: text })).toBe(expected);
  });
});

describe("inexact matches", () => {
  it("take the file's indentation, in the new text too", () => {
    const file = "class A {\n    run() {\n        go();\n    }\n}\n";
    expect(
      outcome(file, [replace("run() {\n    go();\n}", "run() {\n    if (x) {\n        go();\n    }\n}")]),
    ).toBe("class A {\n    run() {\n        if (x) {\n            go();\n        }\n    }\n}\n");
  });

  it("take an indentation away", () => {
    expect(outcome("a\n  b\n", [replace("    a\n      b\n", "    c\n")])).toBe("c\n");
  });

  it("bear other blanks in blank lines", () => {
    expect(outcome("a\n  \nb\n", [replace("a\n\nb\n", "c\n")])).toBe("c\n");
  });

  it("leave a misquoted first line alone when the new text repeats it", () => {
    expect(
      outcome("function run(a, b) {\n  old();\n}\n", [
        replace("function run(a) {\n  old();\n}", "function run(a) {\n  fresh();\n}"),
      ]),
    ).toBe("function run(a, b) {\n  fresh();\n}\n");
  });

  it("leave a misquoted last line alone when the new text repeats it", () => {
    expect(outcome("  old();\n} // end\n", [replace("  old();\n}}", "  fresh();\n}}")])).toBe(
      "  fresh();\n} // end\n",
    );
  });

  it.each<[string, string, string, string]>([
    [
      "first lines differ",
      "function run(a, b) {\n  old();\n",
      "function run(a) {\n  old();",
      "function run(c) {\n  fresh();",
    ],
    ["the rest stands twice", "x1\n  old();\nx2\n  old();\n", "x3\n  old();\n", "x3\n  fresh();\n"],
    ["the rest is only part of a line", "a very old();\n", "x\nold();\n", "x\nfresh();\n"],
    ["relative indentation differs", "a\n      b\n", "  a\n    b\n", "  c\n"],
    ["the new text is not indented like the old", "a\n  b\n", "    a\n      b\n", "c\n"],
    ["the old text ends its last line and the file does not", "  a\n  b", "a\nb\n", "c\n"],
    ["only blank lines are left", "a\n\nb", "z\n\n", "z\nc\n"],
  ])("are none when %s", (_, file, oldText, newText) => {
    expect(outcome(file, [replace(oldText, newText)])).toBe("! oldText not found in file");
  });

  it("must be unique", () => {
    expect(outcome("  a\n  b\n    a\n    b\n", [replace("a\nb\n", "c\n")])).toBe(
      "! oldText appears 2 times in file (must be unique)",
    );
  });
});

describe("line endings", () => {
  it.each<[string, string, readonly Patch[], string]>([
    ["a CRLF file keeps them", "a\r\nb\r\nc\r\n", [replace("b\n", "x\ny\n")], "a\r\nx\r\ny\r\nc\r\n"],
    ["in appended and prepended text", "b\r\n", [append("c\n"), prepend("a\n")], "a\r\nb\r\nc\r\n"],
    ["in overwritten text", "a\r\nb\r\n", [overwrite("x\ny\n")], "x\r\ny\r\n"],
    ["an edit that ends before the line's end", "a\r\nb\r\n", [replace("a", "x")], "x\r\nb\r\n"],
    ["an edit that begins at a line's end", "a\r\nb", [replace("\nb", "!")], "a!"],
    ["CRLF in the patch matches", "a\nb\n", [replace("a\r\nb\r\n", "c\r\nd\r\n")], "c\nd\n"],
    ["a mixed file is changed in the place only", "a\r\nb\nc\n", [replace("b", "x")], "a\r\nx\nc\n"],
    ["a byte order mark stays first", "\ufeffa\r\n", [prepend("b\n")], "\ufeffb\r\na\r\n"],
    ["and survives an overwrite", "\ufeffa", [overwrite("b"), prepend("c")], "\ufeffcb"],
  ])("%s", (_, original, patches, expected) => {
    expect(outcome(original, patches)).toBe(expected);
  });
});

const put = (lines: readonly string[], by: string): string =>
  lines.map((line) => (line === "" ? "" : by + line)).join("\n");

describe("laws", () => {
  const eol = fc.constantFrom("\n", "\r\n");
  const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "b", " ", "\t", "é", "👩") }), {
    maxLength: 12,
  });
  const file = fc.tuple(lines, eol).map(([each, end]) => each.join(end));

  it("nothing outside the edits changes, whatever the line ends", () => {
    const scene = fc.tuple(file, file, fc.nat(), fc.nat(), fc.string());
    fc.assert(
      fc.property(scene, ([before, after, , , text]) => {
        const marked = `${before}«OLD»${after}`;
        const newText = text.replaceAll(/[\r\n]/g, "");
        expect(outcome(marked, [replace("«OLD»", newText)])).toBe(before + newText + after);
      }),
      { numRuns: 500 },
    );
  });

  it("replacing a text by itself changes no byte, through a clipboard too", () => {
    fc.assert(
      fc.property(file, file, file, (before, inside, after) => {
        const original = `${before}«${inside}»${after}`;
        const quoted = `«${inside.replaceAll("\r\n", "\n")}»`;
        const mixed = original.includes("\r\n") && /(?<!\r)\n/.test(original);
        fc.pre(!mixed);
        expect(outcome(original, [replace(quoted, quoted)])).toBe(original);
        expect(outcome(original, [replace(quoted, "", { toClipboard: "k", fromClipboard: "k" })])).toBe(
          original,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("the order of patches at different places does not matter", () => {
    fc.assert(
      fc.property(file, file, file, fc.boolean(), (a, b, c, swap) => {
        const original = `${a}«1»${b}«2»${c}`;
        const patches = [replace("«1»", "x\ny"), replace("«2»", ""), append("end"), prepend("begin")];
        expect(outcome(original, swap ? patches.toReversed() : patches)).toBe(outcome(original, patches));
      }),
      { numRuns: 300 },
    );
  });

  it("text indented anew as a whole is found, and the new text gets the file's indentation", () => {
    const body = fc.array(fc.constantFrom("go();", "  if (x) {", "    deep();", ""), {
      minLength: 1,
      maxLength: 6,
    });
    const indent = fc.constantFrom("", "  ", "\t", "      ");
    fc.assert(
      fc.property(body, indent, indent, (each, inFile, inPatch) => {
        const old = ["start;", "second;", ...each];
        const fresh = ["fresh;", ...each, "more;"];
        const original = `${inFile}before\n${put(old, inFile)}\n${inFile}after\n`;
        expect(outcome(original, [replace(`${put(old, inPatch)}\n`, `${put(fresh, inPatch)}\n`)])).toBe(
          `${inFile}before\n${put(fresh, inFile)}\n${inFile}after\n`,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("never throws, and what fails leaves the clipboards as they were", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", " ") });
    const patch: fc.Arbitrary<Patch> = fc.record(
      {
        operation: fc.constantFrom("replace", "append_eof", "prepend_bof", "overwrite"),
        oldText: text,
        newText: text,
        toClipboard: fc.constantFrom("", "k"),
        fromClipboard: fc.constantFrom("", "k", "none"),
        reindent: fc.record({ strip: fc.constantFrom("", " "), add: fc.constantFrom("", "  ") }),
      },
      { requiredKeys: ["operation"] },
    );
    fc.assert(
      fc.property(fc.option(text), fc.array(patch, { maxLength: 4 }), (original, patches) => {
        const held = new Map([["k", "kept"]]);
        tried(original, patches, held);
        expect(held).toEqual(new Map([["k", "kept"]]));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["one repeated line", "a\n", "a\n", "b\n"],
    ["one repeated character", "a", "a", "b"],
    ["indentation that never fits", "  a\n", " a\n a\n", "   a\n"],
  ])("takes time that grows with the text on %s", (_, piece, part, end) => {
    const read = (original: string): void => {
      const oldText = part.repeat(original.length / 20 / part.length) + end;
      expect(outcome(original, [replace(oldText, "x")])).toBe("! oldText not found in file");
    };
    expect(growthFault(read, piece, [50_000, 500_000])).toBeNull();
  });
});
