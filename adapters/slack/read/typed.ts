/**
 * Reads the text of a slash command, both as typed and with ids for commands, whether or not Slack escapes it
 * for the app (WS4).
 */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Slash } from "../../../src/ports/chat.ts";
import type { OfferedCommand } from "../../../src/ports/commands.ts";
import type { Log } from "../../../src/ports/host.ts";
import { type NameLookup, readGroups } from "./names.ts";
import { readAllPages } from "./pages.ts";
import { slackCourtesy } from "./people.ts";
import { IDS, slackPlainText } from "./plain.ts";

/** Pages of a thousand names. In a longer list no name is certain to be unique. */
const PAGES = 20;
const MOST_NAMES = 10;

interface TypedDeps {
  readonly client: webApi.WebClient;
  readonly naming: NameLookup;
  readonly log: Log;
  readonly commands: readonly OfferedCommand[];
}

export const readTyped = async (
  deps: TypedDeps,
  place: string,
  text: string,
): Promise<Pick<Slash, "text" | "typed">> => {
  if (!isEscaped(text)) return { text, typed: await withIds(deps, text) };
  const named = await deps.naming.named(place, (names) => slackPlainText(text, "", names));
  return { text: named, typed: await withIds(deps, slackPlainText(text, "", IDS)) };
};

/**
 * Whether Slack has escaped the text, which it does not report (`should_escape`). In escaped text `<` starts
 * only a mention or an address, and `&` only an entity.
 */
const isEscaped = (text: string): boolean => {
  const rest = text
    .replaceAll(/<(?:[@#!]|[a-z][a-z0-9+.-]*:)[^<>]*>/gi, "")
    .replaceAll(/&(?:lt|gt|amp);/g, "");
  return !/[<>&]/.test(rest);
};

const NAMED = /(?<=^|\s)([@#])(?![A-Z][A-Z0-9]{4,20}(?:\s|$))/g;

/** Replaces `@bob` and `#ops` by ids. A name that two people share remains as typed. */
const withIds = async (deps: TypedDeps, text: string): Promise<string> => {
  const marks = [...text.matchAll(NAMED)].slice(0, MOST_NAMES);
  if (marks.length === 0 || !takesNames(deps.commands, text)) return text;
  const has = (mark: string): boolean => marks.some(({ 0: one }) => one === mark);
  const [people, channels] = await Promise.all([
    has("@") ? readPeople(deps) : NONE,
    has("#") ? readChannels(deps) : NONE,
  ]);
  let whole = "";
  let from = 0;
  for (const { 0: mark, index } of marks) {
    if (index < from) continue;
    const found = longest(mark === "@" ? people : channels, text.slice(index + 1));
    if (found === null) continue;
    whole += `${text.slice(from, index)}${mark}${found.id}`;
    from = index + 1 + found.length;
  }
  return whole + text.slice(from);
};

/** Whether the command accepts the name of a person, a group or a channel. */
const takesNames = (commands: readonly OfferedCommand[], text: string): boolean => {
  const [, first = ""] = /^\s*([\w-]*)/.exec(text) ?? [];
  const said = first.toLowerCase();
  return commands.some(
    ({ name, takesNames: takes }) => takes && (said === name || said.startsWith(`${name}-`)),
  );
};

/** Ids by name in lower case. */
type Directory = ReadonlyMap<string, ReadonlySet<string>>;
const NONE: Directory = new Map();

const longest = (
  directory: Directory,
  rest: string,
): { readonly id: string; readonly length: number } | null => {
  const ends = [...rest.matchAll(/\s|$/g)].map(({ index }) => index).slice(0, 6);
  for (const end of ends.toReversed()) {
    const ids = directory.get(likened(rest.slice(0, end)));
    const [id] = ids ?? [];
    if (id !== undefined) return ids?.size === 1 ? { id, length: end } : null;
  }
  return null;
};

const likened = (name: string): string => name.normalize("NFC").toLowerCase();

const readPeople = async ({ client, log }: TypedDeps): Promise<Directory> => {
  const [members, groups] = await Promise.all([
    slackCourtesy(log, "slack: users not listed", () =>
      whole(client, "users.list", {}, (page) => membersPage.parse(page).members),
    ),
    slackCourtesy(log, "slack: user groups not listed", () => readGroups(client)),
  ]);
  if (members === null || groups === null) return NONE;
  return directoryOf([
    ...members.flatMap(({ id, deleted, name, real_name: real, profile }) =>
      deleted ? [] : [name, real, profile.display_name, profile.real_name].map((one) => ({ id, name: one })),
    ),
    ...groups.map(({ id, handle }) => ({ id, name: handle })),
  ]);
};

const readChannels = async ({ client, log }: TypedDeps): Promise<Directory> => {
  const range = { types: "public_channel,private_channel", exclude_archived: true };
  const channels = await slackCourtesy(log, "slack: channels not listed", () =>
    whole(client, "conversations.list", range, (page) => channelsPage.parse(page).channels),
  );
  return channels === null ? NONE : directoryOf(channels);
};

const directoryOf = (
  all: readonly { readonly id: string; readonly name?: string | undefined }[],
): Directory => {
  const directory = new Map<string, Set<string>>();
  for (const { id, name = "" } of all) {
    const key = likened(name);
    if (key !== "") directory.set(key, (directory.get(key) ?? new Set()).add(id));
  }
  return directory;
};

/** Returns the whole list; null if it is too long. */
const whole = async <T>(
  client: webApi.WebClient,
  method: "users.list" | "conversations.list",
  range: Readonly<Record<string, unknown>>,
  read: (page: unknown) => readonly T[],
): Promise<readonly T[] | null> => {
  const { entries, isCut } = await readAllPages(client, method, { limit: 1_000, ...range }, read, PAGES);
  return isCut ? null : entries;
};

const membersPage = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      deleted: z.boolean().default(false),
      name: z.string().optional(),
      real_name: z.string().optional(),
      profile: z
        .object({ display_name: z.string().optional(), real_name: z.string().optional() })
        .default({}),
    }),
  ),
});
const channelsPage = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string().optional() })),
});
