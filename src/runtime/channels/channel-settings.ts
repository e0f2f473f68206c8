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
  quiet: null,
  links: false,
};

export const MOST_APPROVERS = 50;

/** Returns `U024BE7LH`, `group:S…`, a number or `role:…`; null if `typed` matches no form of the platform. */
export const approverIn = ({ approvers }: Pick<PlatformForms, "approvers">, typed: string): string | null => {
  const found = approvers.flatMap(([form, prefix]) => {
    const id = form.exec(typed.trim())?.[1];
    return id === undefined ? [] : `${prefix}${id}`;
  });
  return found[0] ?? null;
};

export const placeIn = ({ channel }: Pick<PlatformForms, "channel">, typed: string): string | null =>
  channel.exec(typed)?.[1] ?? null;
