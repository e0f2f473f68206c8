import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHeader } from "../../../src/tools/pictures/header.ts";
import { animated, claiming, plain } from "./samples.ts";

const side = fc.integer({ min: 1, max: 300 });

describe("a header", () => {
  it.each(["png", "jpeg", "gif", "webp"] as const)(
    "of a %s tells the size that the picture has",
    async (format) => {
      await fc.assert(
        fc.asyncProperty(side, side, fc.boolean(), async (width, height, other) => {
          const options = { png: { progressive: other }, jpeg: { progressive: other }, gif: {}, webp: {} };
          const bytes = await plain(width, height)
            .toFormat(format, format === "webp" ? { lossless: other } : options[format])
            .toBuffer();
          expect(readHeader(bytes)).toEqual({ kind: "picture", mediaType: `image/${format}`, width, height });
        }),
        { numRuns: 200 },
      );
    },
  );

  it("of an extended WebP tells the size of the canvas", async () => {
    expect(readHeader(await animated("webp"))).toMatchObject({ width: 50, height: 40 });
  });

  it("of a JPEG is found behind other segments and fill bytes", async () => {
    const bytes = await plain(30, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const filled = Buffer.concat([bytes.subarray(0, 2), Buffer.alloc(100, 0xff), bytes.subarray(2)]);
    expect(readHeader(filled)).toMatchObject({ kind: "picture", width: 30, height: 20 });
  });

  it("that was cut off is damaged, at every length; whole it is not", async () => {
    for (const format of ["png", "jpeg", "gif", "webp"] as const) {
      const bytes = await plain(30, 20).toFormat(format).toBuffer();
      for (let length = 12; length < bytes.length; length += 1) {
        expect(["damaged", "picture"]).toContain(readHeader(bytes.subarray(0, length)).kind);
      }
      expect(readHeader(bytes.subarray(0, 12)).kind).toBe("damaged");
      expect(readHeader(bytes).kind).toBe("picture");
    }
  });

  it("may lie about the size, which is read as it stands", async () => {
    expect(readHeader(await claiming(60_000, 1_000))).toMatchObject({ width: 60_000, height: 1_000 });
    expect(readHeader(await claiming(0, 1_000)).kind).toBe("damaged");
  });

  it.each<[string, Buffer | string]>([
    ["an SVG drawing", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    [
      "an SVG drawing",
      '\ufeff<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    ],
    ["an SVG drawing", "<!-- made by hand -->\n<svg></svg>"],
    ["a TIFF picture", Buffer.from("49492a0008000000", "hex")],
    ["a TIFF picture", Buffer.from("4d4d002a00000008", "hex")],
    ["a HEIC picture", "\0\0\0\x18ftypheic"],
    ["an AVIF picture", "\0\0\0\x18ftypavif"],
    ["a BMP picture", "BM\x36\0\0\0\0\0\0\0\x36\0\0\0"],
    ["a PDF document", "%PDF-1.7\n"],
  ])("of %s is known by name", (name, bytes) => {
    const file = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    expect(readHeader(file)).toEqual({ kind: "foreign", name });
  });

  it.each(["", "hello", "<html><body>svg</body></html>", "BMW", "GIF88a", "RIFF1234WAVEfmt "])(
    "of %j is nobody's",
    (text) => {
      expect(readHeader(Buffer.from(text))).toEqual({ kind: "unknown" });
    },
  );

  it("is read from any bytes without an error, and the same each time", () => {
    const start = fc.constantFrom(
      "89504e470d0a1a0a",
      "ffd8ff",
      "ffd8ffe00002ffe10003",
      "474946383961",
      "524946460000000057454250",
      "",
    );
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 400 }), (hex, rest) => {
        const bytes = Buffer.concat([Buffer.from(hex, "hex"), rest]);
        expect(readHeader(bytes)).toEqual(readHeader(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  it("of 20 MB made to be slow ends early", () => {
    const fill = Buffer.alloc(20_000_000, 0xff);
    fill.set(Buffer.from("ffd8ff", "hex"));
    const empty = Buffer.alloc(20_000_000);
    for (let at = 2; at + 4 <= empty.length; at += 4) empty.writeUInt32BE(0xffe00002, at);
    empty.set(Buffer.from("ffd8", "hex"));
    const spaces = Buffer.alloc(20_000_000, " ");
    const start = performance.now();
    expect([fill, empty, spaces].map((bytes) => readHeader(bytes).kind)).toEqual([
      "damaged",
      "damaged",
      "unknown",
    ]);
    console.info(`three headers of 20 MB: ${(performance.now() - start).toFixed(1)} ms`);
  });
});
