/**
 * Handles stored events: passes Discord's messages and clicks to the platform-independent chat code. Runs
 * again after a crash.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type {
  CommandQuestion,
  Chat,
  HandleResult,
  InboxRow,
  AppMessage,
  ChatMessage,
} from "../../../src/ports/chat.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { OfferedCommand } from "../../../src/ports/commands.ts";
import type { ChatInbox } from "../../../src/ports/connection.ts";
import { clickAction } from "../../../src/ports/questions.ts";
import { type MessageContext, NOT_ENABLED, type PlatformFor } from "./platform.ts";
import { type DiscordMessage, discordFilesOf, millisOfSnowflake, discordContentOf } from "../read/message.ts";
import { discordUnreadOf } from "../read/people.ts";
import type { DiscordNames } from "../read/plain.ts";
import { discordAppPostOf } from "./posted.ts";
import type { Interaction } from "../read/read.ts";
import type { DiscordThreads, ThreadLocation } from "../read/threads.ts";
import { type NotesDeps, PICK, replaceAlone } from "../write/notes.ts";
import { threadNameOf } from "../write/thread-name.ts";
import { stepsWanted } from "../write/steps-message.ts";
import type { Support } from "../write/support.ts";
import type { Label } from "../../../src/i18n/say.ts";
import { formOf } from "../../post/controls.ts";
import { aboutOf, decidedOf } from "./acknowledge.ts";
import {
  type DiscordInboundContext,
  type DeletedMessages,
  type DiscordEdit,
  type DiscordReaction,
  readStoredEvent,
  discordMessageOf,
  spotsOf,
} from "./inbound.ts";
import type { Forwards } from "./forwards.ts";
import { sayTo } from "./say-to.ts";
import { showDiscordSteps } from "./steps.ts";

/** `refused`: called if the ledger notifies a person instead of the given platform. */
export type ChatOfPlatform = (platform: ChatPlatform, refused?: () => void) => Chat;

interface HandleDeps
  extends Pick<ChatInbox, "held" | "stop" | "say" | "isEnabled" | "commands">,
    Pick<DiscordInboundContext, "names" | "isForum" | "answers" | "parent">,
    Pick<NotesDeps, "calls" | "clock" | "log"> {
  readonly threads: Pick<DiscordThreads, "spot" | "awaits">;
  readonly forwards: Pick<Forwards, "before" | "follows">;
  readonly platform: PlatformFor;
  readonly talk: ChatOfPlatform;
  readonly support: Support;
  readonly direct: boolean;
  /** Resolves when the acknowledgement of the interaction has ended. */
  readonly acknowledged: (interaction: string) => Promise<void>;
}

/** Time for which the member data in an event counts as current. */
const FRESH: Millis = 10_000;

const NO_DIRECT: Label = "I do not answer direct messages here. Mention me in a channel of a server.";

export const createHandleDiscord =
  (deps: HandleDeps) =>
  async (row: InboxRow, last: boolean): Promise<HandleResult> => {
    const kept = readStoredEvent(row.body);
    const isFresh = deps.clock.now() - row.at < FRESH;
    switch (kept?.kind) {
      case undefined:
        return "done";
      case "message":
        return hear(deps, kept.message, isFresh, last);
      case "edited":
        return amend(deps, kept.edit, kept.message, isFresh, last);
      case "removed":
        return forget(deps, kept.gone);
      case "reaction":
        return react(deps, kept.reaction, row.at, isFresh, last);
      case "interaction":
        return act(deps, kept.interaction, isFresh);
    }
  };

const hear = async (
  deps: HandleDeps,
  message: DiscordMessage,
  isFresh: boolean,
  last: boolean,
): Promise<HandleResult> => {
  const { author, guild_id: guild, channel_id: channel, member } = message;
  const seen = isFresh && member !== undefined ? { ...member, user: author } : null;
  const matter: MessageContext = { guild: guild ?? null, channel, person: author.id, seen, isPrivate: false };
  const said = await saidIn(deps, message, isFresh);
  if (said === null) return "done";
  const platform = deps.platform(matter);
  if (said === "yields") return "done";
  if ("matter" in said) return deps.talk(platform).posted(said);
  if ("unread" in said) {
    if (!last) return "later";
    const to = { place: channel, root: null, person: author.id };
    return deps.talk(platform).unplaced(to, message.id, said.unread);
  }
  if (said.direct && !deps.direct) {
    await platform.whisper(
      { place: channel, root: null, person: author.id },
      { text: deps.say(channel)(NO_DIRECT), buttons: [] },
    );
    return "done";
  }
  if (said.root === null) deps.threads.awaits(message.id, threadNameOf(said.text));
  return deps.talk(platform).said(said, last);
};

/** `message`: null if the update contains only some fields, so that the message has to be read. */
const amend = async (
  deps: HandleDeps,
  edit: DiscordEdit,
  message: DiscordMessage | null,
  isFresh: boolean,
  last: boolean,
): Promise<HandleResult> => {
  const { id, channel_id: channel, guild_id: guild = null, edited_timestamp: at } = edit;
  const spot = await spotIn(deps, guild, channel);
  if ("unread" in spot) return spot.unread !== null && !last ? "later" : "done";
  const seen = isFresh && message?.member !== undefined ? { ...message.member, user: message.author } : null;
  const person = message?.author.id ?? "";
  const platform = deps.platform({ guild, channel, person, seen, isPrivate: false });
  const said =
    message === null
      ? await platform.reread({ place: spot.place, root: spot.root ?? id }, id)
      : discordMessageOf(message, spot, deps);
  if (said === null || (said.direct && !deps.direct)) return "done";
  if (said.root === null) deps.threads.awaits(id, threadNameOf(said.text));
  return deps.talk(platform).edited({ said, editedAt: Date.parse(at), last });
};

const react = async (
  deps: HandleDeps,
  reaction: DiscordReaction,
  at: Millis,
  isFresh: boolean,
  last: boolean,
): Promise<HandleResult> => {
  const { channel_id: channel, message_id: message, user_id: person, member, key: emoji } = reaction;
  const guild = reaction.guild_id ?? null;
  const spot = await spotIn(deps, guild, channel);
  if ("unread" in spot) return spot.unread !== null && !last ? "later" : "done";
  const seen = isFresh && member?.user !== undefined ? { ...member, user: member.user } : null;
  const platform = deps.platform({ guild, channel, person, seen, isPrivate: false });
  const where = { place: spot.place, root: spot.root ?? message, direct: guild === null };
  return deps.talk(platform).reacted({ ...where, message, person, emoji, at, moment: at });
};

const forget = async (deps: HandleDeps, gone: DeletedMessages): Promise<HandleResult> => {
  const chat = deps.talk(
    deps.platform({ guild: null, channel: gone.channel, person: "", seen: null, isPrivate: false }),
  );
  for (const { place, root, ids } of spotsOf(gone, deps.parent(gone.channel))) {
    for (const message of ids.length === 0 ? [null] : ids) {
      const at = millisOfSnowflake(message ?? root);
      if ((await chat.removed({ place, root, message, at })) === "later") return "later";
    }
  }
  return "done";
};

/**
 * Returns a reason if the message's location cannot be read now. "yields": a later message includes this one.
 * Null: no answer is needed.
 */
const saidIn = async (
  deps: HandleDeps,
  message: DiscordMessage,
  isFresh: boolean,
): Promise<ChatMessage | AppMessage | { readonly unread: string } | "yields" | null> => {
  const { channel_id: channel, guild_id: guild = null } = message;
  const spot = await spotIn(deps, guild, channel);
  if ("unread" in spot) return spot.unread === null ? null : { unread: spot.unread };
  const said = discordMessageOf(message, spot, deps);
  if (said === null) return discordAppPostOf(message, spot, deps.names);
  // In direct messages a forward is a question by itself, unless its comment follows.
  const isBare = said.direct && message.message_snapshots.length > 0;
  if (isBare && isFresh && (await deps.forwards.follows(message))) return "yields";
  const forwards = said.root === null || said.direct ? await deps.forwards.before(message, isFresh) : [];
  return withForwards(said, forwards, deps.names);
};

/** `unread`: the reason if another attempt may succeed, otherwise null. */
const spotIn = async (
  { threads, log }: Pick<HandleDeps, "threads" | "log">,
  guild: string | null,
  channel: string,
): Promise<ThreadLocation | { readonly unread: string | null }> => {
  if (guild === null) return { place: channel, root: channel };
  try {
    return await threads.spot(channel);
  } catch (error) {
    const { why, passing } = discordUnreadOf(error);
    log.warn("discord: location of a message not read", { why });
    return { unread: passing ? why : null };
  }
};

/**
 * Adds the files and quotes that the author forwarded right before a channel question, because nothing else
 * brings them into the thread.
 */
const withForwards = (
  said: ChatMessage,
  forwards: readonly DiscordMessage[],
  names: DiscordNames,
): ChatMessage => ({
  ...said,
  files: [...forwards.flatMap(discordFilesOf), ...said.files],
  shown: [...forwards.flatMap((one) => discordContentOf(one, names)), ...(said.shown ?? [])],
});

const act = async (deps: HandleDeps, one: Interaction, isFresh: boolean): Promise<HandleResult> => {
  const { guild, channel, person } = one;
  await deps.acknowledged(one.id);
  const isPrivate = one.kind === "ask" && one.isPrivate;
  const seen = isFresh ? one.seen : null;
  const platform = deps.platform({ guild, channel, person, seen, isPrivate });
  switch (one.kind) {
    case "about":
      return "done";
    case "press":
      return press(deps, one, platform);
    case "choice":
      return choose(deps, one, platform);
    case "form": {
      const decided = decidedOf(one.form);
      return decided === null ? order(deps, one, platform) : decide(deps, one, decided, platform);
    }
    case "ask":
    case "command":
      return order(deps, one, platform);
  }
};

const decide = (
  deps: HandleDeps,
  { id, place, root, guild, person, words }: Interaction & { kind: "form" },
  { action, question: value }: NonNullable<ReturnType<typeof decidedOf>>,
  platform: ChatPlatform,
): Promise<HandleResult> => {
  const comment = words.trim() === "" ? null : words.trim();
  const direct = guild === null;
  const click = {
    id,
    place,
    root,
    person,
    direct,
    action: clickAction(action),
    value,
    comment,
    quiet: false,
  };
  return deps.talk(platform).clicked(click);
};

const press = (
  deps: HandleDeps,
  one: Interaction & { kind: "press" },
  platform: ChatPlatform,
): Promise<HandleResult> => {
  const { id, place, root, guild, person, name, value } = one;
  const wanted = stepsWanted(name, value);
  if (wanted !== null) return showDiscordSteps(deps, deps.talk(platform), one, wanted);
  const action = clickAction(name);
  const isAid = name === "maintainer" || (name === "solved" && deps.isForum(place));
  if (root !== null && guild !== null && isAid) {
    return aid(deps, platform, { ...one, root, guild }, name === "solved" ? value : null);
  }
  // A click that opens a form does nothing else.
  const form = formOf(name, deps.say(place));
  const isOpened = form !== null && (form.begins !== true || deps.held(value) !== null);
  if (isOpened) return Promise.resolve("done");
  const spot = { id, place, root, person, direct: guild === null };
  const replace = one.isAlone ? { replace: replaceAlone(deps, one) } : {};
  return deps.talk(platform).clicked({ ...spot, action, value, comment: null, quiet: false, ...replace });
};

/** `solved`: id of the answer; null if a maintainer is called. */
const aid = async (
  { support, talk, stop, say }: HandleDeps,
  platform: ChatPlatform,
  one: Interaction & { readonly root: string; readonly guild: string },
  solved: string | null,
): Promise<HandleResult> => {
  const { id, place, root, guild, person } = one;
  const where = { place, root };
  const languages = { own: sayTo(one, say), all: say(place) };
  const chat = talk(platform);
  const { told, isSolved = false } =
    solved === null
      ? { told: await support.callMaintainer(where, guild, person, languages) }
      : await support.solve(where, person, await chat.mayApprove(person), id, languages);
  if (isSolved && solved !== null && (await chat.solved(where, solved)) === "later") return "later";
  if (told === null && isSolved) await stop(where, person);
  if (told !== null) await platform.whisper({ ...where, person }, { text: told, buttons: [] });
  return "done";
};

const choose = async (
  deps: HandleDeps,
  { place, root, guild, person, pressed, value }: Interaction & { kind: "choice" },
  platform: ChatPlatform,
): Promise<HandleResult> =>
  root === null || !pressed.startsWith(`${PICK}:`)
    ? "done"
    : deps.talk(platform).picked({ place, root, person, direct: guild === null, repo: value });

/** Handles commands and forms, and always ends their "is thinking". */
const order = async (
  deps: HandleDeps,
  one: Interaction & { kind: "ask" | "command" | "form" },
  platform: ChatPlatform,
): Promise<HandleResult> => {
  let isTold = false;
  const whisper: ChatPlatform["whisper"] = (to, note) => {
    isTold = true;
    return platform.whisper(to, note);
  };
  const reply = (text: string): Promise<void> =>
    whisper({ place: one.channel, root: null, person: one.person }, { text, buttons: [] });
  const chat = deps.talk({ ...platform, whisper }, () => {
    isTold = true;
  });
  const handled = await carryOut(deps, one, chat, reply);
  if (!isTold && handled === "done") await reply(sayTo(one, deps.say)("Done."));
  return handled;
};

const carryOut = async (
  deps: HandleDeps,
  one: Interaction & { kind: "ask" | "command" | "form" },
  chat: Chat,
  reply: (text: string) => Promise<void>,
): Promise<HandleResult> => {
  const { id, place, root, guild, person } = one;
  const direct = guild === null;
  const ask = async (text: string, about: CommandQuestion["about"]): Promise<HandleResult> => {
    if (deps.isEnabled(place))
      return chat.asked({ id: `ask/${id}`, place, direct, person, text, about, reply });
    await reply(sayTo(one, deps.say)(NOT_ENABLED));
    return "done";
  };
  switch (one.kind) {
    case "command":
      return chat.said(
        {
          id: `command/${id}`,
          place,
          root,
          direct,
          message: id,
          person,
          text: typedAs(deps.commands, one),
          addressed: true,
          files: [],
          shown: [],
          about: null,
        },
        true,
      );
    case "ask":
      return ask(one.question, null);
    case "form": {
      const message = aboutOf(one.form);
      return message === null ? "done" : ask(one.words, { message, root: root ?? message });
    }
  }
};

/**
 * Returns the text that a person would type after a mention. A colon separates a person's text from a task.
 */
const typedAs = (
  commands: readonly OfferedCommand[],
  { name, words }: Extract<Interaction, { readonly kind: "command" }>,
): string => {
  const isText = commands.some((one) => one.name === name && one.isText);
  return [isText && words.length > 0 ? `${name}:` : name, ...words].join(" ");
};
