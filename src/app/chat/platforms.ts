/** The chat platforms, one line each. No other file outside of the adapters names a platform. */

import { discord } from "../../../adapters/discord/discord.ts";
import { slack } from "../../../adapters/slack/slack.ts";
import type { PlatformEntry } from "../../platform.ts";
import type { PlatformForms, PlatformIds } from "../../ports/platform-entry.ts";

export const PLATFORMS: readonly PlatformEntry[] = [slack, discord];

export const formsOf = (name: string): PlatformForms | null =>
  PLATFORMS.find((one) => one.name === name)?.forms ?? null;

/** Whether a text is `PLATFORM:ID` with an id of the given form. */
export const isIdOf = (text: string, formOf: (ids: PlatformIds) => RegExp): boolean =>
  PLATFORMS.some(
    ({ name, ids }) => text.startsWith(`${name}:`) && formOf(ids).test(text.slice(name.length + 1)),
  );
