import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimSlot, repositorySlot } from "../../../src/workspace/disk/slots.ts";

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-slots-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("500 conversations get 500 slots, at once and again, none of a repository", async () => {
  const ids = Array.from({ length: 500 }, (_, i) => `c-${i}`);
  const claimed = await Promise.all(ids.map((id) => claimSlot(directory, id)));
  expect(new Set(claimed).size).toBe(500);
  expect(Math.min(...claimed)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...claimed)).toBeLessThan(9000);
  expect(await Promise.all(ids.map((id) => claimSlot(directory, id)))).toEqual(claimed);
});

test("a repository's slot is stable and in its own range", () => {
  expect(repositorySlot("aa")).toBe(repositorySlot("aa"));
  for (const key of ["aa", "bb", "cc"]) {
    expect(repositorySlot(key)).toBeGreaterThanOrEqual(9000);
    expect(repositorySlot(key)).toBeLessThan(10_000);
  }
});
