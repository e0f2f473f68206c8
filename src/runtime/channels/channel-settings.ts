/** Empty channel settings, and the reading of approvers and channels that people type. Pure. */

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

/** Most approvers that a channel's settings may list. */
export const MOST_APPROVERS = 50;

/**
 * Returns the stored form of an approver: `U024BE7LH`, `group:S…`, a number or `role:…`. Null if `typed` matches no form of the
 * platform.
 */
export const approverIn = ({ approvers }: Pick<PlatformForms, "approvers">, typed: string): string | null => {
  const found = approvers.flatMap(([form, prefix]) => {
    const id = form.exec(typed.trim())?.[1];
    return id === undefined ? [] : `${prefix}${id}`;
  });
  return found[0] ?? null;
};

/** Returns the id of a channel that was typed, mentioned or linked; null if there is none. */
export const placeIn = ({ channel }: Pick<PlatformForms, "channel">, typed: string): string | null =>
  channel.exec(typed)?.[1] ?? null;
