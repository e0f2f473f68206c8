/**
 * A wire-level stand-in for Discord (hazards G1 to G7): the real discord.js talks to it, REST and gateway.
 *
 * Owns: guilds with their people, channels and threads, the journal of requests, the sessions, the faults, the gates and
 * the clock. It never sleeps: what takes time goes by the clock, which a test may hold. Whatever Discord would refuse
 * is refused; what a correct program never does is also kept in `violations`, which tests assert to be empty.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { ApplicationFlags, GatewayIntentBits as Intent } from "discord.js";
import { type FakeClock, realClock } from "../shared/clock.ts";
import { createExchange } from "../shared/exchange.ts";
import { createGates, type Gate } from "../shared/gates.ts";
import { createJournal } from "../shared/journal.ts";
import { createSchedule } from "../shared/schedule.ts";
import { type BodyRead, listenOnLoopback, readBody } from "../shared/server.ts";
import { can } from "./rules/access.ts";
import { type Admin, createAdmin } from "./admin.ts";
import { type Api, serveAttachment, serveCall } from "./api.ts";
import { type Bucket, createBuckets } from "./rules/buckets.ts";
import { type Body, bodyIn, type Call } from "./call.ts";
import { createCommands } from "./commands.ts";
import { control } from "./people/control.ts";
import { type Discord, discordTimes, type Times } from "./discord.ts";
import type { DispatchFault, Fault } from "./fault.ts";
import { createGateway, type Dispatch, type Gateway } from "./gateway.ts";
import { createApp, type OtherApp } from "./people/app.ts";
import { createHuman, type Human } from "./people/human.ts";
import { shardOf } from "./ids.ts";
import { createInteractions, type Interaction } from "./interactions.ts";
import { admits, type Matching } from "./match.ts";
import { type Refused, violate as violation } from "./outcome.ts";
import { channelAsText } from "./render.ts";
import { createRouter } from "./route.ts";
import { routes } from "./routes/all.ts";
import { guildCreateWire, userWire } from "./wire.ts";
import { createWorld, type World, type WorldOptions } from "./world.ts";

type Privileged = keyof typeof PRIVILEGED;

export interface FakeDiscordOptions extends WorldOptions {
  /** Unset: the machine's clock. */
  readonly clock?: FakeClock;
  readonly times?: Partial<Times>;
  /** Buckets that differ from the usual, by route; `off` for none at all. */
  readonly rates?: Readonly<Record<string, Bucket>> | "off";
  /** Privileged intents that the developer portal grants. Unset: message content and members, not presences. */
  readonly privileged?: readonly Privileged[];
  /** Whether the application is verified: its intents are Discord's to grant. */
  readonly isVerified?: boolean;
  /** What GET /gateway/bot recommends. */
  readonly shards?: number;
  readonly maxConcurrency?: number;
  readonly sessionLimit?: number;
  readonly guildsPerShard?: number;
  /** Updates have only the fields that changed, as the reference allows. */
  readonly partialUpdates?: boolean;
}

export interface FakeDiscord {
  readonly port: number;
  readonly url: string;
  /** For `rest.api` and DISCORD_API_URL. */
  readonly apiUrl: string;
  readonly token: string;
  readonly world: World;
  /** Spoils the next `times` (1) matching requests. */
  fault(fault: Fault, options?: { readonly times?: number; readonly match?: Matching }): void;
  /** Spoils the next `times` (1) events of that type (`MESSAGE_CREATE`). */
  dispatchFault(fault: DispatchFault, type: string, times?: number): void;
  /** The gate of that name, or a new one; it is data that a fault can hold. */
  gate(name?: string): Gate;
  /** Every request so far. */
  readonly calls: readonly Call[];
  /** The first call of the route (`POST /channels/{channel}/messages`) not yet returned by this. */
  nextCall(route: string): Promise<Call>;
  /** The first `count` calls of the route, once they have come. */
  waitFor(count: number, route: string): Promise<readonly Call[]>;
  readonly gateway: Omit<Gateway, "upgrade" | "dispatch" | "close">;
  /** Sends any event at all, as Discord might some day. */
  dispatch(dispatch: Dispatch): void;
  readonly interactions: readonly Interaction[];
  /** A test that expects some takes them out with `splice`. */
  readonly violations: string[];
  /** Messages of a channel or thread, by id or name. */
  asText(channel: string): string;
  /** The person of that name. */
  as(name: string): Human;
  /** Another app of that name. */
  app(name: string): OtherApp;
  readonly admin: Admin;
  /** What a developer switches in the portal. */
  grantIntents(names: readonly Privileged[]): void;
  /** The token is reset: refused everywhere from now on. */
  revoke(): void;
  /** The token is taken again, as after an incident of Discord's. */
  restore(): void;
  /** Ends every connection at once. Waits on what never came are rejected. */
  close(): Promise<void>;
}

/** The form of a real one: the first part is an id. */
const TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAw.fake.fake-token-for-tests";
const API = "/api/v10";
const MAX_BODY = 25 * 1024 * 1024;
const PRIVILEGED = {
  messageContent: { intent: Intent.MessageContent, flag: 1 << 19 },
  members: { intent: Intent.GuildMembers, flag: 1 << 15 },
  presences: { intent: Intent.GuildPresences, flag: 1 << 13 },
} as const;

/** Flag that Discord sets for apps with commands. The app cannot change the flag. */
const BADGE = ApplicationFlags.ApplicationCommandBadge;
const privilegedNames: readonly Privileged[] = ["messageContent", "members", "presences"];

export const createFakeDiscord = async (options: FakeDiscordOptions = {}): Promise<FakeDiscord> => {
  const clock = options.clock ?? realClock;
  const times = { ...discordTimes, ...options.times };
  const journal = createJournal<Call>();
  const violations: string[] = [];
  const gates = createGates();
  const world = createWorld(options, clock);
  const router = createRouter(routes);
  let granted: readonly Privileged[] = options.privileged ?? ["messageContent", "members"];
  const maxConcurrency = options.maxConcurrency ?? 1;
  const sessionLimit = options.sessionLimit ?? 1_000;
  let isRevoked = false;

  const violate = (message: string): number => violations.push(message);
  const createOf = (guild: string): Dispatch => ({
    type: "GUILD_CREATE",
    guild,
    intent: Intent.Guilds,
    data: () => {
      const one = world.guilds.get(guild);
      if (one === undefined) throw new Error(`no guild ${guild}`);
      return guildCreateWire(world, one, (channel) =>
        can({ world, clock }, world.app.bot, channel, "ViewChannel"),
      );
    },
  });
  const gateway = createGateway(clock, {
    times,
    token: TOKEN,
    isRevoked: () => isRevoked,
    disallowed: () =>
      Object.entries(PRIVILEGED).reduce(
        (all, [name, { intent }]) => (granted.some((one) => one === name) ? all : all | intent),
        0,
      ),
    maxConcurrency,
    sessionLimit,
    guildCount: () => world.guilds.size,
    guildsPerShard: options.guildsPerShard ?? 2_500,
    resumeUrl: () => server.url.replace("http", "ws"),
    ready: (shard, shardCount) => {
      const mine = [...world.guilds.values()].filter(
        ({ id, members }) => shardOf(id, shardCount) === shard && members.has(world.app.bot),
      );
      return {
        ready: {
          user: {
            ...userWire({ id: world.app.bot, name: world.app.name, isBot: true }),
            mfa_enabled: true,
            verified: true,
            email: null,
          },
          guilds: mine.map(({ id }) => ({ id, unavailable: true })),
          application: { id: world.app.id, flags: applicationFlags() },
        },
        then: mine.map(({ id }) => createOf(id)),
      };
    },
    violate,
  });
  const dispatchFaults = createSchedule<Dispatch, DispatchFault>();
  const tell = (dispatch: Dispatch): void => {
    const fault = dispatchFaults.take(dispatch);
    switch (fault?.kind) {
      case "lose":
        return;
      case "hold":
        void gates.pass(fault).then(() => gateway.dispatch(dispatch));
        return;
      case "duplicate":
        gateway.dispatch(dispatch);
        gateway.dispatch(dispatch);
        return;
      case undefined:
        gateway.dispatch(dispatch);
    }
  };
  const applicationFlags = (): number => granted.reduce((all, one) => all | PRIVILEGED[one].flag, BADGE);
  const server = await listenOnLoopback((request, response) => receive(request, response), gateway.upgrade);
  const discord: Discord = {
    baseUrl: server.url,
    clock,
    times,
    world,
    commands: createCommands(world),
    interactions: createInteractions(clock, times, world),
    gateway: () => ({
      url: server.url.replace("http", "ws"),
      shards: options.shards ?? 1,
      session_start_limit: {
        total: sessionLimit,
        remaining: gateway.remaining,
        reset_after: 14_400_000,
        max_concurrency: maxConcurrency,
      },
    }),
    applicationFlags,
    changeFlags: (flags) => {
      const all = privilegedNames.reduce((bits, name) => bits | PRIVILEGED[name].flag, 0);
      if ((flags & ~all) !== 0) violate(`flags ${flags} has more than the limited intents`);
      if (options.isVerified === true || (flags & ~all) !== 0) return false;
      granted = privilegedNames.filter((name) => (flags & PRIVILEGED[name].flag) !== 0);
      return true;
    },
    dispatch: tell,
    partialUpdates: options.partialUpdates ?? false,
    violate,
  };
  const api: Api = {
    discord,
    token: TOKEN,
    isRevoked: () => isRevoked,
    faults: createSchedule(),
    gates,
    buckets: createBuckets(clock, options.rates ?? {}),
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readBody(request, MAX_BODY);
    if (read.kind === "gone") return;
    const bytes = read.kind === "read" ? read.bytes : Buffer.alloc(0);
    if (request.url?.startsWith("/__fake/") === true) {
      await control(fake, request, bytes.toString("utf8"), response);
      return;
    }
    const body = await bodyIn(request.headers, bytes);
    const live = createExchange(
      journal.entries.length + 1,
      request,
      body.kind === "body" ? body.body : bytes.toString("utf8"),
      response,
    );
    const path = live.exchange.path;
    const match = path.startsWith(API) ? router(live.exchange.method, path.slice(API.length)) : undefined;
    const call: Call = {
      seq: live.exchange.seq,
      route: match?.name ?? "unknown",
      params: match?.params ?? {},
      query: live.exchange.query,
      body: live.exchange.body,
      files: body.kind === "body" ? body.files : [],
      exchange: live.exchange,
    };
    journal.append(call);
    try {
      await (path.startsWith("/attachments/")
        ? serveAttachment(discord, { live, response }, path)
        : serveCall(api, { live, response }, request, call, match?.route, brokenness(read, body)));
    } catch (error) {
      violate(`the fake failed: ${String(error)}`);
      live.cut("reset");
    }
  };

  const fake: FakeDiscord = {
    port: server.port,
    url: server.url,
    apiUrl: `${server.url}/api`,
    token: TOKEN,
    world,
    fault: (fault, { times: count = 1, match = {} } = {}) =>
      api.faults.push({ match: admits(match), times: count, value: fault }),
    dispatchFault: (fault, type, times = 1) =>
      dispatchFaults.push({ match: (dispatch) => dispatch.type === type, times, value: fault }),
    gate: (name) => gates.gate(name),
    calls: journal.entries,
    nextCall: (route) => journal.next((call) => call.route === route),
    waitFor: (count, route) => journal.waitFor(count, (call) => call.route === route),
    gateway,
    dispatch: gateway.dispatch,
    interactions: discord.interactions.all,
    violations,
    asText: (channel) => channelAsText(world, world.channelNamed(channel).id),
    as: (name) => createHuman(discord, name),
    app: (name) => createApp(discord, name),
    admin: createAdmin(discord),
    grantIntents: (names) => {
      granted = names;
    },
    revoke: () => {
      isRevoked = true;
    },
    restore: () => {
      isRevoked = false;
    },
    close: async () => {
      journal.close();
      gateway.close();
      await server.close();
    },
  };
  return fake;
};

const brokenness = (read: BodyRead, body: Body): Refused | undefined => {
  if (read.kind === "tooLarge") return violation("tooLarge", "more than 25 MiB were sent");
  return body.kind === "body" ? undefined : violation("invalidJson", "the body is not JSON");
};
