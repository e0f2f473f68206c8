/** HTTP access to forges, shared by all clients of one process. */

import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Millis } from "../../../machine/id.ts";
import { withoutEcho } from "./credential-echo.ts";
import type { AskOutward, Proxies } from "../../../ports/outward.ts";
import { createPause } from "../../../ports/pace.ts";
import { createJsonCount, type JsonBounds } from "../../../text/outside-json.ts";
import { TooMuch } from "./idempotent.ts";

type Fetch = typeof globalThis.fetch;

export interface ForgeHttp {
  readonly fetch: Fetch;
  /**
   * Requests to addresses outside the forge that the forge names. Each address is checked by name and IP address. No credential
   * is sent to these addresses.
   */
  readonly outward: AskOutward;
  /**
   * The operator's outgoing proxy, for clients with a separate TLS setup; null if every connection is direct.
   */
  readonly proxies: Proxies | null;
  /** Time limit for one answer of a forge's API. */
  readonly time: Millis;
  /** Time limit for one answer of a git remote; a push may be large. */
  readonly pushTime: Millis;
  /** Memory for all API answers that are being read. */
  readonly held: MemoryBudget;
  /** Writes with the same lane are spaced as the forge requires. */
  readonly lane: string;
  /** Additional settings for the client's throttle. */
  readonly throttle: object;
}

/** Memory for answers. `take` returns false if the memory is not sufficient. */
export interface MemoryBudget {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

const TIME: Millis = 30_000;
const PUSH_TIME: Millis = 5 * 60_000;
/** Bytes of all answers that are being read. */
const MAX_HELD = 96 * 2 ** 20;
/**
 * Limits of one answer after decompression. Parsing blocks the event loop for 10 to 20 ms per MiB, so at most
 * for 100 ms.
 */
export const ANSWER_BOUNDS: JsonBounds = {
  parts: 100_000,
  depth: 200,
  size: 5 * 2 ** 20,
};
const MAX_HOPS = 3;

/** The credentials of a request are removed from its answer (credential-echo.ts). */
export const createForgeHttp = ({
  fetch = globalThis.fetch,
  ...changes
}: Partial<ForgeHttp> = {}): ForgeHttp => ({
  outward: ({ host }) => Promise.reject(new Error(`${host} is not asked by this client`)),
  proxies: null,
  time: TIME,
  pushTime: PUSH_TIME,
  held: createHeld(MAX_HELD),
  lane: randomUUID(),
  throttle: {},
  ...changes,
  fetch: withoutEcho(fetch),
});

export const createHeld = (most: number): MemoryBudget => {
  let held = 0;
  return {
    take: (bytes) => {
      if (held + bytes > most) return false;
      held += bytes;
      return true;
    },
    give: (bytes) => void (held -= bytes),
  };
};

/**
 * A fetch that ends if a forge accepts a request and never answers. Redirects are followed only for a read on the same origin
 * (a renamed repository); any other redirect is returned as the answer.
 */
export const withTimeouts =
  ({ fetch, time }: ForgeHttp): Fetch =>
  async (input, init) => {
    const patience = AbortSignal.timeout(time);
    const signal = init?.signal == null ? patience : AbortSignal.any([init.signal, patience]);
    const ask = (at: Parameters<Fetch>[0]) => fetch(at, { ...init, signal, redirect: "manual" });
    let answer = await ask(input);
    if ((init?.method ?? "GET") !== "GET" || init?.redirect === "manual") return answer;
    let url = new URL(input instanceof Request ? input.url : input);
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const next = redirectOf(answer, url);
      if (next === null || next.origin !== url.origin) return answer;
      await answer.body?.cancel();
      url = next;
      answer = await ask(url);
    }
    return answer;
  };

const redirectOf = ({ status, headers }: Response, url: URL): URL | null => {
  const location = headers.get("location");
  return status < 300 || status > 399 || location === null ? null : URL.parse(location, url.href);
};

/** For clients that read whole answers: limits each decompressed answer, and all answers together. */
export const bounded =
  (fetch: Fetch, held: MemoryBudget): Fetch =>
  async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    const parts: Uint8Array[] = [];
    const document = createJsonCount(ANSWER_BOUNDS);
    const pause = createPause(() => setImmediate());
    let size = 0;
    try {
      for await (const part of answer.body) {
        await pause(part.length);
        // Leaving the loop cancels the rest of the body.
        if (!held.take(part.length)) throw new TooMuch();
        size += part.length;
        // Counted piece by piece, so that a long answer does not block the event loop.
        for (const code of part) if (document.take(code) !== null) throw new TooMuch();
        parts.push(part);
      }
    } finally {
      held.give(size);
    }
    await setImmediate();
    const { status, statusText, headers } = answer;
    return new Response(Buffer.concat(parts), { status, statusText, headers });
  };
