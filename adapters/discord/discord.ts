/**
 * Entry of the Discord adapter: its settings, doctor's checks, the manifest and the adapter, each loaded on
 * demand.
 */

import { DISCORD_FORMS } from "./forms.ts";
import { z } from "zod";
import { definePlatform } from "../../src/platform.ts";
import type { PlatformManifest, PlatformState } from "../../src/ports/platform-entry.ts";
import { listSetting, onOff } from "../../src/settings/kinds.ts";
import { secretAddress, secret } from "../../src/settings/secrets.ts";

const channel = /^\d{15,25}$/;
const snowflake = z.string().regex(channel, "must be a Discord id (a number), not a name");

const settings = z.object({
  DISCORD_TOKEN: secret.optional(),
  DISCORD_API_URL: secretAddress.optional(),
  PARLEY_DISCORD_CHANNELS: listSetting.pipe(z.array(snowflake)).optional(),
  PARLEY_DISCORD_DIRECT: onOff.default(false),
  PARLEY_DISCORD_REQUESTS: onOff.default(true),
  PARLEY_DISCORD_GUILD: snowflake.optional(),
  PARLEY_DISCORD_AUTO_ANSWER_FORUMS: listSetting.pipe(z.array(snowflake)).default([]),
});

const configure = (variables: z.infer<typeof settings>): PlatformState => {
  const { DISCORD_TOKEN: token } = variables;
  if (token === undefined) return { kind: "unset", why: "DISCORD_TOKEN is not set" };
  const used = {
    token,
    apiUrl: variables.DISCORD_API_URL,
    channels: variables.PARLEY_DISCORD_CHANNELS ?? null,
    answer: variables.PARLEY_DISCORD_AUTO_ANSWER_FORUMS,
    direct: variables.PARLEY_DISCORD_DIRECT,
    requests: variables.PARLEY_DISCORD_REQUESTS,
    guild: variables.PARLEY_DISCORD_GUILD,
  };
  return {
    kind: "ready",
    load,
    open: async (ports) => (await load()).createDiscordAdapter(used, ports),
    port: null,
    findings: async function* (shared) {
      const { discordFindings } = await import("./findings.ts");
      yield* discordFindings(used, shared);
    },
  };
};

const load = () => import("./adapter.ts");

const manifest: PlatformManifest = {
  help: ["", "print the required switches and the invitation link of the bot of DISCORD_TOKEN"],
  usage: [["", "required switches and the invitation link"]],
  text: async (options, setting) => {
    if (options.length > 0) return null;
    const { applicationOf, discordManifest } = await import("./read/manifest.ts");
    return discordManifest(applicationOf(setting("DISCORD_TOKEN") ?? ""));
  },
};

export const discord = definePlatform({
  name: "discord",
  title: "Discord",
  apiHost: "discord.com",
  token: "DISCORD_TOKEN",
  approverForms: "discord:manage-guild, discord:ID or discord:role:ID",
  forms: DISCORD_FORMS,
  ids: {
    approver: /^(\d+|role:\d+|manage-guild)$/,
    approverExample: "role:…",
    owner: /^(?:role:)?\d{15,25}$/,
    ownerForms: [
      ["", "ID"],
      ["role:", "ID"],
    ],
    channel,
  },
  manifest,
  tokens: /^[\w-]{20,}\.[\w-]{4,}\.[\w-]{20,}$/,
  setup: async () => (await import("./setup.ts")).discordSetup,
  settings,
  configure,
});
