/** What every part of the fake works on: the workspace, its clock and its rules. */

import type { FakeClock } from "../shared/clock.ts";
import type { Apps } from "./apps.ts";
import type { Delivery, EnvelopeType } from "./deliveries.ts";
import type { EventType } from "./events.ts";
import type { ResponseUrls } from "./response-urls.ts";
import type { SlackSchema } from "./schema.ts";
import type { Sessions } from "./sessions.ts";
import type { Streams } from "./streams.ts";
import type { Threads } from "./threads.ts";
import type { Triggers } from "./people/triggers.ts";
import type { Views } from "./people/views.ts";
import type { Json, World } from "./world.ts";

/** Slack's times, in milliseconds; a test may shorten them. */
export interface Times {
  /** How long an envelope may stay unacknowledged. */
  readonly ackTimeoutMs: number;
  /** After each failed delivery of an event, how long until the next; as many retries as there are entries. */
  readonly retryDelaysMs: readonly number[];
  /** How long after its start a stream takes appends. */
  readonly streamLifetimeMs: number;
  /** How long an agent session may be `processing` before Slack makes it active. */
  readonly sessionLifetimeMs: number;
  /** How long an assistant status stands without a message. */
  readonly statusLifetimeMs: number;
  readonly triggerLifetimeMs: number;
  readonly responseUrlLifetimeMs: number;
  /** How long the address of an upload takes bytes. */
  readonly uploadUrlLifetimeMs: number;
  /** After `files.completeUploadExternal` has said yes, how long until the message with the file is there. */
  readonly shareDelayMs: number;
  /** Between the pings of the server. */
  readonly pingIntervalMs: number;
  /** Between a `disconnect` frame and the end of the socket. */
  readonly disconnectGraceMs: number;
}

export const slackTimes: Times = {
  ackTimeoutMs: 3000,
  retryDelaysMs: [0, 60_000, 300_000],
  streamLifetimeMs: 306_000,
  sessionLifetimeMs: 60 * 60_000,
  statusLifetimeMs: 120_000,
  triggerLifetimeMs: 3000,
  responseUrlLifetimeMs: 30 * 60_000,
  uploadUrlLifetimeMs: 10 * 60_000,
  shareDelayMs: 0,
  pingIntervalMs: 10_000,
  disconnectGraceMs: 10_000,
};

/** `assistant`: an app of before the agents, whose manifest has `assistant_view`. */
export type AppKind = "agent" | "assistant" | "plain";

export interface Slack {
  /** `http://127.0.0.1:PORT`, for the addresses that Slack hands out. */
  readonly baseUrl: string;
  readonly clock: FakeClock;
  readonly times: Times;
  readonly world: World;
  readonly apps: Apps;
  readonly schema: SlackSchema;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly appKind: AppKind;
  /** Whether the manifest enables the Home tab. */
  readonly hasHome: boolean;
  /** Whether the app subscribes to an event. */
  readonly subscribes: (event: string) => boolean;
  readonly threads: Threads;
  readonly sessions: Sessions;
  readonly streams: Streams;
  readonly views: Views;
  /** Of the app's commands: `should_escape` of the manifest. */
  readonly escapesCommands: boolean;
  /** Messages inside of events have little more than their ids. */
  readonly partialEvents: boolean;
  /** Sends an event to the app. Throws when the event is not what Slack's types declare. `viewer`: as in `eventCallback`. */
  emit(type: EventType, event: Json, viewer?: string): void;
  /** Sends an interaction or a command to the app. */
  deliver(type: EnvelopeType, payload: Json): Delivery;
  /** A new address for a socket of the app. */
  socketUrl(): string;
  /** Records what no correct program does. */
  violate(message: string): void;
}
