/** Files by content hash: whole or absent, for the owner alone, and reached by nothing but a hash. */

import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBlobs } from "../../../src/store/tables/blobs.ts";
import { listening, temporary } from "../kit.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("blobs", () => {
  it("give back any bytes under their SHA-256", async () => {
    const blobs = createBlobs(temporary());
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await blobs.put(bytes)).toEqual({ kind: "stored", hash: sha256(bytes) });
        expect(await blobs.get(sha256(bytes))).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 30 },
    );
  });

  it("are files of their own, once for each content, for the owner alone", async () => {
    const directory = temporary();
    const blobs = createBlobs(directory);
    const bytes = randomBytes(300_000);
    const outcomes = await Promise.all([blobs.put(bytes), blobs.put(Buffer.from(bytes)), blobs.put(bytes)]);
    await blobs.put(bytes);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    const folder = join(directory, "blobs");
    expect(readdirSync(folder)).toEqual([sha256(bytes)]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, sha256(bytes))).mode & 0o777).toBe(0o600);
  });

  it("survive what an interrupted write left behind", async () => {
    const directory = temporary();
    const bytes = Buffer.from("content");
    mkdirSync(join(directory, "blobs"));
    writeFileSync(join(directory, "blobs", `${sha256(bytes)}.part`), "conten and more");
    const blobs = createBlobs(directory);
    expect(await blobs.get(sha256(bytes))).toBeNull();
    await blobs.put(bytes);
    expect(await blobs.get(sha256(bytes))).toEqual(bytes);
    expect(readdirSync(join(directory, "blobs"))).toEqual([sha256(bytes)]);
  });

  it.each([
    "../secret",
    "",
    "secret",
    `${"0".repeat(64)}/../../secret`,
    "A".repeat(64),
    `${"a".repeat(64)}\n`,
  ])("are not reached by %j", async (name) => {
    const directory = temporary();
    const { log, errors } = listening();
    writeFileSync(join(directory, "secret"), "secret");
    const blobs = createBlobs(directory, log);
    await blobs.put(Buffer.from("something"));
    expect(await blobs.get(name)).toBeNull();
    expect(errors).toEqual([]);
  });

  it("that no longer match their hash are not given back, and the log says so", async () => {
    const directory = temporary();
    const { log, errors } = listening();
    const blobs = createBlobs(directory, log);
    const bytes = Buffer.from("content");
    const hash = sha256(bytes);
    expect(await blobs.get(hash)).toBeNull();
    expect(errors).toEqual([]);
    await blobs.put(bytes);
    writeFileSync(join(directory, "blobs", hash), "altered");
    expect(await blobs.get(hash)).toBeNull();
    expect(errors).toEqual([`store: file damaged, hash differs {"hash":"${hash}"}`]);
  });

  it("that cannot be written are a value", async () => {
    const directory = temporary();
    writeFileSync(join(directory, "blobs"), "a file where the folder should be");
    expect(await createBlobs(directory).put(Buffer.from("x"))).toMatchObject({ kind: "failed", code: "io" });
  });
});
