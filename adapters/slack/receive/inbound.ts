/**
 * Decides which Slack events are stored before they are acknowledged, and reads messages from them. Whichever
 * host receives an event, the leader stores it.
 *
 * Previews, posts of bots and edits without a change of words are ignored (docs/design/ideas.md), except posts
 * of an app that a feature watches. A deletion removes the earlier message. A post that mentions the bot arrives
 * as two events, which both get the post's id here.
 */

import { createHash } from "node:crypto";
import type { InboundEvent, ChatMessage } from "../../../src/ports/chat.ts";
import type { ChatInbox, ReceivePayload } from "../../../src/ports/connection.ts";
import type { Done, WriteFailure } from "../../../src/ports/host.ts";
import type { Conceal } from "../../../src/ports/sealing.ts";
import { heardEmoji, reactionLane, withdrawalId } from "../../../src/ports/reactions.ts";
import { emojiKey } from "../../../src/text/emoji.ts";
import { slackFilesOf } from "../read/files.ts";
import { millisOfTs, type SlackMessage, slackContentOf, slackTextOf } from "../read/message.ts";
import { richTextNotifies } from "../read/block-text.ts";
import { IDS, mentionsUser, type SlackNames, NO_NAMES } from "../read/plain.ts";
import { concealSlackForm } from "./conceal.ts";
import { slackAppPostOf } from "./posted.ts";
import {
  type Gesture,
  type SlackEdit,
  type ParsedBody,
  readSlackBody,
  type ReceivedMessage,
  type Removal,
} from "../read/read.ts";
import { THUMBS } from "../write/blocks.ts";
import type { SlackIdentity } from "../read/identity.ts";

export interface SlackInboundContext extends Pick<ChatInbox, "knows" | "hears" | "sees" | "keeps" | "stops"> {
  readonly self: SlackIdentity;
}

export interface Intake {
  /** Starts to accept events once the bot's identity and the store are known. */
  attend(room: ChatInbox, self: SlackIdentity, noted: Noted): void;
  readonly take: ReceivePayload;
}

/** `taking`: makes the leader process the payloads. Secret texts are sealed before another host gets them. */
export const createEventReceiver = (
  taking: (own: ReceivePayload) => ReceivePayload,
  conceal: Conceal,
): Intake => {
  let ears: Attending | null = null;
  const store = taking(async (body) => {
    if (ears === null) return NOBODY;
    const read = readSlackBody(body);
    note(read, ears);
    const named = read === null ? null : nameOf(read, ears);
    const arrived = named === null ? DONE : await ears.arrive({ ...named, body });
    return arrived.kind === "failed" ? arrived : DONE;
  });
  return {
    attend: (room, self, noted) => {
      ears = { ...room, self, noted };
    },
    // Most payloads are useless, such as edits of the bot's own posts.
    take: async (body) => (readSlackBody(body) === null ? DONE : store(concealSlackForm(body, conceal))),
  };
};

/** Receivers of events that need no handling and are not stored. */
interface Noted {
  readonly renamed: (channel: string) => void;
  readonly personChanged: (person: string) => void;
  readonly heard: (message: ReceivedMessage) => void;
}
type Attending = SlackInboundContext & Pick<ChatInbox, "arrive" | "reopened"> & { readonly noted: Noted };

/** Handles events that matter only at this moment. */
const note = (read: ParsedBody | null, { self, reopened, noted }: Attending): void => {
  if (read?.kind === "message") noted.heard(read);
  if (read?.kind === "renamed") noted.renamed(read.channel);
  if (read?.kind === "personChanged") noted.personChanged(read.user);
  if (read?.kind === "reopened" && (read.user === null || read.user === self.user)) reopened(read.channel);
};

const DONE: Done = { kind: "done" };
/** A failure makes Slack send the event again; by then the host may lead. */
const NOBODY: WriteFailure = {
  kind: "failed",
  code: "closing",
  message: "Slack has not said yet who the bot is.",
};

/** The reaction that stops a turn. */
export const STOPS = "x";

/** Null if the event needs no handling: it is acknowledged and forgotten. */
export const admitEnvelope = (body: unknown, ears: SlackInboundContext): InboundEvent | null => {
  const read = readSlackBody(body);
  if (read === null) return null;
  const name = nameOf(read, ears);
  return name === null ? null : { ...name, body };
};

type Named = Omit<InboundEvent, "body">;

const nameOf = (read: ParsedBody, ears: SlackInboundContext): Named | null => {
  if (read.kind === "message") return nameMessage(read, ears);
  if (read.kind === "edited") return nameEdit(read, ears);
  if (read.kind === "reaction") return nameReaction(read, ears);
  return read.kind === "removed" ? nameRemoval(read, ears) : nameOther(read);
};

const nameReaction = (read: Gesture, { self, hears }: SlackInboundContext): Named | null => {
  const { user, channel, message, name, at, isAdded } = read;
  const id = `reaction/${user}/${message}/${at}`;
  if (isAdded && name === STOPS) return alone(id);
  const emoji = emojiKey(name);
  if (emoji === null || user === self.user || !hears(channel, [heardEmoji(emoji)])) return null;
  return {
    id: isAdded ? id : withdrawalId(read, emoji, user, at),
    lane: reactionLane({ channel, message }),
    insist: true,
  };
};

/**
 * Uses the lane of the conversation, so that the edit is handled after the message itself. The id has the words,
 * because Slack counts edits in whole seconds.
 */
const nameEdit = (edit: SlackEdit, { self, knows, stops }: SlackInboundContext): Named | null => {
  const { channel, message, thread, now, before, at } = edit;
  const lane = `${channel}/${thread ?? message}`;
  // The handler reads the message.
  if (now === null)
    return knows(channel, thread ?? message)
      ? { id: `edited/${channel}/${message}/${at}`, lane, insist: true }
      : null;
  const said = slackEditOf(edit, now, self);
  if (said === null || (before !== null && !isReworded(edit, before, said, self))) return null;
  if (!said.addressed && !knows(channel, thread ?? message)) return null;
  const words = createHash("sha256").update(now.text).digest("hex").slice(0, 16);
  const id = `edited/${channel}/${message}/${now.edited?.ts ?? ""}/${words}`;
  return { id, lane: stops(said.text) ? `stop/${id}` : lane, insist: true };
};

/** Returns the message if its author edited it, otherwise null. */
export const slackEditOf = (
  { channel, isDirect }: Pick<SlackEdit, "channel" | "isDirect">,
  message: SlackMessage,
  self: SlackIdentity,
  names?: SlackNames,
): ChatMessage | null =>
  message.bot_id !== undefined || message.edited === undefined || message.edited.user !== message.user
    ? null
    : slackMessageOf({ kind: "message", channel, isDirect, isPartial: false, message }, self, names);

const isReworded = (
  { channel, isDirect }: SlackEdit,
  before: SlackMessage,
  { text, addressed }: ChatMessage,
  self: SlackIdentity,
): boolean => {
  const earlier = { kind: "message", channel, isDirect, isPartial: false, message: before } as const;
  const said = slackMessageOf(earlier, self);
  return said?.text !== text || said.addressed !== addressed;
};

/**
 * Uses the lane of the conversation, so that the deletion is handled after the message itself. Deletions by
 * the bot, such as its progress messages, are ignored.
 */
const nameRemoval = (
  { channel, message, thread, bot }: Removal,
  { self, knows, keeps }: SlackInboundContext,
): Named | null => {
  if (bot !== null && bot === self.bot) return null;
  const root = thread ?? message;
  if (!knows(channel, root) && !keeps(channel, message)) return null;
  return { id: `removed/${channel}/${message}`, lane: `${channel}/${root}`, insist: true };
};

const nameMessage = (heard: ReceivedMessage, ears: SlackInboundContext): Named | null => {
  const { self, knows, stops } = ears;
  const said = slackMessageOf(heard, self);
  if (said === null) return namePost(heard, ears);
  const root = said.root ?? said.message;
  const isOurs = said.addressed || knows(said.place, root);
  if (!isOurs && !isWatched(heard, said, ears)) return namePost(heard, ears);
  const lane = stops(said.text) ? `stop/${said.id}` : `${said.place}/${root}`;
  return { id: said.id, lane, from: { place: said.place, root, position: said.message }, insist: true };
};

/** Slack names a user for a bot's posts too. */
const isWatched = (
  { message }: ReceivedMessage,
  { root, direct, place, person }: ChatMessage,
  { sees }: Pick<SlackInboundContext, "sees">,
): boolean => root === null && !direct && message.bot_id === undefined && sees(place, person);

const namePost = (heard: ReceivedMessage, { self, hears }: SlackInboundContext): Named | null => {
  const posted = slackAppPostOf(heard, self);
  if (posted === null || !hears(posted.place, posted.by)) return null;
  const { place, message: position } = posted;
  const lane = `${place}/${position}`;
  return {
    id: `message/${self.team}/${lane}`,
    lane,
    from: { place, root: position, position },
    insist: true,
  };
};

/** Each of these events gets a separate lane, so that none waits for a message. */
const nameOther = (
  read: Exclude<ParsedBody, ReceivedMessage | Removal | SlackEdit | Gesture>,
): Named | null => {
  switch (read.kind) {
    case "panel":
      return alone(`panel/${read.channel}/${read.thread}`);
    // Views of one person are read in order.
    case "opened":
      return { id: `opened/${read.user}/${read.tab}/${read.at}`, lane: `viewer/${read.user}` };
    case "context":
      return read.user === null
        ? null
        : { id: `context/${read.user}/${read.at}`, lane: `viewer/${read.user}` };
    case "action": {
      const id = `action/${read.user}/${read.message}/${read.action}/${read.at}`;
      // All ratings of an answer by a person share a lane, so the last click counts.
      return read.action === THUMBS ? { id, lane: `thumbs/${read.user}/${read.message}` } : alone(id);
    }
    case "homePressed":
      return alone(`home/${read.user}/${read.action}/${read.at}`);
    case "turned":
      return alone(`turned/${read.user}/${read.view}/${read.at}`);
    case "created":
      return alone(`created/${read.channel}`);
    case "moved":
      return alone(`moved/${read.from}/${read.to}/${read.at}`);
    case "reopened":
    case "renamed":
    case "personChanged":
      return null;
    case "stopped":
      return alone(`stopped/${read.user}/${read.root}/${read.at}`);
    case "submitted":
      return alone(`view/${read.view}`);
    case "shortcut":
    case "command":
      return alone(`${read.kind}/${read.trigger}`);
  }
};

const alone = (id: string): Named => ({ id, lane: id });

/**
 * Returns the message of a person, otherwise null. A post with `user` and `bot_id` is a bot's, or one that a
 * program sent with a person's token. Only `users.info` can distinguish them (`handle.ts`).
 */
export const slackMessageOf = (
  { channel, isDirect, message }: ReceivedMessage,
  self: SlackIdentity,
  names: SlackNames = NO_NAMES,
): ChatMessage | null => {
  const { user, bot_id: bot, ts } = message;
  if (user === undefined || user === self.user || bot === self.bot || !isPlain(message)) return null;
  const files = slackFilesOf(message);
  const shown = slackContentOf(message, names);
  const text = slackTextOf(message, self.user, names);
  const typed = slackTextOf(message, self.user, IDS);
  const isMention =
    richTextNotifies(message.blocks ?? [], self.user) ?? mentionsUser(message.text, self.user);
  if (text === "" && files.length === 0 && shown.length === 0 && !isMention) return null;
  const thread = message.thread_ts;
  return {
    id: `message/${self.team}/${channel}/${ts}`,
    place: channel,
    root: thread === undefined || thread === ts ? null : thread,
    direct: isDirect,
    message: ts,
    person: user,
    text,
    ...(typed === text ? {} : { typed }),
    addressed: isMention || isDirect,
    at: millisOfTs(ts),
    files,
    shown: shown.length === 0 && LINK.test(text) ? null : shown,
    about: null,
  };
};

/** Slack adds a link's preview after it has sent the message. */
const LINK = /\bhttps?:\/\//i;

const PLAIN: readonly (string | undefined)[] = [undefined, "file_share", "thread_broadcast", "me_message"];
const isPlain = ({ subtype }: SlackMessage): boolean => PLAIN.includes(subtype);
