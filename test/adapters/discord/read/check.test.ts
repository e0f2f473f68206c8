/** What doctor says of a bot's token and application. */

import { PermissionFlagsBits } from "discord.js";
import { expect, it, onTestFinished } from "vitest";
import { checkDiscord } from "../../../../adapters/discord/read/check.ts";
import { createFakeDiscord } from "../../../fakes/discord/fake.ts";

it("a token is usable, refused, or its application lacks an intent that is named", async () => {
  const fake = await createFakeDiscord();
  onTestFinished(() => fake.close());
  const { token, apiUrl } = fake;
  expect(await checkDiscord({ token, apiUrl })).toMatchObject({
    kind: "usable",
    name: "parley",
    servers: [fake.world.guildNamed("Community").id],
    lacking: [],
  });
  const role = [...fake.world.guildNamed("Community").roles.values()];
  for (const { id, name } of role) {
    fake.world
      .guildNamed("Community")
      .roles.set(id, { id, name, permissions: PermissionFlagsBits.ViewChannel });
  }
  expect(await checkDiscord({ token, apiUrl })).toMatchObject({
    lacking: [{ server: "Community", permissions: expect.arrayContaining(["SendMessages", "AttachFiles"]) }],
  });
  fake.revoke();
  expect(await checkDiscord({ token, apiUrl })).toMatchObject({
    problem: { message: expect.stringContaining("refuses the bot's token") },
  });
  const bare = await createFakeDiscord({ privileged: [] });
  onTestFinished(() => bare.close());
  expect(await checkDiscord({ token: bare.token, apiUrl: bare.apiUrl })).toMatchObject({
    problem: { message: expect.stringContaining("Message Content") },
  });
});
