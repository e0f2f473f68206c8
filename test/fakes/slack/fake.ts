/**
 * A wire-level stand-in for Slack (hazards S1 to S7): the real Bolt, WebClient and SocketModeClient talk to it.
 *
 * Owns: one workspace with its people, channels and threads, the journal of requests, the faults, the gates and the
 * clock. It never sleeps: what takes time goes by the clock, which a test may hold. Whatever Slack would refuse is
 * refused; what a correct program never does is also kept in `violations`, which tests assert to be empty.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type FakeClock, realClock } from "../shared/clock.ts";
import { createExchange } from "../shared/exchange.ts";
import { createGates, type Gate } from "../shared/gates.ts";
import { createJournal } from "../shared/journal.ts";
import { createSchedule } from "../shared/schedule.ts";
import { listenOnLoopback, readBody } from "../shared/server.ts";
import { change } from "./people/acts.ts";
import { createApp, type OtherApp } from "./people/app.ts";
import { type Admin, createAdmin } from "./admin.ts";
import { appToken, botToken, createApps, type Developer } from "./apps.ts";
import { type Reply, sendText } from "../shared/answer.ts";
import { type Api, serveMethod } from "./api.ts";
import { argsOf, type Call } from "./call.ts";
import type { Fault } from "./fault.ts";
import { control } from "./people/control.ts";
import { createDeliveries, type Delivery, type DeliveryFault } from "./deliveries.ts";
import { eventCallback, rateLimitedNotice, subscriptionOf } from "./events.ts";
import { type Address, createHuman, type Human } from "./people/human.ts";
import { admits, admitsDelivery, type DeliveryMatching, type Matching } from "./match.ts";
import { methods } from "./methods/all.ts";
import { storyAsText, threadAsText } from "./render.ts";
import { createResponseUrls } from "./response-urls.ts";
import { slackSchema } from "./schema.ts";
import { createSessions, type Session } from "./sessions.ts";
import { type AppKind, type Slack, slackTimes, type Times } from "./slack.ts";
import { createSockets, type Sockets } from "./sockets.ts";
import { createStreams } from "./streams.ts";
import { createThreads, type ThreadState } from "./threads.ts";
import { type Bucket, createRateLimiter } from "./rules/tiers.ts";
import { serveDownload, serveResponse, serveUpload } from "./transfer.ts";
import { createTriggers } from "./people/triggers.ts";
import { createViews, type View, type Views } from "./people/views.ts";
import { createWorld, type World, type WorldOptions } from "./world.ts";

export interface FakeSlackOptions extends WorldOptions {
  /** Unset: the machine's clock. */
  readonly clock?: FakeClock;
  readonly times?: Partial<Times>;
  /** Buckets that differ from Slack's, by method; `off` for none at all. Unset: Slack's. */
  readonly rates?: Readonly<Record<string, Bucket>> | "off";
  /** The events that the app subscribes to, as its manifest names them. Unset: all. */
  readonly events?: readonly string[];
  /**
   * What the app is by its manifest: an agent, as every new app, an assistant of before the agents, or neither. Unset:
   * an agent.
   */
  readonly appKind?: AppKind;
  /** Whether the manifest enables the Home tab. Unset: yes. */
  readonly hasHome?: boolean;
  /** Whether Slack escapes the text of the app's commands, as its manifest has it. Unset: yes. */
  readonly escapesCommands?: boolean;
  /** Whether messages inside of events have little more than their ids (WS3). Unset: all that they have. */
  readonly partialEvents?: boolean;
  /** What the bot token may do. Unset: everything that the fake knows. */
  readonly scopes?: readonly string[];
  /** Whether the workspace has no app yet, so that no token works until a developer creates one. */
  readonly isEmpty?: boolean;
  /** Whether an admin has to approve apps before they are installed. */
  readonly approval?: "none" | "pending";
  /** Whether the app has Socket Mode switched on. Unset: yes. */
  readonly socketMode?: boolean;
}

export interface FakeSlack {
  readonly port: number;
  readonly url: string;
  /** For `slackApiUrl`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly world: World;
  /** Spoils the next `times` (1) matching requests. */
  fault(fault: Fault, options?: { readonly times?: number; readonly match?: Matching }): void;
  /** Spoils the next `times` (1) matching deliveries to the app. */
  deliveryFault(
    fault: DeliveryFault,
    options?: { readonly times?: number; readonly match?: DeliveryMatching },
  ): void;
  /** The gate of that name, or a new one; it is data that a fault can hold. */
  gate(name?: string): Gate;
  /** Every request so far. */
  readonly calls: readonly Call[];
  /** The first call of the method not yet returned by this. */
  nextCall(method: string): Promise<Call>;
  /** The first `count` calls of the method, once they have come. */
  waitFor(count: number, method: string): Promise<readonly Call[]>;
  readonly sockets: Omit<Sockets, "upgrade" | "next" | "close" | "address">;
  /** Everything that was sent to the app, or was to be. */
  readonly deliveries: readonly Delivery[];
  /** The first `count` matching deliveries, once there have been so many. */
  waitForDelivery(count: number, match?: DeliveryMatching): Promise<readonly Delivery[]>;
  /** Settles when all that was sent so far has been acknowledged or given up. */
  settled(): Promise<void>;
  /** What Slack sends instead of events when there were too many in a minute. */
  sayRateLimited(): Delivery;
  /** A test that expects some takes them out with `splice`. */
  readonly violations: string[];
  threadAsText(channel: string, root: string): string;
  /** With what people clicked. */
  storyAsText(channel: string, root: string): string;
  /** Slack has fetched a page that a message links to, and shows it below. */
  unfurl(
    message: Address,
    preview: { readonly url: string; readonly title: string; readonly text: string },
  ): void;
  /** Status, title and prompts of an assistant thread. */
  thread(channel: string, root: string): ThreadState;
  /** The agent session of a thread; undefined where there is none. */
  session(channel: string, root: string): Session | undefined;
  /** What a person, or another call, made of a session. */
  setSession(channel: string, root: string, status: Session["status"]): void;
  renameSession(channel: string, root: string, title: string): void;
  /** Home tabs by person. */
  readonly homes: Views["homes"];
  /** Puts a Home tab before a person, as a client that shows an older one. */
  showHome(view: View): void;
  /** The person of that name. */
  as(name: string): Human;
  /** Another app of that name. */
  app(name: string): OtherApp;
  readonly admin: Admin;
  /** What a developer does on the pages of Slack's apps. */
  readonly developer: Developer;
  /** Refuses every call from now on with `token_revoked`. */
  revoke(): void;
  /** Installs the app again: its tokens work, the bot's with these scopes (unset: all). */
  reinstall(scopes?: readonly string[]): void;
  /** Ends every connection at once. Waits on what never came are rejected. */
  close(): Promise<void>;
}

/** More than any body that the app sends: Slack takes files of 1 GB, but no test needs one. */
const maxBody = 64 * 1024 * 1024;

export const createFakeSlack = async (options: FakeSlackOptions = {}): Promise<FakeSlack> => {
  const schema = await slackSchema(Object.keys(methods));
  const clock = options.clock ?? realClock;
  const times = { ...slackTimes, ...options.times };
  const journal = createJournal<Call>();
  const violations: string[] = [];
  const gates = createGates();
  const world = createWorld(options, clock);
  const violate = (message: string): number => violations.push(message);
  const deliveryFaults = createSchedule<Delivery, DeliveryFault>();
  let isRevoked = false;
  const apps = createApps(clock, {
    ...options,
    scopes: options.scopes ?? allScopes,
    isRevoked: () => isRevoked,
  });

  const sockets = createSockets(clock, times, (socket, text) => deliveries.receive(socket, text));
  const deliveries = createDeliveries({ clock, times, sockets, gates, faults: deliveryFaults, violate });
  const server = await listenOnLoopback((request, response) => receive(request, response), sockets.upgrade);
  const slack: Slack = {
    baseUrl: server.url,
    clock,
    times,
    world,
    apps,
    schema,
    triggers: createTriggers(clock, times.triggerLifetimeMs),
    responseUrls: createResponseUrls(clock, times.responseUrlLifetimeMs, server.url),
    appKind: options.appKind ?? "agent",
    hasHome: options.hasHome ?? true,
    subscribes: (event) => apps.events()?.includes(event) ?? true,
    threads: createThreads(clock, times.statusLifetimeMs),
    sessions: createSessions(clock, times.sessionLifetimeMs),
    streams: createStreams(clock, times.streamLifetimeMs),
    views: createViews(),
    escapesCommands: options.escapesCommands ?? true,
    partialEvents: options.partialEvents ?? false,
    emit: (type, event, viewer) => {
      const id = `Ev${deliveries.all.length + 1}`;
      const callback = eventCallback(schema, type, event, id, clock.now(), viewer);
      if (slack.subscribes(subscriptionOf(event))) {
        deliveries.deliver("events_api", callback);
      }
    },
    deliver: deliveries.deliver,
    socketUrl: () => sockets.address(server.url),
    violate,
  };
  const api: Api = {
    slack,
    faults: createSchedule(),
    gates,
    limiter: createRateLimiter(clock, options.rates ?? {}),
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readBody(request, maxBody);
    if (read.kind === "gone") {
      return;
    }
    const bytes = read.kind === "read" ? read.bytes : Buffer.alloc(0);
    if (request.url?.startsWith("/__fake/") === true) {
      await control(fake, request, bytes.toString("utf8"), response);
      return;
    }
    const [, noun = "", name = ""] = new URL(request.url ?? "/", server.url).pathname.split("/");
    const method = routes[noun] ?? name;
    const args =
      noun === "upload" ? {} : argsOf(request.headers["content-type"] ?? "", bytes.toString("utf8"));
    const live = createExchange(journal.entries.length + 1, request, args, response);
    const call: Call = { seq: live.exchange.seq, method, args, exchange: live.exchange };
    journal.append(call);
    await serve(request, { live, response }, noun, call, bytes);
  };

  const serve = async (
    request: IncomingMessage,
    reply: Reply,
    noun: string,
    call: Call,
    bytes: Buffer,
  ): Promise<void> => {
    try {
      switch (noun) {
        case "api":
          return await serveMethod(api, reply, request, call);
        case "upload":
          return await serveUpload(api, reply, request, call, bytes);
        case "files":
          return await serveDownload(api, reply, request, call);
        case "response":
          return await serveResponse(api, reply, call);
      }
      slack.violate(`unknown address ${call.exchange.path}`);
      await sendText(reply, 404, "not found");
    } catch (error) {
      slack.violate(`the fake failed: ${String(error)}`);
      reply.live.cut("reset");
    }
  };

  const fake: FakeSlack = {
    port: server.port,
    url: server.url,
    apiUrl: `${server.url}/api/`,
    botToken,
    appToken,
    world,
    fault: (fault, { times: count = 1, match = {} } = {}) =>
      api.faults.push({ match: admits(match), times: count, value: fault }),
    deliveryFault: (fault, { times: count = 1, match = {} } = {}) =>
      deliveryFaults.push({ match: admitsDelivery(match), times: count, value: fault }),
    gate: (name) => gates.gate(name),
    sockets,
    deliveries: deliveries.all,
    waitForDelivery: (count, match = {}) => deliveries.waitFor(count, admitsDelivery(match)),
    settled: deliveries.settled,
    sayRateLimited: () => deliveries.deliver("events_api", rateLimitedNotice(clock.now())),
    calls: journal.entries,
    nextCall: (method) => journal.next((call) => call.method === method),
    waitFor: (count, method) => journal.waitFor(count, (call) => call.method === method),
    violations,
    threadAsText: (channel, root) => threadAsText(world, channel, root),
    storyAsText: (channel, root) => storyAsText(world, channel, root),
    unfurl: ({ channel, ts }, { url, title, text }) => {
      const message = world.message(channel, ts);
      if (message === undefined) throw new Error(`no message ${ts} in ${channel}`);
      const preview = {
        id: 1,
        from_url: url,
        original_url: url,
        title,
        title_link: url,
        text,
        fallback: title,
      };
      change(slack, message, { ...message, attachments: [preview] });
    },
    thread: (channel, root) => slack.threads.of(channel, root),
    session: (channel, root) => slack.sessions.of(channel, root),
    setSession: (channel, root, status) => void slack.sessions.set(channel, root, status),
    renameSession: (channel, root, title) => {
      if (slack.sessions.of(channel, root) === undefined) slack.sessions.set(channel, root, "active");
      slack.sessions.rename(channel, root, title);
    },
    homes: slack.views.homes,
    showHome: slack.views.publish,
    as: (name) => createHuman(slack, name),
    app: (name) => createApp(slack, name),
    admin: createAdmin(slack),
    developer: apps,
    revoke: () => {
      isRevoked = true;
    },
    reinstall: (granted = allScopes) => {
      isRevoked = false;
      apps.grant(granted);
    },
    close: async () => {
      journal.close();
      deliveries.close();
      sockets.close();
      await server.close();
    },
  };
  return fake;
};

const routes: Readonly<Record<string, string>> = {
  upload: "upload",
  files: "download",
  response: "response_url",
};

/** Of every method, and those that only events and payloads need. */
const allScopes = [
  ...new Set([
    ...Object.values(methods).flatMap(({ token, scopes }) => (token === "bot" ? scopes : [])),
    "app_mentions:read",
    "commands",
    "reactions:read",
    "assistant:write",
  ]),
];
