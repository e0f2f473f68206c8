/** The settings that a channel has of its own, and how people name approvers and channels in them. Pure. */

import type { ChannelOverrides } from "../../ports/channels.ts";
import type { PlatformForms } from "../../ports/platform-entry.ts";

export const NO_SETTINGS: ChannelOverrides = {
  mode: null,
  model: null,
  approvers: [],
  servers: [],
  knowledge: [],
  language: null,
  review: null,
};

/** As many as a channel names. */
export const MOST_APPROVERS = 50;

/** Somebody as a channel's list keeps them: `U024BE7LH`, `group:S…`, a number, `role:…`; null for nobody of the platform. */
export const approverIn = ({ approvers }: Pick<PlatformForms, "approvers">, typed: string): string | null => {
  const found = approvers.flatMap(([form, prefix]) => {
    const id = form.exec(typed.trim())?.[1];
    return id === undefined ? [] : `${prefix}${id}`;
  });
  return found[0] ?? null;
};

/** A channel as it is typed, mentioned or linked; null for none. */
export const placeIn = ({ channel }: Pick<PlatformForms, "channel">, typed: string): string | null =>
  channel.exec(typed)?.[1] ?? null;
