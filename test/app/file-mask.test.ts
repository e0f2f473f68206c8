/** Shared files are looked through beside the event loop, up to a size and for a limited time. */

import { expect, it } from "vitest";
import { MASK } from "../../src/text/secrets/known-forms.ts";
import { createMaskFile } from "../../src/app/file-mask.ts";
import { whole } from "../text/secrets/secret-samples.ts";

const SECRET = whole["GitHub personal token"] ?? "";

it("masks a text and leaves a picture as it is, while the event loop goes on", async () => {
  const mask = createMaskFile();
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  // One that masking once took for ever.
  const poison = Buffer.from("PASSWORD=a1".repeat(100_000));
  const [text, picture, long] = await Promise.all([
    mask(Buffer.from(`It is ${SECRET}.`)),
    mask(Buffer.from([0x89, 0x50, 0, 1, 2])),
    mask(poison),
  ]);
  clearInterval(ticking);
  expect(text).toMatchObject({ kind: "masked", count: 1 });
  expect(text.kind === "masked" && Buffer.from(text.bytes).toString()).toBe(`It is ${MASK}.`);
  expect(picture).toMatchObject({ kind: "masked", count: 0 });
  expect(picture.kind === "masked" && [...picture.bytes]).toEqual([0x89, 0x50, 0, 1, 2]);
  expect(long.kind).toBe("masked");
  expect(turns).toBeGreaterThan(2);
});

it("gives nothing out of a file beyond the limit, and says which limit", async () => {
  const mask = createMaskFile(1_048_576, 1);
  const large = await mask(Buffer.alloc(1_048_577, "a"));
  expect(large).toEqual({
    kind: "beyond",
    why: "a file is searched for keys and passwords first, up to 1 MB",
  });
  const slow = await mask(Buffer.from("PASSWORD=a1".repeat(90_000)));
  expect(slow).toEqual({
    kind: "beyond",
    why: "it could not be searched for keys and passwords within 0.001 s",
  });
});
