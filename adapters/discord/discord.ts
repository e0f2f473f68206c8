/** The door of the Discord adapter: its settings, doctor's checks, the manifest and the adapter, each loaded when it is asked for. */

import type { PlatformEntry, PlatformManifest, PlatformState } from "../../src/ports/platform-entry.ts";
import { DISCORD_FORMS } from "./forms.ts";

/** The settings that decide about Discord. */
interface DiscordVariables {
  readonly DISCORD_TOKEN?: string | undefined;
  readonly DISCORD_API_URL?: string | undefined;
  readonly PARLEY_DISCORD_CHANNELS?: readonly string[] | undefined;
  readonly PARLEY_DISCORD_ANSWER: readonly string[];
  readonly PARLEY_DISCORD_DIRECT: boolean;
  readonly PARLEY_DISCORD_REQUESTS: boolean;
  readonly PARLEY_DISCORD_GUILD?: string | undefined;
}

const configure = (variables: DiscordVariables): PlatformState => {
  const { DISCORD_TOKEN: token } = variables;
  if (token === undefined) return { kind: "unset", why: "DISCORD_TOKEN is not set" };
  const settings = {
    token,
    apiUrl: variables.DISCORD_API_URL,
    channels: variables.PARLEY_DISCORD_CHANNELS ?? null,
    answer: variables.PARLEY_DISCORD_ANSWER,
    direct: variables.PARLEY_DISCORD_DIRECT,
    requests: variables.PARLEY_DISCORD_REQUESTS,
    guild: variables.PARLEY_DISCORD_GUILD,
  };
  return {
    kind: "ready",
    load,
    open: async (ports) => (await load()).createDiscordAdapter(settings, ports),
    port: null,
    findings: async function* (shared) {
      const { discordFindings } = await import("./findings.ts");
      yield* discordFindings(settings, shared);
    },
  };
};

const load = () => import("./adapter.ts");

const manifest: PlatformManifest = {
  help: ["", "print what to switch on, and the invitation of the bot that DISCORD_TOKEN names"],
  usage: [["", "what to switch on, and the invitation"]],
  text: async (options, setting) => {
    if (options.length > 0) return null;
    const { applicationOf, discordManifest } = await import("./read/manifest.ts");
    return discordManifest(applicationOf(setting("DISCORD_TOKEN") ?? ""));
  },
};

export const discord: PlatformEntry<DiscordVariables> = {
  name: "discord",
  title: "Discord",
  apiHost: "discord.com",
  approverForms: "discord:manage-guild, discord:ID or discord:role:ID",
  forms: DISCORD_FORMS,
  manifest,
  configure,
};
