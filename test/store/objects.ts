/** Laws of a place that keeps pictures, files and parked checkouts. */

import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Objects } from "../../src/ports/store.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { blobsIn } from "../../src/store/tables/blobs.ts";

/** Whole or not at all, and found by the beginning of its name. */
export const holdObjects = (open: () => Promise<Objects>): void => {
  it("gives back any bytes, however they come in", async () => {
    const objects = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 4 }), async (chunks) => {
        expect(await objects.put("blobs/it", chunks)).toEqual({ kind: "done" });
        expect(await read(objects, "blobs/it")).toEqual(Buffer.concat(chunks));
      }),
      { numRuns: 15 },
    );
  });

  it("lists by the beginning of a name, over several pages, and removes one or all below", async () => {
    const objects = await open();
    expect(await objects.list("checkouts/")).toEqual({ kind: "names", names: [] });
    const names = ["c-1/a", "c-1/b", "c-1/draft/a", "c-1/draft/b", "c-10/a", "c-2/a"].map(
      (name) => `checkouts/${name}`,
    );
    for (const name of names) await objects.put(name, [Buffer.from(name)]);
    const listed = async (prefix: string) => {
      const found = await objects.list(prefix);
      return found.kind === "names" ? found.names.toSorted() : found;
    };
    expect(await listed("checkouts/")).toEqual(names);
    expect(await listed("checkouts/c-1")).toEqual(names.slice(0, 5));
    expect(await objects.remove("checkouts/c-1/draft/a")).toEqual({ kind: "done" });
    expect(await objects.remove("checkouts/c-1/draft/a")).toEqual({ kind: "done" });
    expect(await objects.remove("checkouts/c-1/")).toEqual({ kind: "done" });
    expect(await objects.remove("checkouts/c-3/")).toEqual({ kind: "done" });
    expect(await listed("checkouts/")).toEqual(names.slice(4));
    expect(await read(objects, "checkouts/c-1/a")).toBe("missing");
    expect(String(await read(objects, "checkouts/c-10/a"))).toBe("checkouts/c-10/a");
  });

  it("keeps what was there where its replacement breaks off, and says so; so does a reader that fails", async () => {
    const objects = await open();
    await objects.put("blobs/it", [Buffer.from("old")]);
    expect(await objects.put("blobs/it", failing())).toMatchObject({ kind: "failed" });
    expect(String(await read(objects, "blobs/it"))).toBe("old");
    const full = Object.assign(new Error("full"), { code: "ENOSPC" });
    expect(await objects.get("blobs/it", () => Promise.reject(full))).toMatchObject({ code: "disk_full" });
    expect(await objects.list("blobs/")).toEqual({ kind: "names", names: ["blobs/it"] });
  });

  it("has pictures and files by their hash", async () => {
    const blobs = blobsIn(await open(), silentLog);
    const put = await blobs.put(Buffer.from("picture"));
    if (put.kind !== "stored") throw new Error(put.message);
    expect(String(await blobs.get(put.hash))).toBe("picture");
    await blobs.remove(put.hash);
    expect(await blobs.get(put.hash)).toBeNull();
  });
};

const read = async (objects: Objects, name: string): Promise<Buffer | string> => {
  let bytes: Buffer = Buffer.alloc(0);
  const got = await objects.get(name, async (chunks) => {
    bytes = await buffer(chunks);
  });
  return got.kind === "got" ? bytes : got.kind;
};

const failing = function* (): Generator<Uint8Array> {
  yield Buffer.from("half");
  throw new Error("the source broke off");
};
