/** The door of the Discord adapter: whether it is on, and the adapter. The SDK is loaded where it is on. */

import type { ChatAdapter, Opened } from "../../src/ports/connection.ts";
import type { DiscordPorts, DiscordSettings } from "./adapter.ts";

export const createDiscord = async (
  settings: DiscordSettings,
  ports: DiscordPorts,
): Promise<Opened<ChatAdapter>> => {
  const { token } = settings;
  const why = discordIsOff(settings);
  if (why !== null || token === undefined) return { kind: "off", why: why ?? "" };
  const { createDiscordAdapter } = await import("./adapter.ts");
  return { kind: "open", adapter: createDiscordAdapter({ ...settings, token }, ports) };
};

/** Why it is off, as far as the settings tell; null where it can be tried. */
export const discordIsOff = ({ token, noModel }: DiscordSettings): string | null =>
  token === undefined ? "DISCORD_TOKEN is not set" : noModel;
