import fc from "fast-check";
import { expect, it } from "vitest";
import { FIRST_BYTE } from "../../../src/text/visible-diff.ts";
import { exactBytes, decodeExactly } from "../../../src/workspace/run/exact-text.ts";
import { testSeed } from "../../seed.ts";

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: "binary", maxLength: 4 }).map((text) => Buffer.from(text)),
  fc
    .constantFrom("\ufeff\ufffd", "größe 日本 👩", String.fromCodePoint(0x10_ff7f, FIRST_BYTE, 0x10_ffff))
    .map(Buffer.from),
  // Cut, too long, a surrogate, and beyond Unicode.
  fc.constantFrom([0xe6, 0x97], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]).map(Buffer.from),
);

it("WG6 no two files look the same: the text has every byte, whatever encoding the file has", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const bytes = Buffer.concat(pieces);
      const text = decodeExactly(bytes);
      expect(text.isWellFormed()).toBe(true);
      expect(exactBytes(text).equals(bytes)).toBe(true);
    }),
    { numRuns: 2_000, seed: testSeed() },
  );
});

it("WG6 UTF-8 is the text that it encodes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!Array.from(text).some((unit) => (unit.codePointAt(0) ?? 0) >= FIRST_BYTE));
      expect(decodeExactly(Buffer.from(text))).toBe(text);
    }),
    { numRuns: 500, seed: testSeed() },
  );
});
