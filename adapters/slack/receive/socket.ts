/**
 * One socket of Socket Mode, from its opening to its end. The reconnection of socket-mode is switched off,
 * because it leaves gaps of five seconds, unhandled rejections and permanently dead clients (hazard S4). Each
 * socket gets separate options, because the client modifies the options.
 */

import { type App, SocketModeReceiver } from "@slack/bolt";
import { getGlobalDispatcher } from "undici";
import * as z from "zod";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { slackLogger } from "../api/logger.ts";
import { jsonIn } from "../../../src/text/json.ts";

/** Time limits for Slack's greeting and for its reply to a ping. */
const GREETING = 15_000;
const PONG = 10_000;

interface SocketDeps {
  readonly app: App;
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly isProxied: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Number of the app's connections, including this one, as Slack counts them. */
  readonly greeted: (connections: number) => void;
  readonly ending: (reason: string) => void;
}

export interface Socket {
  /** Resolves when Slack has greeted. Rejects with Slack's error, or without one if the connection broke. */
  readonly open: Promise<void>;
  /** Resolves when the socket has ended for any reason. */
  readonly over: Promise<void>;
  stop(): void;
}

export const createSocket = (deps: SocketDeps): Socket => {
  const { app, appToken, apiUrl, isProxied, clock, log } = deps;
  const receiver = new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    clientPingTimeout: PONG,
    // The client's own dispatcher would bypass the proxy of the process.
    ...(isProxied ? { dispatcher: getGlobalDispatcher() } : {}),
    logger: slackLogger(log),
    installerOptions: {
      clientOptions: {
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: GREETING,
        ...omitUndefined({ slackApiUrl: apiUrl }),
      },
    },
    processEventErrorHandler: ({ error }) => {
      log.error("slack: event not accepted, not acknowledged", { why: error.message });
      return Promise.resolve(false);
    },
  });
  const { client } = receiver;
  const over = Promise.withResolvers<void>();
  let isStopped = false;

  receiver.init(app);
  watchFrames(
    receiver,
    (frame) => {
      switch (frame.kind) {
        case "hello":
          deps.greeted(frame.connections);
          return true;
        case "ending":
          deps.ending(frame.reason);
          return false;
        case "rateLimited":
          log.warn("slack: events withheld, hourly limit reached");
          return false;
        case "unusable":
          log.warn("slack: unreadable frame dropped");
          return false;
        case "envelope":
          return true;
      }
    },
    (error) => log.warn("slack: frame not handled", { why: String(error) }),
  );
  client.on("disconnected", () => over.resolve());
  // A client that is stopped while it fetches its address still connects.
  client.on("connected", () => {
    if (isStopped) void client.disconnect();
  });

  const stop = (): void => {
    isStopped = true;
    void client.disconnect();
  };
  const cancel = clock.after(GREETING, stop);
  const open = client.start().then(
    () => cancel(),
    (error: unknown) => {
      cancel();
      over.resolve();
      throw error;
    },
  );
  return { open, over: over.promise, stop };
};

type Frame =
  | { readonly kind: "hello"; readonly connections: number }
  | { readonly kind: "ending"; readonly reason: string }
  | { readonly kind: "rateLimited" }
  | { readonly kind: "envelope" }
  | { readonly kind: "unusable" };

/**
 * Filters frames of Socket Mode before socket-mode 3.1.0 reads them: that version ends the process on an
 * envelope without an event and on `null`, and closes at once on every kind of `disconnect` (hazards S3 and
 * S4).
 *
 * Passes every frame to `look` first; the client gets the frames for which `look` returns true.
 */
const watchFrames = (
  { client }: Pick<SocketModeReceiver, "client">,
  look: (frame: Frame) => boolean,
  failed: (error: unknown) => void,
): void => {
  const listeners = client.listeners("ws_message");
  client.removeAllListeners("ws_message");
  client.on("ws_message", (data: unknown, isBinary: boolean) => {
    if (isBinary || !look(readFrame(data))) return;
    for (const listener of listeners) {
      Promise.resolve(Reflect.apply(listener, client, [data, isBinary])).catch(failed);
    }
  });
};

const readFrame = (data: unknown): Frame => {
  const frame = frameSchema.safeParse(jsonIn(String(data)));
  if (!frame.success) return { kind: "unusable" };
  const { data: read } = frame;
  switch (read.type) {
    case "hello":
      return { kind: "hello", connections: read.num_connections };
    case "disconnect":
      return { kind: "ending", reason: read.reason };
    case "events_api":
      if (read.payload.event !== undefined) return { kind: "envelope" };
      return read.payload.type === "app_rate_limited" ? { kind: "rateLimited" } : { kind: "unusable" };
    case "interactive":
    case "slash_commands":
      return { kind: "envelope" };
  }
};

const envelope = { envelope_id: z.string() };
const frameSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), num_connections: z.number().default(1) }),
  z.object({ type: z.literal("disconnect"), reason: z.string().default("unknown") }),
  z.object({
    ...envelope,
    type: z.literal("events_api"),
    payload: z.object({
      type: z.string().optional(),
      event: z.looseObject({ type: z.string() }).optional(),
    }),
  }),
  z.object({ ...envelope, type: z.literal("interactive"), payload: z.looseObject({}) }),
  z.object({ ...envelope, type: z.literal("slash_commands"), payload: z.looseObject({}) }),
]);
