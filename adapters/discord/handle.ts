/** What was kept, handled: Discord's words become questions to the shared manners. Runs again after a crash. */

import type { Log } from "../../src/runtime/ports.ts";
import type {
  Chat,
  ChatPlatform,
  ClickAction,
  Handled,
  InboxRow,
  Said,
} from "../../src/runtime/ports-chat.ts";
import { aboutOf } from "./acknowledge.ts";
import type { Identity } from "./identity.ts";
import { readKept, saidOf } from "./inbound.ts";
import { PICK } from "./notes.ts";
import { type Matter, NOT_ENABLED, type PlatformFor } from "./platform.ts";
import { unreadOf } from "./people.ts";
import type { Interaction } from "./read.ts";
import type { Calls } from "./rest.ts";
import type { Threads } from "./threads.ts";
import { type DiscordMessage, discordMessage } from "./wire.ts";

export interface HandleDeps {
  readonly calls: Calls;
  readonly log: Log;
  readonly self: Identity;
  readonly threads: Pick<Threads, "spot">;
  readonly platform: PlatformFor;
  readonly talk: (platform: ChatPlatform) => Chat;
  /** Direct messages are taken. */
  readonly direct: boolean;
  /** The place has a repository. */
  readonly isEnabled: (place: string) => boolean;
  /** Settles when the interaction's acknowledgement has ended. */
  readonly acknowledged: (interaction: string) => Promise<void>;
}

const NO_DIRECT = "I take no direct messages here. Ask me in a server: mention me in a channel.";

export const createHandle =
  (deps: HandleDeps) =>
  async (row: InboxRow): Promise<Handled> => {
    const kept = readKept(row.body);
    switch (kept?.kind) {
      case undefined:
        return "done";
      case "message":
        return hear(deps, kept.message);
      case "interaction":
        return act(deps, kept.interaction);
    }
  };

const hear = async (deps: HandleDeps, message: DiscordMessage): Promise<Handled> => {
  const { author, guild_id: guild, channel_id: channel } = message;
  const matter: Matter = { guild: guild ?? null, channel, person: author.id, isPrivate: false };
  const said = await saidIn(deps, message);
  if (said === null) return "done";
  const platform = deps.platform(matter);
  if (said.direct && !deps.direct) {
    await platform.whisper(
      { place: channel, root: null, person: author.id },
      { text: NO_DIRECT, buttons: [] },
    );
    return "done";
  }
  return deps.talk(platform).said(said);
};

const saidIn = async (deps: HandleDeps, message: DiscordMessage): Promise<Said | null> => {
  try {
    const { channel_id: channel, guild_id: guild } = message;
    const spot = guild === undefined ? { place: channel, root: channel } : await deps.threads.spot(channel);
    return saidOf(message, spot, deps.self);
  } catch (error) {
    deps.log.warn("discord: where a message stands could not be read", { why: unreadOf(error).why });
    return null;
  }
};

const act = async (deps: HandleDeps, one: Interaction): Promise<Handled> => {
  const { guild, channel, person } = one;
  await deps.acknowledged(one.id);
  const isPrivate = one.kind === "ask" && one.isPrivate;
  const platform = deps.platform({ guild, channel, person, isPrivate });
  switch (one.kind) {
    case "about":
      return "done";
    case "press":
      return press(deps, one, platform);
    case "choice":
      return choose(deps, one, platform);
    case "ask":
    case "command":
    case "form":
      return order(deps, one, platform);
  }
};

const press = (
  deps: HandleDeps,
  { place, root, guild, person, pressed }: Interaction & { kind: "press" },
  platform: ChatPlatform,
): Promise<Handled> => {
  const [, name = "", value = ""] = /^parley_([a-z_]+):(.+)$/.exec(pressed) ?? [];
  const action = CLICKS.find((known) => known === name);
  if (action === undefined) return Promise.resolve("done");
  const click = { place, root, person, direct: guild === null, action, value, comment: null, quiet: false };
  return deps.talk(platform).clicked(click);
};

const CLICKS: readonly ClickAction[] = [
  "approve",
  "deny",
  "once",
  "session",
  "stay",
  "switch",
  "branch",
  "retry",
  "stop",
  "stop_and_send",
];

/** A repository picked for direct messages: the message that waited is read again. */
const choose = async (
  deps: HandleDeps,
  { place, root, guild, person, pressed, value, message, channel }: Interaction & { kind: "choice" },
  platform: ChatPlatform,
): Promise<Handled> => {
  if (root === null || !pressed.startsWith(`${PICK}:`)) return "done";
  const waiting = pressed.slice(PICK.length + 1);
  const answer = await deps.calls.call("GET", `/channels/${channel}/messages/${waiting}`).catch(() => null);
  const read = discordMessage.safeParse(answer);
  const said = read.success ? saidOf(read.data, { place, root }, deps.self) : null;
  const direct = guild === null;
  return deps.talk(platform).picked({ place, root, person, direct, repo: value, message, said });
};

/** Commands and forms, whose "is thinking" always gets an end. */
const order = async (
  deps: HandleDeps,
  one: Interaction & { kind: "ask" | "command" | "form" },
  platform: ChatPlatform,
): Promise<Handled> => {
  let isTold = false;
  const whisper: ChatPlatform["whisper"] = (to, note) => {
    isTold = true;
    return platform.whisper(to, note);
  };
  const reply = (text: string): Promise<void> =>
    whisper({ place: one.channel, root: null, person: one.person }, { text, buttons: [] });
  const chat = deps.talk({ ...platform, whisper });
  const handled = await carryOut(deps, one, chat, reply);
  if (!isTold && handled === "done") await reply("Done.");
  return handled;
};

const carryOut = (
  deps: HandleDeps,
  one: Interaction & { kind: "ask" | "command" | "form" },
  chat: Chat,
  reply: (text: string) => Promise<void>,
): Promise<Handled> => {
  const { id, place, root, guild, person } = one;
  const direct = guild === null;
  switch (one.kind) {
    case "command":
      return chat.said({
        id: `command/${id}`,
        place,
        root,
        direct,
        message: id,
        person,
        text: one.text,
        addressed: true,
        files: [],
        shown: [],
        about: null,
      });
    case "ask":
      return deps.isEnabled(place)
        ? chat.asked({ id: `ask/${id}`, place, direct, person, text: one.question, about: null, reply })
        : refuse(reply);
    case "form": {
      const message = aboutOf(one.form);
      if (message === null) return Promise.resolve("done");
      const about = { message, root: root ?? message };
      return deps.isEnabled(place)
        ? chat.asked({ id: `ask/${id}`, place, direct, person, text: one.words, about, reply })
        : refuse(reply);
    }
  }
};

const refuse = async (reply: (text: string) => Promise<void>): Promise<Handled> => {
  await reply(NOT_ENABLED);
  return "done";
};
