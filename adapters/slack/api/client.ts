/**
 * The Web API's client, which tells what Slack holds against the token as such, whichever call meets it, and which heeds
 * Slack's asking to wait where many ask at once who somebody is.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import { omitUndefined } from "../../../src/text/given.ts";
import { createRateLimitRetry, type RateLimitRetry } from "../../post/patience.ts";
import { slackFailureOf } from "./failure.ts";
import { slackLogger } from "./logger.ts";
import { slackErrorCodeOf, tokenRefusalOf } from "./token-trouble.ts";

/** Told at every call that meets it. */
export type TokenRefusal =
  | { readonly kind: "token"; readonly why: string; readonly remedy: string }
  /** `scope`: as Slack names what is missing; several with commas where any of them would do. */
  | { readonly kind: "scope"; readonly scope: string; readonly method: string };

/** How long a call may take before its fate counts as unknown. */
const TIMEOUT = 15_000;

/** `apiUrl`: another root of the Web API (SLACK_API_URL). */
export const createSlackClient = (
  token: string,
  options: {
    readonly apiUrl?: string;
    readonly timeout?: number;
    /** Told at every call that meets it. */
    readonly refused?: (refusal: TokenRefusal) => void;
    readonly wait?: (delay: Millis) => Promise<unknown>;
  } = {},
): webApi.WebClient =>
  new RateLimitedWebClient(
    token,
    {
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: options.timeout ?? TIMEOUT,
      // What it would print of a failure is a value here, and its lines are not structured.
      logger: slackLogger(null),
      ...omitUndefined({ slackApiUrl: options.apiUrl }),
    },
    options.refused ?? unwatched,
    options.wait ?? sleep,
  );

const unwatched = (): void => undefined;

/** The one place that every call of every method passes. */
class RateLimitedWebClient extends webApi.WebClient {
  readonly #refused: (refusal: TokenRefusal) => void;
  readonly #patient: RateLimitRetry;
  /** Of a method with which Slack asks to wait: the last call that waits for its turn. */
  readonly #waiting = new Map<string, Promise<unknown>>();

  constructor(
    token: string,
    options: webApi.WebClientOptions,
    refused: (refusal: TokenRefusal) => void,
    wait: (delay: Millis) => Promise<unknown>,
  ) {
    super(token, options);
    this.#refused = refused;
    this.#patient = createRateLimitRetry(slackFailureOf, wait);
  }

  override async apiCall(
    method: string,
    options?: Record<string, unknown>,
  ): Promise<webApi.WebAPICallResult> {
    const call = (): Promise<webApi.WebAPICallResult> => super.apiCall(method, options);
    try {
      return await (PATIENT.has(method) ? this.#inLine(method, call) : call());
    } catch (error) {
      const refusal = told(error, method);
      if (refusal !== null) this.#refused(refusal);
      throw error;
    }
  }

  /** Once it has been refused, a method's calls are made one after the other, so that few more are. */
  async #inLine<T>(method: string, call: () => Promise<T>): Promise<T> {
    const isRead = true;
    let met: unknown;
    if (!this.#waiting.has(method)) {
      try {
        return await call();
      } catch (error) {
        met = error;
        if (slackFailureOf(error).kind !== "throttled") return this.#patient(call, { isRead, met });
      }
    }
    const before = this.#waiting.get(method);
    const mine = Promise.allSettled([before]).then(() =>
      this.#patient(call, { isRead, met: before === undefined ? met : undefined }),
    );
    this.#waiting.set(method, mine);
    try {
      return await mine;
    } finally {
      if (this.#waiting.get(method) === mine) this.#waiting.delete(method);
    }
  }
}

/** Reads that decide what may be done, one or more for each thing that somebody says or clicks. */
const PATIENT: ReadonlySet<string> = new Set(["users.info", "usergroups.users.list", "conversations.info"]);

const told = (error: unknown, method: string): TokenRefusal | null => {
  if (!(error instanceof webApi.WebAPIPlatformError)) return null;
  if (error.data.error === "missing_scope") {
    const scope = "needed" in error.data ? String(error.data.needed) : "";
    return { kind: "scope", scope, method };
  }
  const trouble = tokenRefusalOf(error);
  return trouble.kind === "refused" ? { ...trouble, kind: "token", why: slackErrorCodeOf(error) } : null;
};
