/** 40.B A thread that was closed to the bot gets its answer as soon as Discord tells that it is open, and nobody has to write. */

import { expect, it } from "vitest";
import { textAnswer } from "../../runtime/world.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const ANSWERED = /The answer\.[^]*tricted[^·\n]* · [[`<]/;

/** All that an answer needs but the right to write in threads. */
const UNTHREADED = [
  "ViewChannel",
  "SendMessages",
  "CreatePublicThreads",
  "ReadMessageHistory",
  "EmbedLinks",
] as const;

/** A turn whose answer the test lets come. */
const working = async () => {
  const gate = Promise.withResolvers<void>();
  const rig = await createRig({
    patience: 0,
    answer: () => gate.promise.then(() => textAnswer("The answer.")),
  });
  const asked = rig.fake.as("bob").say("general", "@parley hello?");
  await rig.reads(asked.id, /Still working/);
  return { rig, thread: asked.id, answer: gate.resolve };
};

/** Discord has refused what the bot wrote in the thread. */
const refused = async (rig: DiscordRig, thread: string, answer: () => void): Promise<void> => {
  answer();
  await rig.reads("general", /refuses the thread/);
  await expect.poll(() => rig.logged.join("\n")).toContain("delivery: thread closed");
  expect(rig.fake.asText(thread)).not.toMatch(ANSWERED);
};

it("40.B after a permission in the channel came back", async () => {
  const { rig, thread, answer } = await working();
  rig.fake.admin.overwrite("general", "parley", { deny: ["SendMessagesInThreads"] });
  await refused(rig, thread, answer);
  rig.fake.admin.overwrite("general", "parley", {});
  await rig.reads(thread, ANSWERED);
  expect(rig.fake.violations).toEqual([]);
});

it("40.B after a role got a permission back", async () => {
  const { rig, thread, answer } = await working();
  for (const role of ["parley", "@everyone"]) rig.fake.admin.setRole("Community", role, UNTHREADED);
  await refused(rig, thread, answer);
  rig.fake.admin.setRole("Community", "parley", [...UNTHREADED, "SendMessagesInThreads"]);
  await rig.reads(thread, ANSWERED);
  expect(rig.fake.violations).toEqual([]);
});

it("40.B after the bot got a role with the permission", async () => {
  const { rig, thread, answer } = await working();
  rig.fake.admin.giveRole("Community", "maria", "writers");
  rig.fake.admin.setRole("Community", "writers", [...UNTHREADED, "SendMessagesInThreads"]);
  for (const role of ["parley", "@everyone"]) rig.fake.admin.setRole("Community", role, UNTHREADED);
  await refused(rig, thread, answer);
  rig.fake.admin.giveRole("Community", "parley", "writers");
  await rig.reads(thread, ANSWERED);
  expect(rig.fake.violations).toEqual([]);
});

it("40.B after a moderator locked and archived the thread in mid-turn and opened it again", async () => {
  const { rig, thread, answer } = await working();
  rig.fake.as("maria").lock(thread);
  rig.fake.as("maria").archive(thread);
  answer();
  await expect.poll(() => rig.logged.join("\n")).toContain("delivery: thread closed");
  rig.fake.as("maria").unlock(thread);
  await rig.reads(thread, ANSWERED);
  expect(rig.fake.violations).toEqual([]);
});

it("40.B a person who could not be told that their message was not taken is told once the bot may write again", async () => {
  const { rig, thread, answer } = await working();
  let isRefused = true;
  rig.fake.fault(
    { kind: "error", status: 403, code: 50_001, message: "Missing Access" },
    {
      times: Number.POSITIVE_INFINITY,
      match: ({ route }) => isRefused && route.startsWith("POST ") && route.endsWith("/messages"),
    },
  );
  rig.fake.as("maria").say(thread, "@parley and me?");
  await expect.poll(() => rig.logged.join("\n")).toContain("replies: refusal not posted");
  isRefused = false;
  rig.fake.admin.overwrite("general", "parley", {});
  await rig.reads(thread, /@maria.*so I did not start on yours/);
  answer();
  await rig.reads(thread, ANSWERED);
  expect(rig.fake.violations).toEqual([]);
});
