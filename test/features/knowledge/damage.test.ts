/** An index that is killed, lost or damaged goes on or is built anew, and harms nothing else. */

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "../../scratch.ts";
import { channel, conversation, forgeWith, found, worldOn } from "./world.ts";

const MINUTE = 60_000;

const filled = async () => {
  const fake = await forgeWith();
  for (let n = 1; n <= 150; n += 1)
    fake.world.addIssue("acme/shop", { title: `A walrus of number ${n}`, at: n * MINUTE });
  return fake;
};

it("goes on in another process where one was ended", async () => {
  const fake = await filled();
  const directory = scratch("knowledge");
  fake.fault({ kind: "secondary", retryAfter: 600 }, "issues/list-for-repo", 1, 1);
  const first = await worldOn(fake, ["issues"], { directory });
  await first.clock.quiet();
  expect(first.knowledge.figures().texts).toBe(100);
  await first.knowledge.close();
  const asked = fake.calls.length;
  const second = await worldOn(fake, ["issues"], { directory });
  await second.clock.pass(11 * MINUTE);
  expect(second.knowledge.figures().texts).toBe(150);
  expect(fake.calls[asked]?.exchange.query["since"]).toBe(
    new Date(100 * MINUTE).toISOString().replace(".000", ""),
  );
});

it.each([
  ["lost", (file: string) => rmSync(file)],
  [
    "no database",
    (file: string) =>
      writeFileSync(file, "not a database at all, but long enough to be read as one. ".repeat(200)),
  ],
  ["of another version", (file: string) => writeFileSync(file, "")],
])("is built anew where the file is %s", async (_, harm) => {
  const fake = await filled();
  const directory = scratch("knowledge");
  const first = await worldOn(fake, ["issues"], { directory });
  await first.clock.quiet();
  await first.knowledge.close();
  const file = join(directory, "knowledge.sqlite");
  expect(existsSync(file)).toBe(true);
  for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  harm(file);
  const second = await worldOn(fake, ["issues"], { directory });
  await second.clock.quiet();
  expect(found(second, "walrus number 77")[0]).toBe("/acme/shop/issues/77");
});

it("is built anew while it runs, and says so meanwhile", async () => {
  const fake = await filled();
  const directory = scratch("knowledge");
  const first = await worldOn(fake, ["issues"], { directory });
  await first.clock.quiet();
  await first.knowledge.close();
  const { default: Database } = await import("better-sqlite3");
  const db = new Database(join(directory, "knowledge.sqlite"));
  db.unsafeMode(true);
  db.exec("UPDATE words_data SET block = x'ffffffffffffffffffffffff'");
  db.close();
  const second = await worldOn(fake, ["issues"], { directory });
  const answer = second.knowledge.find(conversation, "walrus");
  expect(answer).toMatchObject({ kind: "trouble", why: expect.stringMatching(/being built/) });
  await second.clock.quiet();
  expect(found(second, "walrus number 77")[0]).toBe("/acme/shop/issues/77");
});

it("stops at its bound and says so", async () => {
  const fake = await filled();
  const world = await worldOn(fake, ["issues"], { bytes: 50_000 });
  await world.clock.quiet();
  expect(world.knowledge.standings(["issues"], conversation.repo, channel)[0]?.why).toMatch(
    /PARLEY_KNOWLEDGE_MIB/,
  );
});
