/** The settings that a channel has of its own, and how people name approvers and channels in them. Pure. */

import type { OwnSettings } from "../../ports/channels.ts";

export const NO_SETTINGS: OwnSettings = {
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

/** Somebody as a channel's list keeps them: `U024BE7LH`, `group:S…`, a number, `role:…`; null for nobody of the surface. */
export const approverIn = (surface: string, typed: string): string | null => {
  const found = FORMS.get(surface)?.flatMap(([form, prefix]) => {
    const id = form.exec(typed.trim())?.[1];
    return id === undefined ? [] : `${prefix}${id}`;
  });
  return found?.[0] ?? null;
};

const FORMS: ReadonlyMap<string, readonly (readonly [RegExp, string])[]> = new Map(
  Object.entries({
    slack: [
      [/^(?:<@|@)?([UW][A-Z0-9]{2,20})(?:\|[^>]*)?>?$/, ""],
      [/^(?:<!subteam\^|group:|@)(S[A-Z0-9]{2,20})(?:\|[^>]*)?>?$/, "group:"],
    ],
    discord: [
      [/^(?:<@!?|@)?(\d{15,25})>?$/, ""],
      [/^(?:<@&|@&|role:)(\d{15,25})>?$/, "role:"],
    ],
  }),
);

/** A channel as it is typed, mentioned or linked; null for none. */
export const placeIn = (surface: string, typed: string): string | null => {
  const form = PLACES.get(surface);
  return form?.exec(typed)?.[1] ?? null;
};

const PLACES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    slack: /^(?:<?#|https:\/\/[\w.-]+\/archives\/)?([CG][A-Z0-9]{2,20})(?:\|[^>]*)?>?$/,
    discord: /^(?:<?#|https:\/\/(?:\w+\.)?discord\.com\/channels\/\d+\/)?(\d{15,25})>?$/,
  }),
);
