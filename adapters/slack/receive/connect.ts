/**
 * The connection to Slack: a Bolt app that stores every envelope before acknowledging it. Bolt acknowledges events before any
 * listener runs (hazard S1), so `processEvent` does both. Both receivers call `processEvent` first, and there are no listeners.
 * Everything else starts from the inbox, after a crash as well. In a cluster every host has a connection, and the leader
 * processes the events.
 */

import { App, HTTPReceiver, type Receiver } from "@slack/bolt";
import type { ReceivePayload } from "../../../src/ports/connection.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { HTTP_PATH } from "./http-path.ts";
import { slackLogger } from "../api/logger.ts";
import { createSockets } from "./sockets.ts";

export type ConnectionMode =
  | { readonly kind: "socket"; readonly appToken: string }
  | {
      readonly kind: "http";
      readonly signingSecret: string;
      readonly host: string;
      readonly port: number;
    };

interface ConnectDeps {
  readonly mode: ConnectionMode;
  readonly apiUrl: string | undefined;
  readonly isAlone: boolean;
  readonly isProxied: boolean;
  readonly take: ReceivePayload;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: (open: number, refusal: string | null) => void;
}

export interface SlackConnection {
  /**
   * Resolves when events can arrive, or when the first attempt has failed; further attempts follow by
   * themselves.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const connectSlack = (deps: ConnectDeps): SlackConnection => {
  const { mode, log, take } = deps;
  const receiver: Receiver = mode.kind === "socket" ? createSockets({ ...deps, ...mode }) : http(mode, log);
  const app = new App({
    receiver,
    logger: slackLogger(log),
    // No listener needs an identity.
    authorize: () => Promise.resolve({}),
  });
  app.processEvent = async ({ body, ack }) => {
    const taken = await take(body);
    if (taken.kind === "failed") throw new Error(`it could not be stored: ${taken.message}`);
    await ack().catch((error: unknown) => {
      // The connection of the event has closed.
      const why = error instanceof Error ? error.message : String(error);
      log.warn("slack: stored event not acknowledged", { why });
    });
  };
  return {
    start: async () => {
      if (mode.kind === "socket") {
        await receiver.start();
        return;
      }
      try {
        await receiver.start({ host: mode.host, port: mode.port });
        deps.changed(1, null);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        log.error("slack: port not opened", { why, remedy: "Set PARLEY_SLACK_PORT to a free port." });
        deps.changed(0, why);
      }
    },
    stop: async () => {
      await receiver.stop();
    },
  };
};

const http = ({ signingSecret }: ConnectionMode & { kind: "http" }, log: Log): Receiver =>
  new HTTPReceiver({
    signingSecret,
    endpoints: HTTP_PATH,
    logger: slackLogger(log),
    processEventErrorHandler: ({ error, response }) => {
      log.error("slack: event not accepted, not acknowledged", { why: error.message });
      response.writeHead(500);
      response.end();
      return Promise.resolve(true);
    },
  });
