/**
 * Discord's REST API without retries, queues or token handling (hazards G1 to G3). A repeat of a call that
 * may have been applied is the deliverer's decision. No call waits for a rate limit, because queued text
 * becomes stale; the newest text is sent later. A single 401 does not discard the token.
 */

import { parseResponse, type RawFile, RequestMethod, REST } from "@discordjs/rest";
import type { Millis } from "../../../src/machine/id.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";

export interface DiscordCalls {
  /** Resolves with the parsed response; rejects with an error for `troubleOf`. */
  call(method: keyof typeof METHODS, route: `/${string}`, request?: CallRequest): Promise<unknown>;
  /** Also returns how long to wait before the route's next call, so that calls never exceed the route's limit. */
  paced(method: keyof typeof METHODS, route: `/${string}`, request?: CallRequest): Promise<PacedAnswer>;
  close(): void;
}

interface PacedAnswer {
  readonly answer: unknown;
  /** Undefined if Discord reports no limit. */
  readonly wait: Millis | undefined;
}

interface CallRequest {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly files?: readonly RawFile[];
}

export interface CallsOptions {
  readonly token: string;
  /** A different root of the API (DISCORD_API_URL), without the version. */
  readonly apiUrl?: string;
  /** Duration of a call after which its outcome counts as unknown. */
  readonly timeout?: Millis;
  /**
   * Calls per second on all routes. Defaults to the 50 that Discord allows every bot; large bots may make
   * more.
   */
  readonly perSecond?: number;
  onUnauthorized?(): void;
}

const TIMEOUT: Millis = 15_000;
/** Factor for the time limit of a call with files. */
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
  // Not part of the common rate limit, so that an acknowledgement never waits for other calls.
  const answers = create(timeout);
  const restFor = (route: string, files: CallRequest["files"]): REST => {
    if (files !== undefined) return uploads;
    return hasOwnToken(route) ? answers : calls;
  };
  const paced: DiscordCalls["paced"] = async (method, route, { body, query, files } = {}) => {
    const response = await restFor(route, files).queueRequest({
      method: METHODS[method],
      fullRoute: route,
      // The library deletes its own token at the first 401, so it never gets one.
      auth: false,
      headers: { authorization: `Bot ${token}` },
      ...omitUndefined({ body, query: query && new URLSearchParams(query), files: files && [...files] }),
    });
    return { answer: await parseResponse(response), wait: waitIn(response.headers) };
  };
  return {
    call: async (...given) => (await paced(...given)).answer,
    paced,
    close: () => {
      for (const rest of [calls, uploads, answers]) {
        rest.clearHandlerSweeper();
        rest.clearHashSweeper();
      }
    },
  };
};

/** Part of a route's limit that stays unused, for calls that the network delays. */
const RESERVE = 0.1;

/** Spreads the calls that remain over the time until the route's limit is reset. */
export const waitIn = (headers: Pick<Headers, "get">): Millis | undefined => {
  const [remaining, reset] = ["remaining", "reset-after"].map((name) =>
    Number.parseFloat(headers.get(`x-ratelimit-${name}`) ?? ""),
  );
  if (remaining === undefined || reset === undefined || !(remaining >= 0 && reset >= 0)) return undefined;
  return Math.ceil(((reset * 1_000) / (remaining + 1)) * (1 + RESERVE));
};

/** Whether the path contains a token. A 401 on such a route does not concern the bot's token. */
const hasOwnToken = (path: string): boolean =>
  path.startsWith("/webhooks/") || path.startsWith("/interactions/");
