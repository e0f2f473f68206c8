/** Slack's implementation of the chat platform (src/ports/chat-platform.ts). */

import type { webApi } from "@slack/bolt";
import type { ChatPlatform } from "../../src/ports/chat-platform.ts";
import { type Clock, type Log, pause } from "../../src/ports/host.ts";
import type { SlackIdentity } from "./read/identity.ts";
import { createSlackDownload } from "./read/download.ts";
import type { NameLookup } from "./read/names.ts";
import { slackCourtesy, type SlackPeople, slackUnreadOf } from "./read/people.ts";
import { createSlackChannels } from "./read/channels.ts";
import { createSlackMemberships } from "./read/memberships.ts";
import { createSlackNotes } from "./write/notes.ts";
import { createSlackPostedQuestion } from "./write/posted-question.ts";
import type { ThreadMessage, Quote, ChatMessage } from "../../src/ports/chat.ts";
import { newestOf } from "../text/newest.ts";
import { slackFilesOf, withFiles } from "./read/files.ts";
import type { SlackNames } from "./read/plain.ts";
import { readSingle } from "./read/single.ts";
import { millisOfTs, slackContentOf, type SlackMessage, slackMessage, slackTextOf } from "./read/message.ts";
import type { Millis } from "../../src/machine/id.ts";
import { attemptSlackCall } from "./api/failure.ts";
import { slackMessageOf } from "./receive/inbound.ts";
import type { Place } from "../../src/ports/conversation.ts";
import { readPages } from "./read/pages.ts";

interface PlatformDeps {
  readonly token: string;
  readonly apiUrl: string | undefined;
  readonly client: webApi.WebClient;
  readonly self: SlackIdentity;
  readonly clock: Clock;
  readonly log: Log;
  readonly people: SlackPeople;
  readonly naming: NameLookup;
}

export const createSlackPlatform = (deps: PlatformDeps): ChatPlatform => {
  const { client, self, clock, log, token, apiUrl, people, naming } = deps;
  return {
    ...people,
    ...createSlackNotes(client, log),
    server: null,
    bindsByItself: true,
    reread: createReread(client, self, naming, log),
    isPrivate: () => true,
    ...createSlackChannels(client, log),
    isIn: createSlackMemberships(client, clock, log),
    isDirect: (place) => place.startsWith("D"),
    tags: () => Promise.resolve({ kind: "tags", tags: [] }),
    put: createSlackPostedQuestion(client),
    earlier: createEarlier({ client, self, naming, log }),
    shown: createLinkPreviews(deps),
    fetch: createSlackDownload(token, apiUrl),
  };
};

interface EarlierDeps {
  readonly client: webApi.WebClient;
  readonly self: SlackIdentity;
  readonly naming: NameLookup;
  readonly log: Log;
}

/** Reads a thread back: earlier messages of people, oldest first, with their names. */
const createEarlier =
  ({ client, self, naming, log }: EarlierDeps): ChatPlatform["earlier"] =>
  async ({ place, root }, { since, until, limit, about }) => {
    // Nothing comes before the first message of a thread.
    if (root === until) return { kind: "messages", messages: [], cut: false, left: 0 };
    const where = { place, root };
    const read = await readNewest(client, where, { since, until }, limit).catch(slackUnreadOf);
    if ("why" in read) return read;
    const isThere = about === null || read.messages.some(({ ts }) => ts === about);
    const named = isThere ? null : await readSingle(client, slackMessage, where, about).catch(slackUnreadOf);
    if (named !== null && "why" in named) return named;
    const all = [...read.messages, ...(named === null ? [] : [named])].toSorted(
      (a, b) => Number(a.ts) - Number(b.ts),
    );
    const unique = [...new Map(all.map((one) => [one.ts, one])).values()];
    const wanted = unique.filter(
      ({ ts }) => Number(ts) < Number(until) && (since === null || Number(ts) > Number(since)),
    );
    const kept = newestOf(wanted, limit, ({ ts }) => ts === about);
    const whole = await Promise.all(kept.map((one) => withFiles(client, log, one)));
    return {
      kind: "messages",
      messages: await naming.named(place, (names) => whole.map((one) => earlierOf(one, self, names))),
      cut: kept.length < wanted.length || read.isCut,
      ...(read.isCut ? {} : { left: wanted.length - kept.length }),
    };
  };

const earlierOf = (message: SlackMessage, self: SlackIdentity, names: SlackNames): ThreadMessage => {
  const { user, bot_id: bot, ts } = message;
  const person = bot === undefined && user !== undefined ? user : null;
  return {
    message: ts,
    person,
    ours: bot === self.bot || user === self.user,
    author: person === null ? appOf(message) : (names.user(person) ?? person),
    text: slackTextOf(message, self.user, names),
    at: millisOfTs(ts),
    files: slackFilesOf(message),
    shown: slackContentOf(message, names),
  };
};

const appOf = ({ username, bot_profile: profile }: SlackMessage): string =>
  `${username ?? profile?.name ?? "an"} app`;

/** Times of the checks after a message was written. Slack fetches most pages within a second. */
const LOOKS: readonly Millis[] = [700, 2_000];

interface LinkPreviewDeps {
  readonly client: webApi.WebClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly naming: NameLookup;
}

/**
 * Waits for link previews, which Slack adds some time after the message. Their `message_changed` event may
 * reach another process, or none after a crash, so the message is read again until they exist. Meanwhile the
 * thread displays a status.
 */
const createLinkPreviews =
  (deps: LinkPreviewDeps): ChatPlatform["shown"] =>
  async (said) => {
    const told = showStatus(deps, said, "is reading the link…");
    const shown = await lookForPreviews(deps, said);
    await told;
    await showStatus(deps, said, "");
    return shown;
  };

/** Late messages, and messages that are handled again later, are checked only once and at once. */
const lookForPreviews = async (deps: LinkPreviewDeps, said: ChatMessage): Promise<readonly Quote[]> => {
  const written = millisOfTs(said.message);
  const waits = LOOKS.map((at) => written + at - deps.clock.now());
  for (const wait of waits.filter((one, index) => one > 0 || index === waits.length - 1)) {
    await pause(deps.clock, wait);
    const shown = await previewsOf(deps, said);
    if (shown.length > 0) return shown;
  }
  return [];
};

const previewsOf = async (
  { client, log, naming }: LinkPreviewDeps,
  said: ChatMessage,
): Promise<readonly Quote[]> => {
  const { place, root, message: ts } = said;
  const found = await slackCourtesy(log, "slack: link previews not read", () =>
    readSingle(client, slackMessage, { place, root: root ?? ts }, ts),
  );
  return found === null ? [] : naming.named(place, (names) => slackContentOf(found, names));
};

/** Sets the status of the thread. Failures are ignored, and Slack removes the status with the next answer. */
const showStatus = async (
  { client }: LinkPreviewDeps,
  { place, root, message }: ChatMessage,
  status: string,
): Promise<void> => {
  const at = { channel_id: place, thread_ts: root ?? message };
  await attemptSlackCall(() => client.assistant.threads.setStatus({ ...at, status }));
};

/** Reads the current text of a message whose handling was delayed. */
const createReread =
  (client: webApi.WebClient, self: SlackIdentity, naming: NameLookup, log: Log): ChatPlatform["reread"] =>
  (where, ts) =>
    slackCourtesy(log, "slack: message of a repository menu not read", async () => {
      const found = await readSingle(client, slackMessage, where, ts);
      if (found === null) return null;
      const channel = where.place;
      const message = await withFiles(client, log, found);
      const isDirect = channel.startsWith("D");
      const heard = { kind: "message" as const, channel, isDirect, isPartial: false, message };
      return naming.named(channel, (names) => slackMessageOf(heard, self, names));
    });

const PAGE = 1_000;
/** Maximum number of pages to read for one time range. */
const PAGES = 10;
/** Length of the first time range before `until` in seconds, and the factor for each further range. */
const FIRST = 600;
const LONGER = 8;

interface Newest {
  readonly messages: readonly SlackMessage[];
  /** Whether older messages were not read. */
  readonly isCut: boolean;
}

/**
 * Reads the newest messages of a thread, although Slack returns the oldest first, a thousand per response
 * (WS11).
 *
 * The result contains messages after `since` and before `until`, and the thread's first message if Slack adds
 * it. If they fit into one response, all are returned, otherwise at least the `enough` newest ones. Rejects
 * as the client does.
 */
const readNewest = async (
  client: Pick<webApi.WebClient, "paginate">,
  { place, root }: Place,
  { since, until }: { readonly since: string | null; readonly until: string },
  enough: number,
): Promise<Newest> => {
  const read = (oldest: string | null, pages: number): Promise<Newest> => {
    const range = { channel: place, ts: root, latest: until, limit: PAGE };
    const from = oldest === null ? {} : { oldest };
    return readPages(client, slackMessage, "conversations.replies", { ...range, ...from }, pages);
  };
  const whole = await read(since, 1);
  if (!whole.isCut) return whole;
  const beginning = Number(since ?? root);
  let newest: readonly SlackMessage[] = [];
  for (let span = FIRST; newest.length <= enough; span *= LONGER) {
    const isAll = Number(until) - span <= beginning;
    const oldest = isAll ? since : (Number(until) - span).toFixed(6);
    const stretch = await read(oldest, PAGES);
    if (stretch.isCut) break;
    newest = stretch.messages;
    if (isAll) return { messages: newest, isCut: false };
  }
  return { messages: newest, isCut: true };
};
