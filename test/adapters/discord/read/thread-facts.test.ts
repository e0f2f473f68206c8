/** Who can read a thread of Discord, as Discord's own answers say. */

import { expect, it, onTestFinished } from "vitest";
import { createReadDiscordThread } from "../../../../adapters/discord/read/thread-facts.ts";
import { createDiscordCalls } from "../../../../adapters/discord/api/calls.ts";
import { createFakeDiscord } from "../../../fakes/discord/fake.ts";

const scene = async () => {
  const fake = await createFakeDiscord({ rates: "off" });
  const calls = createDiscordCalls({ token: fake.token, apiUrl: fake.apiUrl, timeout: 120_000 });
  onTestFinished(async () => {
    calls.close();
    await fake.close();
  });
  const place = fake.world.channelNamed("general").id;
  const alice = fake.as("alice");
  return { fake, alice, read: (root: string) => createReadDiscordThread(calls)({ place, root }) };
};

it("everybody in a channel that everybody sees; nobody else in a private thread, or where the channel is closed to them", async () => {
  const { fake, alice, read } = await scene();
  const open = alice.openThread("general", "Open");
  const closed = alice.openThread("general", "Closed", { isPrivate: true });
  expect(await read(open)).toEqual({ audience: "public", isArchived: false });
  expect((await read(closed))?.audience ?? "private").toBe("private");
  alice.archive(open);
  expect(await read(open)).toEqual({ audience: "public", isArchived: true });
  fake.admin.overwrite("general", "@everyone", { deny: ["ViewChannel"] });
  fake.admin.overwrite("general", "parley", { allow: ["ViewChannel"] });
  expect(await read(open)).toEqual({ audience: "private", isArchived: true });
});

it("that is not there is not known", async () => {
  const { read } = await scene();
  expect(await read("1".repeat(18))).toBeNull();
});
