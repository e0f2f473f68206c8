/** What people are told to switch on, and where to click. */

import { expect, it } from "vitest";
import { INTENTS } from "../../../../adapters/discord/receive/gateway.ts";
import {
  applicationOf,
  discordManifest,
  inviteUrl,
  missingPermissions,
  permissionsInteger,
} from "../../../../adapters/discord/read/manifest.ts";
import { GatewayIntentBits, PermissionsBitField } from "discord.js";

const application = "1234567890123456789";
const token = `${Buffer.from(application).toString("base64url")}.abc.def`;

it("the invitation names the application of the token, the scopes and every permission that is listed", () => {
  expect(applicationOf(token)).toBe(application);
  expect(applicationOf("nonsense")).toBeNull();
  const text = discordManifest(application);
  expect(text).toContain(inviteUrl(application));
  expect(inviteUrl(application)).toMatch(/scope=bot%20applications\.commands&permissions=\d+$/);
  for (const name of new PermissionsBitField(BigInt(permissionsInteger())).toArray()) {
    expect(text).toContain(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " "));
  }
  expect(text).not.toMatch(/Administrator/);
});

it("every privileged intent that is asked for is named, and no other", () => {
  const privileged = [
    GatewayIntentBits.MessageContent,
    GatewayIntentBits.GuildMembers,
    GatewayIntentBits.GuildPresences,
  ];
  expect(INTENTS.filter((intent) => privileged.some((one) => one === intent))).toEqual([
    GatewayIntentBits.MessageContent,
  ]);
  expect(discordManifest(null)).toMatch(/switch on Message Content Intent[^]*APPLICATION_ID/);
});

it("a permission is missing unless it is held, or the bot administers the server", () => {
  expect(missingPermissions(permissionsInteger())).toEqual([]);
  expect(missingPermissions("8")).toEqual([]);
  expect(missingPermissions("0")).toContain("SendMessagesInThreads");
});
