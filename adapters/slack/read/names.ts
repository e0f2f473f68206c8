/**
 * Reads names for the people, groups and channels that Slack's text mentions by id (WS5). A name decides
 * nothing.
 */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Log } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { readSlackChannel } from "./channels.ts";
import { slackCourtesy, type SlackPeople } from "./people.ts";
import type { SlackNames } from "./plain.ts";

/** Maximum number of lookups for one message; further ids remain ids. */
const MOST = { user: 100, channel: 20, group: 20 } as const;
type Kind = keyof typeof MOST;
const CHANNELS = 500;
/** Replaces the name of a private channel, as Slack does for people who are not in the channel. */
const PRIVATE = "private-channel";

export interface NameLookup {
  /**
   * Calls `read` with the names of all ids that it requests. Two ids with the same name get their ids added.
   * `place`: the channel. Other private channels share one placeholder, because people in `place` may not be
   * members.
   */
  named<T>(place: string, read: (names: SlackNames) => T): Promise<T>;
  /** Forgets the channel's name after a rename. */
  renamed(channel: string): void;
}

export const createNaming = (
  client: webApi.WebClient,
  people: Pick<SlackPeople, "label">,
  log: Log,
): NameLookup => {
  const channels = createLruCache<{ readonly name: string; readonly isPublic: boolean }>(CHANNELS);

  const user = async (id: string): Promise<string | null> => {
    const label = await people.label(id);
    return label === id ? null : oneLine(label.replace(/^@/, ""));
  };

  const channel = async (id: string, place: string): Promise<string | null> => {
    const found = channels.get(id) ?? (await readName(id));
    if (found === null) return null;
    return found.isPublic || id === place ? found.name : PRIVATE;
  };

  const readName = (id: string) =>
    slackCourtesy(log, "slack: channel name not read", async () => {
      const { name, is_channel: isChannel, is_private: isPrivate } = await readSlackChannel(client, id);
      if (name === undefined) return null;
      const read = { name: oneLine(name), isPublic: isChannel && !isPrivate };
      channels.set(id, read);
      return read;
    });

  const groups = async (): Promise<ReadonlyMap<string, string>> => {
    const read = await slackCourtesy(log, "slack: user group names not read", () => readGroups(client));
    return new Map(read?.map(({ id, handle }) => [id, oneLine(handle)]));
  };

  const namesOf = async (asked: Asked, place: string): Promise<SlackNames> => {
    const few = (kind: Kind): readonly string[] => [...asked[kind]].slice(0, MOST[kind]);
    const [users, handles, places] = await Promise.all([
      all(few("user"), user),
      asked.group.size === 0 ? new Map<string, string>() : groups(),
      all(few("channel"), (id) => channel(id, place)),
    ]);
    return { user: toldApart(users), group: toldApart(handles), channel: toldApart(places) };
  };

  return {
    named: async (place, read) => {
      const asked: Asked = { user: new Set(), channel: new Set(), group: new Set() };
      const first = read(noting(asked));
      const isPlain = Object.values(asked).every(({ size }) => size === 0);
      return isPlain ? first : read(await namesOf(asked, place));
    },
    renamed: (id) => channels.forget(id),
  };
};

type Asked = Readonly<Record<Kind, Set<string>>>;

const noting = (asked: Asked): SlackNames => {
  const note = (kind: Kind) => (id: string) => {
    asked[kind].add(id);
    return null;
  };
  return { user: note("user"), channel: note("channel"), group: note("group") };
};

const all = async (
  ids: readonly string[],
  nameOf: (id: string) => Promise<string | null>,
): Promise<ReadonlyMap<string, string>> => {
  const named = await Promise.all(ids.map(async (id) => ({ id, name: await nameOf(id) })));
  return new Map(named.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
};

const toldApart = (names: ReadonlyMap<string, string>): ((id: string) => string | null) => {
  const alike = Map.groupBy(names.values(), likened);
  return (id) => {
    const name = names.get(id);
    if (name === undefined) return null;
    return (alike.get(likened(name))?.length ?? 0) > 1 ? `${name} (${id})` : name;
  };
};

const likened = (name: string): string => name.normalize("NFKC").toLowerCase();

/** People choose their names, so line breaks and long names must be removed. */
const oneLine = (name: string): string => name.replaceAll(/\s+/gu, " ").slice(0, 80).toWellFormed();

/** Returns all user groups of the workspace. Rejects as the client does. */
export const readGroups = async (
  client: webApi.WebClient,
): Promise<readonly { readonly id: string; readonly handle: string }[]> =>
  groupsAnswer.parse(await client.usergroups.list({})).usergroups;

const groupsAnswer = z.object({
  usergroups: z.array(z.object({ id: z.string(), handle: z.string() })),
});
