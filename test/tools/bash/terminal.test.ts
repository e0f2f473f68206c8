import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText, withoutControls } from "../../../src/tools/bash/terminal.ts";

describe("command output as plain text", () => {
  it.each([
    ["colours", "\u001b[1;31mred\u001b[0m plain", "red plain"],
    ["colours with an eight-bit introducer", "\u009b31mred", "red"],
    ["a window title", "\u001b]0;title\u0007text", "text"],
    ["a link", "\u001b]8;;https://example.test\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["a title that is never closed", "\u001b]0;title\nnext line", "\nnext line"],
    ["a lone escape", "a\u001bcb", "ab"],
    ["an escape at the end", "end\u001b", "end"],
    ["progress", "10%\r50%\r100%\ndone\n", "100%\ndone\n"],
    ["progress that ends in a carriage return", "10%\r100%\r\n", "100%\n"],
    ["DOS line ends", "one\r\ntwo\r\n", "one\ntwo\n"],
    ["nothing but carriage returns", "\r\r\r", ""],
    ["overstrike", "N\bNA\bAME", "NAME"],
    ["control characters", "a\u0000b\u0001c\u007fd\u0085e\tf\n", "abcde\tf\n"],
    ["plain text", "tab\tand ünï 👩‍🚒\n\n", "tab\tand ünï 👩‍🚒\n\n"],
  ])("%s", (_, given, expected) => {
    expect(withoutControls(given)).toBe(expected);
  });

  it("replaces bytes that are not UTF-8 and keeps the rest", () => {
    expect(plainText(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xe2, 0x82]))).toBe("a\ufffdé\ufffd");
  });

  it("leaves no control character but line feeds and tabs, and is done after one pass", () => {
    const unit = fc.constantFrom(
      "\u001b",
      "[",
      "]",
      "m",
      "0",
      ";",
      "\r",
      "\n",
      "\b",
      "\u0007",
      "\u009b",
      "\u009d",
      "a",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(unit, fc.string({ unit: "binary", maxLength: 5 }))), (parts) => {
        const text = withoutControls(parts.join(""));
        // oxlint-disable-next-line no-control-regex -- that there is none is the law
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(withoutControls(text)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["one line", "x".repeat(500_000)],
    ["carriage returns", "\r".repeat(500_000) + "x"],
    ["carriage returns at the end", "x" + "\r".repeat(500_000)],
    ["strings never closed", "\u001b]0;".repeat(120_000)],
    ["escapes", "\u001b[".repeat(250_000)],
    ["overstrikes", "\b".repeat(500_000)],
  ])("takes time linear in %s", (_, text) => {
    const started = performance.now();
    withoutControls(text);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
