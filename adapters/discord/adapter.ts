import type { ConversationId } from "../../src/machine/id.ts";
import type { Approver } from "../../src/ports/chat-platform.ts";
import type { ChatAdapter, ChatHost, ChatInbox } from "../../src/ports/connection.ts";
import type { Place } from "../../src/ports/conversation.ts";
import { createReadDiscordPost } from "./read/post.ts";
import { pause } from "../../src/ports/host.ts";
import type { PlatformPorts } from "../../src/ports/platform-entry.ts";
import { omitUndefined } from "../../src/text/omit-undefined.ts";
import { registerCommands } from "./receive/commands.ts";
import { createTake, type TakeDispatch } from "./receive/connect.ts";
import { createDiscordConnection } from "./receive/connection.ts";
import { createForwards } from "./receive/forwards.ts";
import { createHandleDiscord } from "./receive/handle.ts";
import { type DiscordIdentity, identityOf } from "./receive/identity.ts";
import { createInteractionTokens } from "./write/interaction-tokens.ts";
import { createRateLimitRetry } from "../post/rate-limit-retry.ts";
import { createDiscordPlatform } from "./receive/platform.ts";
import { createReadDiscordName } from "./read/channel-name.ts";
import { createDiscordChannels } from "./read/channels.ts";
import { createGuilds } from "./read/guilds.ts";
import { createOwnDeletions } from "./read/own-deletions.ts";
import { createAudience, createReadDiscordThread } from "./read/thread-facts.ts";
import { createChannelReach } from "./read/reach.ts";
import { createThreads } from "./read/threads.ts";
import type { DiscordNames } from "./read/plain.ts";
import type { DiscordCalls } from "./api/calls.ts";
import { discordFailureOf } from "./api/failure.ts";
import { barredBy, createIsIn } from "./write/moderation.ts";
import { createDiscordOpener } from "./write/open.ts";
import { createRenames } from "./write/rename.ts";
import { discordApproversText, discordRenderer } from "./write/render.ts";
import { type NamedApprovers, createSupport } from "./write/support.ts";
import { createDiscordSurface, discordLimits } from "./write/surface.ts";
import { createDiscordAlert } from "./write/alert.ts";
import { english, type Say } from "../../src/i18n/say.ts";
import { createDiscordCards } from "./write/cards.ts";

export interface DiscordSettings {
  readonly token: string;
  readonly apiUrl: string | undefined;
  /** Channels to work in. Null allows every channel that the bot is in. */
  readonly channels: readonly string[] | null;
  /** Forums whose new posts are answered without a mention. */
  readonly answer: readonly string[];
  readonly direct: boolean;
  /** Whether people without write permission may request changes. */
  readonly requests: boolean;
  /**
   * Server in which commands are registered at once, for development; undefined registers them everywhere.
   */
  readonly guild: string | undefined;
}

type DiscordPorts = Pick<
  PlatformPorts,
  "clock" | "log" | "approvers" | "store" | "ledger" | "chat" | "notes" | "limits" | "conceal"
>;

const NAME = "discord";

/** Number of newest stored threads whose existence is checked after a gap. */
const STORED_READ = 2_000;
/** Maximum number of direct message channels that are read after a gap. */
const DIRECT_READ = 200;

export const createDiscordAdapter = (settings: DiscordSettings, ports: DiscordPorts): ChatAdapter => {
  const { token, apiUrl, answer, direct } = settings;
  const { clock, log, store, ledger, notes } = ports;
  let joined: {
    readonly room: ChatInbox;
    readonly take: TakeDispatch;
    readonly self: DiscordIdentity;
  } | null = null;
  let host: ChatHost | null = null;
  let closing = false;

  const connection = createDiscordConnection(
    omitUndefined({ token, clock, log, apiUrl }),
    (type, data) => {
      for (const one of [channels, threads, guilds, forwards]) one.hear(type, data);
      if (type === "READY" && joined === null && host !== null && !closing) {
        joined = join(host, data);
        renames.start();
      }
      joined?.take.hear(type, data);
      const gone = barredBy(type, data);
      if (gone !== null) void joined?.room.bar(gone.person, (place) => isIn(gone.guild, place));
    },
    () => host?.recover(),
  );
  const { calls } = connection;
  const self = (): string | null => joined?.self.bot ?? null;
  const ours = createOwnDeletions(calls);
  const patience = createRateLimitRetry(discordFailureOf, (delay) => pause(clock, delay));
  const patient: DiscordCalls = {
    ...ours.calls,
    call: (...request) => patience(() => ours.calls.call(...request), { isRead: request[0] === "GET" }),
  };
  const guilds = createGuilds();
  const channels = createDiscordChannels();
  const { isForum } = channels;
  const threads = createThreads(patient, channels);
  const answers = (place: string): boolean => answer.includes(place) && isForum(place);
  const reach = createChannelReach({ clock, channels, guilds, threads });
  const permissions = (guild: string, place: string): bigint | null =>
    guilds.permissions(guild, channels.about(place)?.permission_overwrites ?? []);
  const called = calledOf(ports.approvers);
  const forwards = createForwards(patient, clock);
  const whispers = createInteractionTokens(clock);
  const renames = createRenames({ calls, ledger, store, notes, clock, log, self });
  const isIn = createIsIn(patient);
  const lines = { calls: patient, isForum, self };

  /** Ids of messages that a conversation received; quoted messages of other people are not included. */
  const sources = (thread: Place): readonly string[] =>
    livedIn(thread).flatMap((id) => store.claims(id).flatMap(({ claim }) => claim.source ?? []));

  const livedIn = ({ place, root }: Place): readonly ConversationId[] => ledger.lived(NAME, place, root);

  /** The ledger also contains threads of archived or deleted conversations. */
  const parent = (thread: string): string | null =>
    threads.parent(thread) ?? ledger.rooted(NAME, thread)?.place ?? null;

  const say = (place: string): Say => joined?.room.say(place) ?? english;

  /** Joins once, because the bot's identity does not change while the process lives. */
  const join = (on: ChatHost, ready: unknown): typeof joined => {
    const bot = identityOf(ready);
    if (bot === null) {
      log.error("discord: ready event not read, no message answered");
      return null;
    }
    const names: DiscordNames = {
      user: () => null,
      role: guilds.roleName,
      channel: (id) => channels.nameOf(id) ?? threads.nameOf(id),
      isSelf: (id) => id === bot.bot || guilds.appOf(id) === bot.bot,
    };
    const shared = {
      calls: patient,
      clock,
      log,
      self: bot,
      names,
      threads,
      whispers,
      isForum,
      answers,
      parent,
    };
    const platform = createDiscordPlatform({
      ...shared,
      guilds,
      reach,
      audience: createAudience(patient, log),
      locks: threads,
      apiUrl,
    });
    const room = on.attend((own) => ({
      backlog: null,
      approvals: null,
      person: ({ place, server }, person, groups) => {
        const known = channels.guildOf(place);
        const guild = server ?? (known === "" ? null : known);
        return platform({ guild, channel: place, person, seen: null, isPrivate: false }).person(
          person,
          groups,
        );
      },
      handle: createHandleDiscord({
        ...shared,
        platform,
        talk: (platform, refused) => own.talk(`@${bot.name}`, platform, refused),
        held: own.held,
        direct,
        say: own.say,
        forwards,
        support: createSupport({ calls: patient, approvers: called, permissions }),
        stop: own.stop,
        isEnabled: own.isEnabled,
        commands: own.commands,
        acknowledged: (id) => take.acknowledged(id),
      }),
    }));
    const take = createTake({
      conceal: ports.conceal,
      ...shared,
      room,
      forwards,
      heardAt: ports.chat.lastArrival(NAME) ?? clock.now(),
      direct: () => (direct ? ledger.direct(NAME, DIRECT_READ) : []),
      sources,
      channels,
      roots: (place) => ledger.roots(NAME, place),
      newest: () => ledger.newest(NAME, STORED_READ),
      holds: (thread) =>
        livedIn(thread).some((id) => store.claims(id).some(({ claim }) => claim.text !== "")),
      ears: {
        ...shared,
        isOurs: ours.isOurs,
        knows: room.knows,
        hears: room.hears,
        sees: room.sees,
        keeps: room.keeps,
        stops: room.stops,
      },
    });
    void registerCommands(
      { calls: patient, notes, log },
      room.commands,
      bot.application,
      settings.guild ?? null,
    );
    return { room, take, self: bot };
  };

  return {
    rules: { drivers: "approvers", requests: settings.requests, places: settings.channels },
    surface: createDiscordSurface(
      { calls: ours.calls, clock, threads, isForum, whispers, reach, called, self, say },
      { ...discordLimits, ...ports.limits },
    ),
    renderer: (say) => discordRenderer(say, discordApproversText(called, say)),
    languageAt: (place) => guilds.languageOf(channels.guildOf(place)),
    opener: createDiscordOpener({ calls, self }),
    tell: createDiscordAlert(lines),
    readPost: createReadDiscordPost({ calls: patient, isForum }, log),
    cards: createDiscordCards(lines),
    readName: createReadDiscordName(patient, guilds),
    readThread: createReadDiscordThread(patient),
    line: {
      standing: connection.standing,
      failed: new Promise(() => undefined),
      listen: () => undefined,
      heard: renames.heard,
      stored: () => joined?.take.stored(),
      start: (on) => {
        host = on;
        return connection.start();
      },
      leave: async () => {
        closing = true;
        joined?.take.close();
        await renames.close();
      },
      close: connection.close,
    },
  };
};

const calledOf = (approvers: readonly Approver[]): NamedApprovers => ({
  people: approvers.flatMap((one) => (one.kind === "person" ? [one.id] : [])),
  roles: approvers.flatMap((one) => (one.kind === "group" ? [one.id] : [])),
  managers: approvers.some(({ kind }) => kind === "admins"),
});
