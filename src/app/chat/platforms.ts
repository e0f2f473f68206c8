/** The chat platforms, each by the door of its adapter. No other file outside of the adapters names one. */

import { discord } from "../../../adapters/discord/discord.ts";
import { slack } from "../../../adapters/slack/slack.ts";
import type { PlatformEntry, PlatformForms } from "../../ports/platform-entry.ts";
import type { Config } from "../settings/config.ts";

export const PLATFORMS: readonly PlatformEntry<Config>[] = [slack, discord];

/** Null: no platform has the name. */
export const formsOf = (name: string): PlatformForms | null =>
  PLATFORMS.find((one) => one.name === name)?.forms ?? null;
