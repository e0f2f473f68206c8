/** The application as its token may change it, and the servers that the bot is in. */

import { Events, Routes } from "discord.js";
import { expect, test } from "vitest";
import { clientOn, harness, readyOn, refusal } from "../harness.ts";

const BADGE = 1 << 23;
const MESSAGE_CONTENT = 1 << 19;
const MEMBERS = 1 << 15;

test("an intent that is switched on by PATCH lets the real client in", async () => {
  const { fake, rest } = await harness({ privileged: [] });
  await expect(clientOn(fake).login(fake.token)).rejects.toThrow("Used disallowed intents");
  fake.violations.splice(0);
  const changed = await rest.patch(Routes.currentApplication(), { body: { flags: MESSAGE_CONTENT } });
  expect(changed).toMatchObject({ flags: BADGE | MESSAGE_CONTENT });
  expect(await rest.get(Routes.currentApplication())).toMatchObject({ flags: BADGE | MESSAGE_CONTENT });
  expect((await readyOn(fake)).guilds.cache.size).toBe(1);
});

test("the flags that are sent are all that stay", async () => {
  const { fake, rest } = await harness({ privileged: ["members"] });
  await rest.patch(Routes.currentApplication(), { body: { flags: MESSAGE_CONTENT } });
  expect(await rest.get(Routes.currentApplication())).toMatchObject({ flags: BADGE | MESSAGE_CONTENT });
  fake.grantIntents(["members"]);
  expect(await rest.get(Routes.currentApplication())).toMatchObject({ flags: BADGE | MEMBERS });
});

test("other flags are refused, and a verified application changes none", async () => {
  const { fake, rest } = await harness({ privileged: [] });
  const all = { body: { flags: MESSAGE_CONTENT | BADGE } };
  expect((await refusal(rest.patch(Routes.currentApplication(), all))).code).toBe(50_035);
  expect(fake.violations.splice(0)).toHaveLength(1);
  const verified = await harness({ privileged: [], isVerified: true });
  const one = { body: { flags: MESSAGE_CONTENT } };
  expect((await refusal(verified.rest.patch(Routes.currentApplication(), one))).code).toBe(50_035);
  expect(verified.fake.violations).toEqual([]);
});

test("the bot has only servers that invited it, and hears of an invitation", async () => {
  const guilds = [
    { name: "Here", channels: [{ name: "general" }] },
    {
      name: "There",
      channels: [{ name: "lobby" }, { name: "talk" }],
      systemChannel: "talk",
      withoutApp: true,
    },
  ];
  const { fake, rest } = await harness({ guilds });
  const names = async (): Promise<unknown> => {
    const joined: unknown = await rest.get(Routes.userGuilds());
    return Array.isArray(joined) ? joined.map(({ name }) => name) : joined;
  };
  expect(await names()).toEqual(["Here"]);
  const there = fake.world.guildNamed("There").id;
  expect((await refusal(rest.get(Routes.guildChannels(there)))).code).toBe(10_004);
  const client = await readyOn(fake);
  const invited = new Promise((resolve) => client.once(Events.GuildCreate, ({ name }) => resolve(name)));
  fake.admin.inviteApp("There");
  expect(await invited).toBe("There");
  expect(await names()).toEqual(["Here", "There"]);
  expect(await rest.get(Routes.guildChannels(there))).toMatchObject([{ position: 0 }, { position: 1 }]);
  expect(await rest.get(Routes.guild(there))).toMatchObject({
    system_channel_id: fake.world.channelNamed("talk").id,
  });
});
