/**
 * The Discord surface put together: its threads delivered, what people do there stored and handled. Nothing else of the
 * host waits for Discord; what is wrong with it is said in the log and in the health report.
 */

import type { Take } from "../../../adapters/discord/listen/connect.ts";
import type { DiscordState } from "../../../adapters/discord/listen/connection.ts";
import type { Talk } from "../../../adapters/discord/listen/handle.ts";
import type { Identity } from "../../../adapters/discord/listen/identity.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Bot } from "../../ports/bot.ts";
import type { Approver, Inbox } from "../../ports/chat.ts";
import type { Place } from "../../ports/conversation.ts";
import type { Replies } from "../../ports/replies.ts";
import { createBarred } from "../../runtime/chat/barred.ts";
import { isStop } from "../../runtime/chat/commands/command.ts";
import { createRate } from "../../runtime/chat/commands/rate.ts";
import { createRepos } from "../../runtime/chat/commands/repos.ts";
import { groupsOf, personId, rightsOf } from "../../runtime/chat/commands/rights.ts";
import { createInbox } from "../../runtime/chat/inbox.ts";
import { createNewThreads } from "../../runtime/chat/new-threads.ts";
import { createReplies } from "../../runtime/chat/replies.ts";
import { createRequests } from "../../runtime/chat/requests.ts";
import { createDeliverer } from "../../runtime/deliver/deliverer.ts";
import { createSlots } from "../../runtime/live/slots.ts";
import { randomId } from "../random-id.ts";
import type { Config } from "../settings/config.ts";
import {
  AT_ONCE,
  type ChatParts,
  type ChatSurface,
  createTalk,
  firstTry,
  hasNoModel,
  policyOf,
} from "./chat-surface.ts";
import { receive } from "./receive.ts";

const NAME = "discord";

/** Why the surface is off, as far as the configuration tells; null where it can be tried. */
export const discordIsOff = (config: Config): string | null => {
  if (config.DISCORD_TOKEN === undefined) return "DISCORD_TOKEN is not set";
  return hasNoModel(config);
};

/** Channels of direct messages that are looked through after a gap, at most. */
const DIRECT_READ = 200;

/** Null where the configuration leaves it off. */
export const createDiscord = async (config: Config, parts: ChatParts): Promise<ChatSurface | null> => {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = config;
  if (discordIsOff(config) !== null || token === undefined) return null;
  const adapter = await loadAdapter();
  const { clock, log, store, ledger, chat: rows, alerts } = parts;
  const repos = createRepos(config.PARLEY_REPOS);
  const places = config.PARLEY_DISCORD_CHANNELS ?? null;
  let joined: {
    readonly inbox: Inbox;
    readonly take: Take;
    readonly replies: Replies;
    readonly self: Identity;
  } | null = null;
  let closing = false;
  let bot: Bot | null = null;

  const connection = adapter.createDiscordConnection(
    { token, clock, log, ...(apiUrl === undefined ? {} : { apiUrl }) },
    {
      state: () => undefined,
      event: (type, data) => {
        locks.hear(type, data);
        forums.hear(type, data);
        threads.hear(type, data);
        guilds.hear(type, data);
        if (type === "READY" && joined === null && bot !== null && !closing) {
          joined = join(bot, data);
          renames.start();
        }
        joined?.take.hear(type, data);
        const gone = adapter.barredBy(type, data);
        if (gone !== null && bot !== null) {
          void barred.bar(bot, personId(NAME, gone.person), (place) => isIn(gone.guild, place));
        }
      },
      fresh: () => undefined,
    },
  );
  const { calls } = connection;
  const own = adapter.createOwn(calls);
  const patient = adapter.createPatient(own.calls, clock);
  const locks = adapter.createLocks();
  const guilds = adapter.createGuilds();
  const threads = adapter.createThreads(patient);
  const forums = adapter.createForums();
  const { isForum } = forums;
  const answers = (place: string): boolean => config.PARLEY_DISCORD_ANSWER.includes(place) && isForum(place);
  const whispers = adapter.createWhispers(clock);
  const surface = parts.metrics.surface(
    NAME,
    adapter.createDiscordSurface({
      calls: own.calls,
      clock,
      locks,
      isForum,
      whispers,
      self: () => joined?.self.bot ?? null,
    }),
  );
  const deliverer = createDeliverer({
    name: NAME,
    surface,
    renderer: adapter.discordRenderer,
    store,
    ledger,
    blobs: parts.blobs,
    maskFile: parts.maskFile,
    clock,
    log,
    randomId,
    fault: (conversation) => parts.fault(NAME, conversation),
  });

  const renames = adapter.createRenames({
    calls,
    ledger,
    store,
    notes: alerts,
    clock,
    log,
    self: () => joined?.self.bot ?? null,
  });

  const barred = createBarred({ name: NAME, ledger, store: rows, log });
  const requests = createRequests({
    name: NAME,
    on: config.PARLEY_DISCORD_REQUESTS,
    ledger,
    store: rows,
    clock,
  });
  const policy = policyOf(config, NAME, "approvers");
  const rate = createRate(clock, config.PARLEY_STRANGER_TURNS);
  const isIn = adapter.createIsIn(patient);

  const isEnabled = (place: string): boolean => {
    const binding = rows.binding(NAME, place);
    const isAllowed = places === null || places.includes(place);
    return isAllowed && binding !== null && repos.nameOf(binding.repo) !== null;
  };

  /** Messages that a conversation was told; what was quoted of others is not among them. */
  const sources = (thread: Place): readonly string[] =>
    livedIn(thread).flatMap((id) => store.claims(id).flatMap(({ claim }) => claim.source ?? []));

  /** A thread that was opened for a conversation begins with a message whose key is the conversation's id. */
  const wires = (thread: Place): readonly string[] =>
    livedIn(thread).flatMap((id) => [id, ...ledger.wires(id)]);

  const livedIn = ({ place, root }: Place): readonly ConversationId[] => ledger.lived(NAME, place, root);

  /** The ledger knows the threads of conversations that are archived or gone. */
  const parent = (thread: string): string | null =>
    threads.parent(thread) ?? ledger.rooted(NAME, thread)?.thread.place ?? null;

  const talkOf =
    (on: Bot, self: Identity, replies: Replies): Talk =>
    (platform, refused = () => undefined) =>
      createTalk(config, parts, {
        name: NAME,
        mention: `@${self.name}`,
        bot: on,
        platform,
        places,
        rate,
        replies: {
          owe: (...reply) => {
            refused();
            return replies.owe(...reply);
          },
          tell: () => {
            refused();
            replies.tell();
          },
        },
        drivers: "approvers",
      });

  /** Once: the bot stays the same one for as long as the process lives. */
  const join = (on: Bot, ready: unknown): typeof joined => {
    const self = adapter.identityOf(ready);
    if (self === null) {
      log.error("discord: its first event could not be read, so nothing there is answered");
      return null;
    }
    const replies = createReplies({ name: NAME, store: rows, surface, bot: on, clock, log });
    const inbox = createInbox({
      surface: NAME,
      store: rows,
      clock,
      log,
      slots: createSlots(AT_ONCE),
      // What was missed is read back by time, whatever came since.
      gap: { isOpen: () => false, begin: () => undefined },
      stored: () => undefined,
      handle: adapter.createHandle({
        calls: patient,
        clock,
        log,
        self,
        threads,
        platform: adapter.createDiscordPlatform({
          calls: patient,
          guilds,
          clock,
          log,
          whispers,
          locks,
          self,
          apiUrl,
          receive,
        }),
        talk: talkOf(on, self, replies),
        direct: config.PARLEY_DISCORD_DIRECT,
        isForum,
        answers,
        support: adapter.createSupport({ calls: patient, approvers: calledOf(policy.approvers) }),
        mayApprove: async (platform, person) => {
          const read = await platform.person(person, groupsOf(policy));
          return read.kind === "person" && rightsOf(policy, read.person).mayApprove;
        },
        stop: async ({ place, root }, person) => {
          const thread = ledger.find(NAME, place, root)?.thread;
          if (thread !== undefined) {
            await on.act(thread.conversation, { kind: "stop", by: personId(NAME, person) });
          }
        },
        isEnabled,
        parent,
        acknowledged: (id) => take.acknowledged(id),
      }),
    });
    const take = adapter.createTake({
      calls: patient,
      clock,
      log,
      inbox,
      whispers,
      heardAt: rows.lastArrival(NAME) ?? clock.now(),
      isEnabled,
      direct: () => (config.PARLEY_DISCORD_DIRECT ? ledger.direct(NAME, DIRECT_READ) : []),
      sources,
      wires,
      ears: {
        self,
        parent,
        isForum,
        answers,
        isOurs: own.isOurs,
        // Also a thread that becomes a conversation's as soon as what began it is handled.
        knows: (place, root) => ledger.find(NAME, place, root) !== null || inbox.awaits(`${place}/${root}`),
        stops: isStop,
      },
    });
    const registry = { calls: patient, notes: alerts, log };
    void adapter.registerCommands(registry, self.application, config.PARLEY_DISCORD_GUILD ?? null);
    replies.start();
    inbox.start();
    return { inbox, take, replies, self };
  };

  return {
    standing: () => standingOf(connection.state),
    late: deliverer.late,
    tell: adapter.createTell(patient),
    called: adapter.createReadName(patient, guilds),
    threads: createNewThreads({
      ...parts,
      name: NAME,
      opener: adapter.createOpener({ calls, self: () => joined?.self.bot ?? null }),
    }),
    heard: (id, change) => {
      barred.heard(id, change);
      requests.heard(id, change);
      renames.heard(id, change);
      deliverer.heard(id, change);
    },
    weigh: async (...asked) => (bot === null ? null : requests.weigh(bot, ...asked)),
    start: (on) => {
      bot = on;
      deliverer.start();
      return firstTry(clock, connection.start());
    },
    leave: async () => {
      closing = true;
      joined?.take.close();
      await Promise.all([joined?.inbox.close(), renames.close()]);
      await joined?.replies.close();
    },
    close: async () => {
      await deliverer.close();
      await connection.close();
    },
  };
};

/** Whom *Ask a maintainer* calls. */
const calledOf = (approvers: readonly Approver[]) => ({
  people: approvers.flatMap((one) => (one.kind === "person" ? [one.id] : [])),
  roles: approvers.flatMap((one) => (one.kind === "group" ? [one.id] : [])),
  managers: approvers.some(({ kind }) => kind === "admins"),
});

const standingOf = (state: DiscordState): string => {
  switch (state.kind) {
    case "starting":
      return "connecting";
    case "on":
      return "on";
    case "away":
      return "reconnecting";
    case "failed":
      return `off: ${state.problem.message}. ${state.problem.remedy}`;
    case "closed":
      return "off";
  }
};

const loadAdapter = async () => {
  const [
    { createReadName },
    { registerCommands },
    { createTake },
    { createDiscordConnection },
    { createGuilds },
    { createHandle },
    { identityOf },
    { createLocks },
    { createOpener },
    { barredBy, createIsIn },
    { createOwn },
    { createPatient },
    { createDiscordPlatform },
    { createRenames },
    { createForums },
    { createSupport },
    { createTell },
    { discordRenderer },
    { createDiscordSurface },
    { createThreads },
    { createWhispers },
  ] = await Promise.all([
    import("../../../adapters/discord/read/channel-name.ts"),
    import("../../../adapters/discord/listen/commands.ts"),
    import("../../../adapters/discord/listen/connect.ts"),
    import("../../../adapters/discord/listen/connection.ts"),
    import("../../../adapters/discord/read/guilds.ts"),
    import("../../../adapters/discord/listen/handle.ts"),
    import("../../../adapters/discord/listen/identity.ts"),
    import("../../../adapters/discord/write/locks.ts"),
    import("../../../adapters/discord/write/open.ts"),
    import("../../../adapters/discord/write/moderation.ts"),
    import("../../../adapters/discord/read/own.ts"),
    import("../../../adapters/discord/write/patient.ts"),
    import("../../../adapters/discord/platform.ts"),
    import("../../../adapters/discord/write/rename.ts"),
    import("../../../adapters/discord/read/forums.ts"),
    import("../../../adapters/discord/write/support.ts"),
    import("../../../adapters/discord/write/tell.ts"),
    import("../../../adapters/discord/write/render.ts"),
    import("../../../adapters/discord/write/surface.ts"),
    import("../../../adapters/discord/read/threads.ts"),
    import("../../../adapters/discord/listen/whispers.ts"),
  ]);
  return {
    createReadName,
    registerCommands,
    createTake,
    createDiscordConnection,
    createGuilds,
    createHandle,
    identityOf,
    createLocks,
    createOpener,
    barredBy,
    createIsIn,
    createOwn,
    createPatient,
    createDiscordPlatform,
    createRenames,
    createForums,
    createSupport,
    createTell,
    discordRenderer,
    createDiscordSurface,
    createThreads,
    createWhispers,
  };
};
