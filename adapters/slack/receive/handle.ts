/**
 * Handles a stored event: passes Slack's payload to the platform-independent chat code. Runs again after a
 * crash.
 */

import * as z from "zod";
import type { Label } from "../../../src/i18n/say.ts";
import type { Millis } from "../../../src/machine/id.ts";
import type { Chat, ChatMessage, HandleResult, InboxRow, NewChannel } from "../../../src/ports/chat.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { ChatInbox } from "../../../src/ports/connection.ts";
import { clickAction } from "../../../src/ports/questions.ts";
import type { PrivateNote } from "../../../src/ports/surface.ts";
import { emojiKey } from "../../../src/text/emoji.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { formOf, tooLongText } from "../../post/controls.ts";
import { slackFailureOf } from "../api/failure.ts";
import { withFiles } from "../read/files.ts";
import type { SlackIdentity } from "../read/identity.ts";
import { millisOfTs, type SlackMessage, slackMessage } from "../read/message.ts";
import type { NameLookup } from "../read/names.ts";
import { slackCourtesy, slackUnreadOf } from "../read/people.ts";
import {
  type Gesture,
  type SlackEdit,
  type ReceivedMessage,
  readSlackBody,
  type SessionStop,
  type Shortcut,
  type SlackAction,
  type Submitted,
} from "../read/read.ts";
import { readSingle } from "../read/single.ts";
import { readTyped } from "../read/typed.ts";
import { THUMBS } from "../write/blocks.ts";
import { PICK_ACTION } from "../write/notes.ts";
import type { AgentSessions } from "../write/sessions.ts";
import { SHOW_STEPS, STEPS_MODAL } from "../write/steps-modal.ts";
import { HOME_PLACE, type SlackHome } from "./home.ts";
import { slackEditOf, slackMessageOf, STOPS } from "./inbound.ts";
import type { MentionTwins } from "./mention-twins.ts";
import {
  ASK_FORM,
  askModal,
  DECIDE_FORM,
  decideModal,
  MAX_MODAL_TEXT,
  openModal,
  readAskedAbout,
  readDecided,
  TEXT_INPUT,
} from "./modals.ts";
import { slackAppPostOf } from "./posted.ts";
import { type StepsDeps, showSlackSteps, turnPage } from "./steps.ts";
import { createSuggestedPrompts } from "./suggested-prompts.ts";

interface HandleDeps extends StepsDeps, Pick<ChatInbox, "held" | "moved" | "say" | "commands"> {
  readonly self: SlackIdentity;
  readonly naming: NameLookup;
  readonly platform: Pick<ChatPlatform, "whisper" | "person">;
  readonly chat: Chat;
  readonly sessions: Pick<AgentSessions, "stop">;
  readonly home: SlackHome;
  readonly twins: Pick<MentionTwins, "whole">;
  readonly respond: (url: string, answer: SlackResponse) => Promise<boolean>;
}

/** A new private reply, or a replacement of the message with the button; null deletes that message. */
export type SlackResponse = string | PrivateNote | null;

const PREFIX = "parley_";

export const createHandleSlack = (deps: HandleDeps) => {
  const prompts = createSuggestedPrompts(deps);
  return async ({ id, body, at }: InboxRow, last: boolean): Promise<HandleResult> => {
    const read = readSlackBody(body);
    switch (read?.kind) {
      case undefined:
        return "done";
      case "message": {
        const message = await wholeMentionOf(deps, read, last);
        if (message === null) return "later";
        const whole = { ...read, message };
        const said = await deps.naming.named(read.channel, (names) =>
          slackMessageOf(whole, deps.self, names),
        );
        const author = said === null ? "app" : await authorOf(deps, whole, said.person);
        if (author === "unread" && !last) return "later";
        // After the last attempt, the person gets the reason for the failure.
        if (said !== null && (author === "person" || (author === "unread" && said.addressed)))
          return hear(deps, said, message, last);
        const posted = await deps.naming.named(read.channel, (names) =>
          slackAppPostOf(whole, deps.self, names),
        );
        return posted === null ? "done" : deps.chat.posted(posted);
      }
      case "edited": {
        const edit = asReceived(read);
        const message = await wholeOf(deps, edit, last);
        if (message === null) return "later";
        const said = await deps.naming.named(read.channel, (names) =>
          slackEditOf(read, message, deps.self, names),
        );
        if (said === null) return "done";
        return deps.chat.edited({ said, editedAt: millisOfTs(message.edited?.ts ?? ""), last });
      }
      case "removed": {
        const { channel: place, message, thread } = read;
        return deps.chat.removed({ place, root: thread ?? message, message, at: millisOfTs(message) });
      }
      case "moved": {
        const { from, to } = read;
        deps.log.warn(
          "slack: channel id changed; update PARLEY_SLACK_CHANNELS and PARLEY_APPROVALS_CHANNEL",
          { from, to },
        );
        return (await deps.moved(from, to)).kind === "failed" && !last ? "later" : "done";
      }
      case "created": {
        const { channel: place, name } = read;
        return deps.chat.created({ place, name, join: () => joinChannel(deps.client, place) });
      }
      case "reopened":
      case "renamed":
      case "personChanged":
        return "done";
      case "panel":
        return prompts.panel(read);
      case "opened":
        return read.tab === "home" ? deps.home.opened(read) : prompts.opened(read);
      case "homePressed":
        return deps.home.pressed(id, read);
      case "context":
        return prompts.viewChanged(read);
      case "action":
        return press(deps, id, read);
      case "turned":
        return turnPage(deps, read);
      case "reaction":
        return react(deps, id, at, last, read);
      case "stopped":
        return stopSession(deps, id, read);
      case "shortcut":
        return openAsk(deps, read);
      case "submitted":
        return submit(deps, id, at, read);
      case "command": {
        const { channel: place, user: person, text, trigger, responseUrl } = read;
        const reply = replyTo(deps, place, person, responseUrl);
        const typed = await readTyped(deps, place, text);
        return deps.chat.slash({
          id: `ask/${trigger}`,
          place,
          direct: isDirect(place),
          person,
          ...typed,
          at,
          reply,
        });
      }
    }
  };
};

/** A watched post that mentions another bot is meant for that bot. */
const hear = async (
  { chat, platform, self }: HandleDeps,
  said: ChatMessage,
  { text }: SlackMessage,
  last: boolean,
): Promise<HandleResult> => {
  if (said.addressed || said.direct || said.root !== null) return chat.said(said, last);
  for (const id of mentionedIn(text)) {
    if (id === self.user) continue;
    const read = await platform.person(id, []);
    if (read.kind === "unread" && read.passing && !last) return "later";
    if (read.kind === "person" && read.person.standing === "bot")
      return chat.said({ ...said, toBot: true }, last);
  }
  return chat.said(said, last);
};

const MOST_MENTIONS = 5;

const mentionedIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/<@([A-Z0-9]{1,20})(?:\|[^<>]*)?>/g), ([, id = ""]) => id).slice(0, MOST_MENTIONS);

const joinChannel = async (client: HandleDeps["client"], channel: string): ReturnType<NewChannel["join"]> => {
  try {
    await client.conversations.join({ channel });
    return { kind: "joined" };
  } catch (error) {
    const failure = slackFailureOf(error);
    return { kind: "refused", why: failure.kind === "throttled" ? "Slack asks to wait" : failure.why };
  }
};

/** WS3: only `app_mention` may lack files and the content displayed below the message. */
const wholeMentionOf = async (
  deps: HandleDeps,
  heard: ReceivedMessage,
  last: boolean,
): Promise<SlackMessage | null> => {
  const twin = heard.isPartial ? await deps.twins.whole(heard) : null;
  return wholeOf(deps, twin === null ? heard : { ...heard, isPartial: false, message: twin }, last);
};

/**
 * Returns the message with complete files. If the event may lack something, the current version is read; if Slack
 * does not return it, the sent version is used; null if Slack may return it later.
 */
const wholeOf = async (
  deps: HandleDeps,
  heard: ReceivedMessage,
  last: boolean,
): Promise<SlackMessage | null> => {
  const { client, log } = deps;
  const { channel: place, message } = heard;
  if (!heard.isPartial) return withFiles(client, log, message);
  const where = { place, root: message.thread_ts ?? message.ts };
  const found = await readSingle(client, slackMessage, where, message.ts).catch(slackUnreadOf);
  if (found === null || !("kind" in found)) return withFiles(client, log, found ?? message);
  log.warn("slack: mention not read in full", { why: found.why });
  return found.passing && !last ? null : withFiles(client, log, message);
};

/** An edit without text counts as partial, so that its message is read. */
const asReceived = ({ channel, isDirect, message: ts, thread, now }: SlackEdit): ReceivedMessage => ({
  kind: "message",
  channel,
  isDirect,
  isPartial: now === null,
  message: now ?? slackMessage.parse({ ts, ...omitUndefined({ thread_ts: thread ?? undefined }) }),
});

/** Returns the kind of author, because Slack names a user for a bot's posts too. */
const authorOf = async (
  { platform }: HandleDeps,
  { message }: ReceivedMessage,
  user: string,
): Promise<"person" | "app" | "unread"> => {
  if (message.bot_id === undefined) return "person";
  const read = await platform.person(user, []);
  if (read.kind === "unread") return read.passing ? "unread" : "app";
  return read.person.standing === "bot" ? "app" : "person";
};

const press = async (deps: HandleDeps, id: string, pressed: SlackAction): Promise<HandleResult> => {
  const { user: person, channel: place, thread: root, trigger } = pressed;
  const { action, value } = withThumb(pressed);
  const direct = isDirect(place);
  if (action === PICK_ACTION) {
    if (pressed.alone !== null) await deps.respond(pressed.alone, null);
    return deps.chat.picked({ place, root: root ?? pressed.block, person, direct, repo: value });
  }
  if (action === STEPS_MODAL)
    return showSlackSteps(deps, { person, trigger, about: { channel: place, root, value } });
  const { alone } = pressed;
  const replace = alone === null ? {} : { replace: (note: PrivateNote | null) => deps.respond(alone, note) };
  const click = { id, place, root, direct, person, value, comment: null, quiet: false, ...replace };
  const form = action.startsWith(PREFIX) ? formOf(action.slice(PREFIX.length), deps.say(place)) : null;
  const begins = form?.begins === true ? deps.held(value) : undefined;
  if (begins !== null && begins !== undefined && begins.length > MAX_MODAL_TEXT) {
    await deps.platform.whisper(
      { place, root, person },
      { text: tooLongText(begins.length, MAX_MODAL_TEXT, deps.say(place)), buttons: [] },
    );
    return "done";
  }
  if (form !== null && begins !== null) {
    const about = { channel: place, root, question: value, action: form.action };
    const isOpen = await openModal(deps, trigger, decideModal(about, form, deps.say(place), begins));
    return isOpen ? "done" : deps.chat.clicked({ ...click, action: clickAction(form.action) });
  }
  if (!action.startsWith(PREFIX)) return "done";
  const known = clickAction(action.slice(PREFIX.length).replace(/\/\d+$/, ""));
  return deps.chat.clicked({ ...click, action: known });
};

/** Slack puts the chosen thumb before the value. */
const withThumb = ({ action, value }: SlackAction): Pick<SlackAction, "action" | "value"> => {
  if (action !== THUMBS) return { action, value };
  const end = value.indexOf(":");
  return { action: `${PREFIX}${value.slice(0, end)}`, value: value.slice(end + 1) };
};

const react = async (
  deps: HandleDeps,
  id: string,
  at: Millis,
  last: boolean,
  read: Gesture,
): Promise<HandleResult> => {
  const { user: person, channel: place, message, name, isAdded } = read;
  if (isAdded && name === STOPS) return stop(deps, id, read);
  const emoji = emojiKey(name);
  // The id of the stored event withdraws the reaction.
  if (emoji === null || !isAdded) return "done";
  const moment = Number(read.at);
  const root = await rootOf(deps, place, message);
  if (root === null) return last ? "done" : "later";
  return deps.chat.reacted({ place, root, direct: isDirect(place), message, person, emoji, at, moment });
};

/** Handles `:x:` on any message of a thread. */
const stop = async (
  deps: HandleDeps,
  id: string,
  { user, channel, message }: Gesture,
): Promise<HandleResult> => {
  const root = await rootOf(deps, channel, message);
  return root === null ? "done" : stopAt(deps, id, { user, channel, root });
};

/** Handles Slack's own Stop, which names the thread. The session changes before any request to Slack. */
const stopSession = async (deps: HandleDeps, id: string, read: SessionStop): Promise<HandleResult> => {
  const release = deps.sessions.stop(read.channel, read.root);
  try {
    return await stopAt(deps, id, read);
  } finally {
    release();
  }
};

const stopAt = (
  { chat }: HandleDeps,
  id: string,
  { user, channel, root }: Pick<SessionStop, "user" | "channel" | "root">,
): Promise<HandleResult> => {
  const spot = { id, place: channel, root, direct: isDirect(channel), person: user };
  return chat.clicked({ ...spot, action: "stop", value: "", comment: null, quiet: true });
};

const openAsk = async (deps: HandleDeps, shortcut: Shortcut): Promise<HandleResult> => {
  const { channel, message, thread, responseUrl, trigger, user, steps } = shortcut;
  if (shortcut.name === SHOW_STEPS) {
    const about = { channel, root: thread ?? message, value: steps ?? "" };
    return showSlackSteps(deps, { person: user, trigger, about });
  }
  if (shortcut.name !== ASK_FORM) return "done";
  const isOpen = await openModal(
    deps,
    trigger,
    askModal({ channel, message, root: thread ?? message, responseUrl }, deps.say(channel)),
  );
  if (!isOpen) await replyTo(deps, channel, user, responseUrl)(deps.say(channel)(TOO_LATE));
  return "done";
};

const TOO_LATE: Label = "Slack did not open the form in time. Please try again.";

const submit = async (
  deps: HandleDeps,
  id: string,
  at: Millis,
  { form, metadata, user, view, values }: Submitted,
): Promise<HandleResult> => {
  const words = values[TEXT_INPUT] ?? "";
  const decided = form === DECIDE_FORM ? readDecided(metadata) : null;
  if (decided !== null) {
    const { channel: place, root, question: value, action } = decided;
    const comment = words.trim() === "" ? null : words.trim();
    if (place === HOME_PLACE) return deps.home.submitted(id, user, decided, comment);
    const spot = { id, place, root, direct: isDirect(place), person: user };
    return deps.chat.clicked({ ...spot, action: clickAction(action), value, comment, quiet: false });
  }
  const about = form === ASK_FORM ? readAskedAbout(metadata) : null;
  if (about === null) return "done";
  const { channel: place, message, root, responseUrl } = about;
  return deps.chat.asked({
    id: `ask/${view}`,
    place,
    direct: isDirect(place),
    person: user,
    text: words,
    about: { message, root },
    at,
    reply: replyTo(deps, place, user, responseUrl),
  });
};

/** Replies at the given address, otherwise as a private reply in the channel. */
const replyTo =
  ({ respond, platform }: HandleDeps, place: string, person: string, url: string) =>
  async (text: string): Promise<void> => {
    if (await respond(url, text)) return;
    await platform.whisper({ place, root: null, person }, { text, buttons: [] });
  };

const rootOf = ({ client, log }: HandleDeps, channel: string, ts: string): Promise<string | null> =>
  slackCourtesy(log, "slack: thread of a message not read", async () => {
    const [first] = replies.parse(await client.conversations.replies({ channel, ts, limit: 1 })).messages;
    return first?.thread_ts ?? first?.ts ?? null;
  });

const isDirect = (channel: string): boolean => channel.startsWith("D");

const replies = z.object({ messages: z.array(slackMessage) });
