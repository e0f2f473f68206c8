/**
 * Merges Parley's manifest into the app's manifest. An update replaces the whole manifest, so people's changes and additions
 * are kept: names, colors, texts, further permissions, events and shortcuts. Pure.
 */

import * as z from "zod";
import { slackManifest } from "../receive/manifest.ts";

export type Manifest = Readonly<Record<string, unknown>>;

type Entry = Manifest;

/** `exported`: the app's manifest in Slack's form. */
export const mergedManifest = (exported: Manifest): Manifest => {
  const had = appManifest.parse(exported);
  const { event_subscriptions: subscriptions, interactivity } = had.settings;
  const isHttp = had.settings.socket_mode_enabled !== true && subscriptions.request_url !== undefined;
  const own = slackManifest(isHttp ? (subscriptions.request_url ?? null) : null);
  const { assistant_view: _, ...features } = had.features;
  const { bot, ...scopes } = had.oauth_config.scopes;
  return {
    ...exported,
    display_information: { ...own.display_information, ...had.display_information },
    features: {
      ...features,
      ...own.features,
      ...agentView(had.features.agent_view, own),
      bot_user: { ...own.features.bot_user, ...had.features.bot_user },
      shortcuts: byKey(had.features.shortcuts, own.features.shortcuts, "callback_id"),
      slash_commands: byKey(had.features.slash_commands, own.features.slash_commands, "command"),
    },
    oauth_config: {
      ...had.oauth_config,
      scopes: { ...scopes, bot: union(bot, own.oauth_config.scopes.bot) },
    },
    settings: {
      ...own.settings,
      ...had.settings,
      socket_mode_enabled: own.settings.socket_mode_enabled,
      interactivity: { ...interactivity, ...own.settings.interactivity },
      event_subscriptions: {
        ...subscriptions,
        ...own.settings.event_subscriptions,
        bot_events: union(
          subscriptions.bot_events.filter((event) => !event.startsWith("assistant_thread_")),
          own.settings.event_subscriptions.bot_events,
        ),
      },
    },
  };
};

/** One line for each difference: `+` added, `-` removed, `~` changed, with the place in the manifest. */
export const manifestDiff = (before: Manifest, after: Manifest): readonly string[] => {
  const [old, next] = [leavesOf(before), leavesOf(after)];
  const places = [...new Set([...old.keys(), ...next.keys()])].toSorted();
  return places.flatMap((place) => {
    const [was, is] = [old.get(place), next.get(place)];
    if (was === is) return [];
    if (was === undefined) return [`+ ${place}${is === "" ? "" : `: ${is}`}`];
    return [is === undefined ? `- ${place}${was === "" ? "" : `: ${was}`}` : `~ ${place}: ${was} -> ${is}`];
  });
};

/** Whether the update moves the app to agent messaging, which Slack cannot undo. */
export const movesToAgent = (before: Manifest, after: Manifest): boolean =>
  !hasAgent(before) && hasAgent(after);

const hasAgent = (manifest: Manifest): boolean =>
  appManifest.parse(manifest).features.agent_view !== undefined;

/** Keeps the app's members that Parley's manifest does not name. */
const agentView = (had: Entry | undefined, own: Manifest): object => {
  const { agent_view: mine } = appManifest.parse(own).features;
  return mine === undefined && had === undefined ? {} : { agent_view: { ...had, ...mine } };
};

const union = (had: readonly string[], own: readonly string[]): readonly string[] => [
  ...had,
  ...own.filter((one) => !had.includes(one)),
];

/** Parley's entries replace the app's entries with the same key, at the same position. */
const byKey = (had: readonly Entry[], own: readonly Entry[], key: string): readonly Entry[] => [
  ...had.map((one) => own.find((other) => other[key] === one[key]) ?? one),
  ...own.filter((one) => !had.some((other) => other[key] === one[key])),
];

/** Values by place. Lists of texts are sets; entries of other lists are named by their key. */
const leavesOf = (value: unknown, place = ""): ReadonlyMap<string, string> => {
  const leaves = new Map<string, string>();
  const under = (inner: unknown, where: string): void => {
    for (const [at, leaf] of leavesOf(inner, where)) leaves.set(at, leaf);
  };
  const entries = record.safeParse(value);
  if (Array.isArray(value)) {
    for (const one of value) {
      if (typeof one === "string") leaves.set(`${place} ${one}`, "");
      else under(one, `${place} ${keyOf(one)}`);
    }
  } else if (entries.success) {
    for (const [name, inner] of Object.entries(entries.data))
      under(inner, place === "" ? name : `${place}.${name}`);
  } else leaves.set(place, JSON.stringify(value));
  return leaves;
};

const keyOf = (entry: unknown): string => {
  const { callback_id: id, command, title } = keys.parse(entry);
  return id ?? command ?? title ?? JSON.stringify(entry);
};

const keys = z
  .object({ callback_id: z.string(), command: z.string(), title: z.string() })
  .partial()
  .catch({});
const record = z.record(z.string(), z.unknown());
const entries = z.array(record).default([]);
const texts = z.array(z.string()).default([]);
const appManifest = z.object({
  display_information: record.default({}),
  features: z
    .looseObject({
      agent_view: record.optional(),
      bot_user: record.default({}),
      shortcuts: entries,
      slash_commands: entries,
    })
    .prefault({}),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: texts }).prefault({}) }).prefault({}),
  settings: z
    .looseObject({
      socket_mode_enabled: z.boolean().optional(),
      interactivity: record.default({}),
      event_subscriptions: z
        .looseObject({ request_url: z.string().optional(), bot_events: texts })
        .prefault({}),
    })
    .prefault({}),
});
