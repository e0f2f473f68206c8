/**
 * The Web API's client. It reports every refusal of the token, whichever call meets it, and retries reads of
 * people after a rate limit.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { createRateLimitRetry, type RateLimitRetry } from "../../post/rate-limit-retry.ts";
import { slackFailureOf } from "./failure.ts";
import { slackLogger } from "./logger.ts";
import { slackErrorCodeOf, tokenRefusalOf } from "./token-trouble.ts";

/** A refusal of the token, reported for every call that meets it. */
export type TokenRefusal =
  | { readonly kind: "token"; readonly why: string; readonly remedy: string }
  /** `scope`: Slack's name of the missing scope. In a list with commas, any single name is sufficient. */
  | { readonly kind: "scope"; readonly scope: string; readonly method: string };

/** Duration of a call after which its outcome counts as unknown. */
const TIMEOUT = 15_000;

/** `apiUrl`: a different root of the Web API (SLACK_API_URL). */
export const createSlackClient = (
  token: string,
  options: {
    readonly apiUrl?: string;
    readonly timeout?: number;
    /** Called for every call that meets a refusal. */
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
      // The logger is muted, because failures are returned as values and the client's log lines are not
      // structured.
      logger: slackLogger(null),
      ...omitUndefined({ slackApiUrl: options.apiUrl }),
    },
    options.refused ?? unwatched,
    options.wait ?? sleep,
  );

const unwatched = (): void => undefined;

/** Overrides the one method that all calls pass through. */
class RateLimitedWebClient extends webApi.WebClient {
  readonly #refused: (refusal: TokenRefusal) => void;
  readonly #patient: RateLimitRetry;
  /** For each method with a rate limit: the last call that waits for its turn. */
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

  /** Runs a method's calls one after the other once Slack has refused one, so that few more are refused. */
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

/** Reads that decide about permissions, needed for every message or click. */
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
