/**
 * Discord's REST API with every failure left to the caller: nothing is retried (a repeat of a call that may have been
 * applied is the deliverer's to decide), nothing waits in a queue for a rate limit (what waits grows stale: the newest text
 * is sent when the time has come), and one 401 does not take the token away (hazards G1 to G3).
 */

import { type RawFile, RequestMethod, REST } from "@discordjs/rest";
import type { Millis } from "../../../src/machine/id.ts";
import { omitUndefined } from "../../../src/text/given.ts";

export interface DiscordCalls {
  /** Settles with the parsed answer; rejects with what `troubleOf` reads. */
  call(method: keyof typeof METHODS, route: `/${string}`, request?: CallRequest): Promise<unknown>;
  close(): void;
}

interface CallRequest {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly files?: readonly RawFile[];
}

export interface CallsOptions {
  readonly token: string;
  /** Another root of the API (DISCORD_API_URL), without the version. */
  readonly apiUrl?: string;
  /** How long a call may take before its fate counts as unknown. */
  readonly timeout?: Millis;
  /** Calls in a second, of all routes; unset: the 50 that Discord gives every bot. It gives large ones more. */
  readonly perSecond?: number;
  onUnauthorized?(): void;
}

const TIMEOUT: Millis = 15_000;
/** A call that carries files has this many times as long. */
const UPLOADS = 4;
const UNAUTHORIZED = 401;
const PER_SECOND = 50;

const METHODS = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PATCH: RequestMethod.Patch,
  PUT: RequestMethod.Put,
  DELETE: RequestMethod.Delete,
} as const;

export const createDiscordCalls = (options: CallsOptions): DiscordCalls => {
  const { token, apiUrl, timeout = TIMEOUT, perSecond = PER_SECOND, onUnauthorized } = options;
  const create = (patience: Millis): REST => {
    const rest = new REST({
      version: "10",
      retries: 0,
      timeout: patience,
      globalRequestsPerSecond: perSecond,
      rejectOnRateLimit: () => true,
      ...omitUndefined({ api: apiUrl }),
    });
    return rest.on("response", ({ path }, { status }) => {
      if (status === UNAUTHORIZED && !hasOwnToken(path)) onUnauthorized?.();
    });
  };
  const calls = create(timeout);
  const uploads = create(UPLOADS * timeout);
  // Outside of the limit for all calls together: an acknowledgement never waits behind them.
  const answers = create(timeout);
  const restFor = (route: string, files: CallRequest["files"]): REST => {
    if (files !== undefined) return uploads;
    return hasOwnToken(route) ? answers : calls;
  };
  return {
    call: (method, route, { body, query, files } = {}) =>
      restFor(route, files).request({
        method: METHODS[method],
        fullRoute: route,
        // The library wipes a token of its own at the first 401, so it is never given one.
        auth: false,
        headers: { authorization: `Bot ${token}` },
        ...omitUndefined({ body, query: query && new URLSearchParams(query), files: files && [...files] }),
      }),
    close: () => {
      for (const rest of [calls, uploads, answers]) {
        rest.clearHandlerSweeper();
        rest.clearHashSweeper();
      }
    },
  };
};

/** Routes whose token stands in the path: their 401 says nothing of the bot. */
const hasOwnToken = (path: string): boolean =>
  path.startsWith("/webhooks/") || path.startsWith("/interactions/");
