/** Names and sizes of files, the same on every surface. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeName, sizeText } from "../../../adapters/text/files.ts";

describe("a file's name", () => {
  it("is what every platform takes, whatever the repository calls it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const safe = safeName(name);
        expect(safe).toMatch(/^[A-Za-z0-9._-]{1,100}$/);
        expect(safe).not.toMatch(/^[.-]/);
        expect(safeName(safe)).toBe(safe);
      }),
    );
  });

  it.each([
    ["report.csv", "report.csv"],
    ["Straße nach Kyōto.tar.gz", "Stra_e_nach_Kyoto.tar.gz"],
    ["../../etc/passwd", "etc_passwd"],
    [".env", "env"],
    ["日本語.txt", "txt"],
    ["", "file"],
    [`${"a".repeat(200)}.diff`, `${"a".repeat(95)}.diff`],
  ])("%j becomes %s", (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  it("has its size beside it in words", () => {
    const sizes = [1, 1_023, 1_024, 1_047_552, 1_048_576, 3_565_158].map((size) => sizeText(size));
    expect(sizes).toEqual(["1 byte", "1023 bytes", "1 KB", "1023 KB", "1.0 MB", "3.4 MB"]);
  });
});
