import { mkdtemp, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOutputs } from "../../../src/tools/bash/outputs.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "parley-outputs-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const never = (why: string): void => expect.fail(why);

it("keeps what comes in its order, with the last line after it, whatever umask the host has", async () => {
  const before = process.umask(0o077);
  const file = await createOutputs().open(join(root, "a"), "x.log", never);
  for (const word of ["one ", "two ", "three"]) file.write(Buffer.from(word));
  await file.end("\nover\n");
  process.umask(before);
  file.write(Buffer.from("late"));
  expect(await readFile(join(root, "a", "x.log"), "utf8")).toBe("one two three\nover\n");
  expect((await stat(join(root, "a"))).mode & 0o777).toBe(0o755);
  expect((await stat(join(root, "a", "x.log"))).mode & 0o777).toBe(0o644);
});

it("takes 16 MiB, says once that there is more, and drops that", async () => {
  const broken: string[] = [];
  const file = await createOutputs().open(root, "x.log", (why) => broken.push(why));
  const piece = Buffer.alloc(2 ** 20, "x");
  for (let n = 0; n < 16; n++) file.write(piece);
  expect(broken).toEqual([]);
  file.write(Buffer.from("y"));
  file.write(piece);
  expect(broken).toEqual(["it wrote more than 16 MiB"]);
  await file.end("end");
  expect((await stat(join(root, "x.log"))).size).toBe(16 * 2 ** 20 + 3);
});

it("keeps the newest eight of ended commands, and all of running ones", async () => {
  const outputs = createOutputs();
  const running = await outputs.open(root, "running", never);
  await utimes(join(root, "running"), 1, 1);
  for (let n = 0; n < 10; n++) {
    const file = await outputs.open(root, `ended-${n}`, never);
    await file.end("");
    await utimes(join(root, `ended-${n}`), 100 + n, 100 + n);
  }
  expect((await readdir(root)).toSorted()).toEqual([
    ...Array.from({ length: 8 }, (_, n) => `ended-${n + 2}`),
    "running",
  ]);
  await running.end("");
});
