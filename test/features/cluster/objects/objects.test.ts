/** What several hosts share in a bucket is kept as it is in a directory, and what was used last is not fetched again. */

import { describe, expect, it } from "vitest";
import { withCache } from "../../../../src/features/cluster/objects/with-cache.ts";
import { createBlobs } from "../../../../src/store/tables/blobs.ts";
import { temporary } from "../../../store/kit.ts";
import { holdObjects } from "../../../store/objects.ts";
import { withS3 } from "./stores.ts";

it("what was read or written last is not fetched again, within bounds, and is gone when it is removed", async () => {
  const asked: string[] = [];
  const inner = createBlobs(temporary());
  const blobs = withCache({ ...inner, get: (hash) => (asked.push(hash), inner.get(hash)) }, 10);
  const put = async (text: string): Promise<string> => {
    const stored = await blobs.put(Buffer.from(text));
    return stored.kind === "stored" ? stored.hash : stored.message;
  };
  const [one, two] = [await put("four"), await put("five!")];
  expect([String(await blobs.get(one)), String(await blobs.get(two)), asked]).toEqual(["four", "five!", []]);
  const three = await put("three");
  expect([String(await blobs.get(three)), String(await blobs.get(one)), asked]).toEqual([
    "three",
    "four",
    [one],
  ]);
  await blobs.remove(one);
  expect([await blobs.get(one), asked]).toEqual([null, [one, one]]);
});

describe("a bucket", () => {
  holdObjects(async () => (await withS3()).objects);
});
