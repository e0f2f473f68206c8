import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEEP, MAX_OUTPUT, outputText } from "../../../src/tools/bash/output.ts";
import { createRedactor } from "../../../src/text/secrets/known-values.ts";

const nothingSecret = createRedactor([]);
const SECRET = "sk-ant-api03-0123456789";

/** What the sandbox keeps of an output (types.ts). */
const kept = (bytes: Buffer, keep: { head: number; tail: number } = KEEP) => {
  const head = bytes.subarray(0, keep.head);
  return { head, tail: bytes.subarray(Math.max(head.length, bytes.length - keep.tail)), total: bytes.length };
};

describe("the output that a tool answers with", () => {
  it("is whole up to 128 KB", () => {
    const text = `${"x".repeat(MAX_OUTPUT - 1)}\n`;
    expect(outputText(kept(Buffer.from(text)), nothingSecret)).toBe(text);
  });

  it("is the first and last 4096 bytes of more, in the exact words", () => {
    const text = `${"h".repeat(100_000)}${"t".repeat(100_000)}`;
    expect(outputText(kept(Buffer.from(text)), nothingSecret)).toBe(
      `[output truncated in middle: got 200000, max is 131072]\n${"h".repeat(4096)}\n\n[snip]\n\n${"t".repeat(4096)}`,
    );
  });

  it("counts what was never kept", () => {
    const text = outputText(kept(Buffer.alloc(2_000_000, "y")), nothingSecret);
    expect(text.startsWith("[output truncated in middle: got 2000000, max is 131072]\nyyyy")).toBe(true);
    expect(text.length).toBeLessThan(9000);
  });

  it("is cut between characters, never inside one", () => {
    fc.assert(
      fc.property(fc.constantFrom("é", "€", "👩"), fc.nat(4), fc.boolean(), (character, shift, huge) => {
        const text = "a".repeat(shift) + character.repeat(huge ? 300_000 : 70_000);
        const cut = outputText(kept(Buffer.from(text)), nothingSecret);
        expect(cut).not.toContain("\ufffd");
        const [, head = "", tail = ""] = /\n([^\n]*)\n\n\[snip\]\n\n(.*)$/.exec(cut) ?? [];
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(Math.min(Buffer.byteLength(head), Buffer.byteLength(tail))).toBeGreaterThan(4092);
      }),
      { numRuns: 30 },
    );
  });

  it("holds no secret, wherever in it one stands and however the terminal was told to draw it", () => {
    const drawn = fc.constantFrom(SECRET, `sk-\u001b[0m${SECRET.slice(3)}`, `x\r${SECRET}`);
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(20_000), drawn, (before, after, secret) => {
        const bytes = Buffer.from("a".repeat(before) + secret + "b".repeat(after));
        const small = { head: 8192, tail: 8192 };
        expect(outputText(kept(bytes), createRedactor([SECRET]))).not.toContain(SECRET);
        expect(outputText(kept(bytes, small), createRedactor([SECRET]))).not.toContain(SECRET);
      }),
      { numRuns: 300 },
    );
  });

  it("holds no half of a secret that lies across the gap", () => {
    const small = { head: 10, tail: 10 };
    const bytes = Buffer.from(`${"\u0001".repeat(2)}${SECRET}${"\u0001".repeat(2)}`);
    const text = outputText(kept(bytes, small), createRedactor([SECRET]));
    expect(text).toBe("[output truncated in middle: got 27, max is 131072]\n\n\n[snip]\n\n");
  });
});
