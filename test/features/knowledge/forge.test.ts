/** What a forge has of a project, read into the index and kept up with. */

import { expect, it } from "vitest";
import { channel, conversation, forgeWith, found, HOUR, NOON, worldOn } from "./world.ts";

const MINUTE = 60_000;

it("finds issues by their own words and by those of their comments, with state and date", async () => {
  const fake = await forgeWith();
  fake.world.addIssue("acme/shop", {
    title: "Uploads are lost",
    text: "The queue drops large files.",
    at: NOON,
    state: "closed",
  });
  fake.world.addIssue("acme/shop", {
    title: "Worker does not start",
    text: "It says ECONNREFUSED.",
    comments: [{ author: "bo", at: NOON, text: "Set QUEUE_URL to the broker's address, then it connects." }],
  });
  const world = await worldOn(fake, ["issues"]);
  await world.clock.quiet();
  expect(found(world, "why are my uploads being lost?")[0]).toBe("/acme/shop/issues/1");
  expect(found(world, "broker address connecting")).toEqual(["/acme/shop/issues/2#issuecomment-1"]);
  const answer = world.knowledge.find(conversation, "queue drops files");
  expect(answer.kind === "found" ? answer.hits[0] : null).toMatchObject({
    state: "closed",
    at: NOON,
    source: "issues of acme/shop",
  });
});

it("leaves pull requests out, and what their comments say", async () => {
  const fake = await forgeWith();
  const pull = {
    base: "main",
    head: "x",
    headCommit: "a",
    from: "acme/shop",
    draft: false,
    merged: false,
    files: [],
    reviews: [],
    remarks: [],
  };
  fake.world.addIssue("acme/shop", { title: "Rename the zebra", pull });
  fake.world.addIssue("acme/shop", { title: "A zebra is seen" });
  const world = await worldOn(fake, ["issues"]);
  await world.clock.quiet();
  expect(found(world, "zebra")).toEqual(["/acme/shop/issues/2"]);
});

it("reads lists of any length, and once they are read asks for what changed alone", async () => {
  const fake = await forgeWith();
  for (let n = 1; n <= 250; n += 1)
    fake.world.addIssue("acme/shop", {
      title: `Number ${n} of many`,
      at: NOON - (250 - Math.floor(n / 120)) * MINUTE,
    });
  const world = await worldOn(fake, ["issues"]);
  await world.clock.quiet();
  expect(world.knowledge.standings(["issues"], null, channel)).toHaveLength(1);
  expect(world.knowledge.figures().texts).toBe(250);
  const first = fake.calls.length;
  await world.clock.pass(HOUR);
  const second = fake.calls.slice(first);
  expect(second.map(({ operation }) => operation)).toEqual([
    "issues/list-for-repo",
    "issues/list-comments-for-repo",
  ]);
  await world.clock.pass(HOUR);
  const third = await Promise.all(
    fake.calls.slice(first + 2).map(async ({ exchange }) => (await exchange.ended).bytesSent),
  );
  expect(third).toEqual([0, 0]);
});

it("follows what is edited and closed, and drops what was deleted when it looks at all of it again", async () => {
  const fake = await forgeWith();
  const issue = fake.world.addIssue("acme/shop", {
    title: "The giraffe is missing",
    text: "old words",
    comments: [{ author: "bo", at: NOON, text: "Look behind the shed." }],
  });
  fake.world.addIssue("acme/shop", { title: "An elephant" });
  const world = await worldOn(fake, ["issues"]);
  await world.clock.quiet();
  issue.title = "The lion is missing";
  issue.text = "new words";
  issue.state = "closed";
  issue.changed = NOON + MINUTE;
  await world.clock.pass(HOUR);
  expect(found(world, "giraffe")).toEqual([]);
  expect(found(world, "old")).toEqual([]);
  const answer = world.knowledge.find(conversation, "behind the shed");
  expect(answer.kind === "found" ? answer.hits[0] : null).toMatchObject({
    title: "The lion is missing",
    state: "closed",
  });

  fake.world.repos.get("acme/shop")?.issues.splice(0, 1);
  await world.clock.pass(HOUR);
  expect(found(world, "lion")).not.toEqual([]);
  await world.knowledge.refresh(["issues"], conversation.repo, channel);
  await world.clock.quiet();
  expect(found(world, "lion")).toEqual([]);
  expect(found(world, "elephant")).toEqual(["/acme/shop/issues/2"]);
});

it("waits as long as the forge asks for and tells so, and goes on where it was", async () => {
  const fake = await forgeWith();
  for (let n = 1; n <= 150; n += 1)
    fake.world.addIssue("acme/shop", { title: `Number ${n}`, at: NOON + n * MINUTE });
  fake.fault({ kind: "secondary", retryAfter: 600 }, "issues/list-for-repo", 1, 1);
  const world = await worldOn(fake, ["issues"]);
  await world.clock.quiet();
  const [standing] = world.knowledge.standings(["issues"], conversation.repo, channel);
  expect(standing).toMatchObject({ texts: 100, reading: true, read: null });
  expect(standing?.why).toBe("github.com limits how often Parley may ask; try again in 600 s.");
  const asked = fake.calls.length;
  await world.clock.pass(9 * MINUTE);
  expect(fake.calls).toHaveLength(asked);
  await world.clock.pass(2 * MINUTE);
  expect(world.knowledge.standings(["issues"], conversation.repo, channel)).toMatchObject([
    { texts: 150, why: null, reading: false },
  ]);
});

it("keeps a fifth of the forge's allowance for people", async () => {
  const fake = await forgeWith();
  fake.world.allowance = { token: 5, stranger: 0 };
  for (let n = 1; n <= 900; n += 1)
    fake.world.addIssue("acme/shop", { title: `Number ${n}`, at: NOON + n * MINUTE });
  const world = await worldOn(fake, ["issues"]);
  await world.clock.quiet();
  expect(fake.calls).toHaveLength(5);
  expect(world.knowledge.standings(["issues"], conversation.repo, channel)[0]?.why).toMatch(
    /kept for people/,
  );
});

it("reads releases with their versions", async () => {
  const fake = await forgeWith();
  fake.world.repos.get("acme/shop")?.releases.push({
    tag: "v2.1.0",
    name: "The quiet one",
    author: "ana",
    at: NOON,
    text: "Uploads are retried.",
  });
  const world = await worldOn(fake, ["releases"]);
  await world.clock.quiet();
  const answer = world.knowledge.find(conversation, "uploads retried");
  expect(answer.kind === "found" ? answer.hits[0] : null).toMatchObject({
    version: "v2.1.0",
    title: "The quiet one",
  });
});

it("forgets what is switched off, and finds nothing where nothing is on", async () => {
  const fake = await forgeWith();
  fake.world.addIssue("acme/shop", { title: "A walrus" });
  const world = await worldOn(fake, ["issues"]);
  await world.clock.quiet();
  expect(found(world, "walrus")).toHaveLength(1);
  world.entries = [];
  world.knowledge.changed();
  await world.clock.quiet();
  expect(world.knowledge.figures()).toMatchObject({ sources: 0, texts: 0 });
  expect(world.knowledge.find(conversation, "walrus").kind).toBe("trouble");
});
