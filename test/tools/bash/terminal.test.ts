import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { terminalPlainText, withoutControls } from "../../../src/tools/bash/terminal.ts";

describe("command output as plain text", () => {
  it.each([
    ["colours", "\u001b[1;31mred\u001b[0m plain", "red plain"],
    [
      "39.B6 text behind introducers of one byte",
      "a\u0090b \u0098c\n\u009dd\u009ee\u009ff \u009b1g",
      "ab c\ndef 1g",
    ],
    ["39.B6 a byte order mark", "\uFEFFa", "\uFEFFa"],
    [
      "WG6 lone carriage returns as line ends",
      "first line\rsecond, other\rthird\r",
      "first line\nsecond, other\nthird",
    ],
    [
      "WG6 progress with more words at its end",
      "Objects: 10%\rObjects: 100%, done.\n",
      "Objects: 100%, done.\n",
    ],
    ["a window title", "\u001b]0;title\u0007text", "text"],
    ["a link", "\u001b]8;;https://example.test\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["WG6 a title that is never closed, as text", "\u001b]0;title\nnext line", "0;title\nnext line"],
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
    expect(terminalPlainText(Buffer.from("\uFEFFa"))).toBe("\uFEFFa");
    expect(terminalPlainText(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xe2, 0x82]))).toBe("a\ufffdé\ufffd");
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
});
