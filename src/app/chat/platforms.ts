/** The chat platforms, each by the door of its adapter. No other file outside of the adapters names one. */

import { discord } from "../../../adapters/discord/discord.ts";
import { slack } from "../../../adapters/slack/slack.ts";
import type { PlatformEntry } from "../../ports/platform-entry.ts";
import type { Config } from "../settings/config.ts";

export const PLATFORMS: readonly PlatformEntry<Config>[] = [slack, discord];
