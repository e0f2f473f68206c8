/** What every part of the fake works on: the guilds, the clock and the rules. */

import type { FakeClock } from "../shared/clock.ts";
import type { Commands } from "./commands.ts";
import type { Dispatch } from "./gateway.ts";
import type { Interactions } from "./interactions.ts";
import type { World } from "./world.ts";

/** Discord's times, in milliseconds; a test may shorten them. */
export interface Times {
  /** Between two heartbeats of a client. */
  readonly heartbeatIntervalMs: number;
  /** How long a session without a connection can be resumed. */
  readonly resumeWindowMs: number;
  /** In which as many sessions as `maxConcurrency` may be started. */
  readonly identifyWindowMs: number;
  /** How long an interaction may stay unanswered. */
  readonly interactionAckMs: number;
  readonly interactionTokenMs: number;
  /** How long a nonce is remembered: the documents say "the past few minutes". */
  readonly nonceMs: number;
}

export const discordTimes: Times = {
  heartbeatIntervalMs: 41_250,
  resumeWindowMs: 180_000,
  identifyWindowMs: 5_000,
  interactionAckMs: 3_000,
  interactionTokenMs: 15 * 60_000,
  nonceMs: 5 * 60_000,
};

export interface Discord {
  /** `http://127.0.0.1:PORT`, for the addresses that Discord hands out. */
  readonly baseUrl: string;
  readonly clock: FakeClock;
  readonly times: Times;
  readonly world: World;
  readonly commands: Commands;
  readonly interactions: Interactions;
  /** What GET /gateway/bot answers. */
  gateway(): Readonly<Record<string, unknown>>;
  /** Flags of the application: which privileged intents are granted. */
  applicationFlags(): number;
  /**
   * Only the three flags of limited intents can be changed, by an application that is not verified. False: refused.
   */
  changeFlags(flags: number): boolean;
  /** Sends an event to the sessions that get it. */
  dispatch(dispatch: Dispatch): void;
  readonly partialUpdates: boolean;
  /** Records what no correct program does. */
  violate(message: string): void;
}
