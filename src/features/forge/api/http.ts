/** How requests to forges go out: the same for all clients of one process. */

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
  /** For addresses that a forge names and that are not its own: judged by name and address. No credential goes there. */
  readonly outward: AskOutward;
  /** The operator's outgoing proxy, for clients that have a TLS of their own; null if every connection is direct. */
  readonly proxies: Proxies | null;
  /** For one answer of a forge's API. */
  readonly time: Millis;
  /** For one answer of its git remotes: a push may be large. */
  readonly pushTime: Millis;
  /** Bytes of all answers of the API that are being read. */
  readonly held: MemoryBudget;
  /** Writes of one lane keep the distance to each other that a forge asks for. */
  readonly lane: string;
  /** Settings of the client's throttle, beside ours. */
  readonly throttle: object;
}

/** What answers may hold together: `take` is false where there is no room. */
export interface MemoryBudget {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

const TIME: Millis = 30_000;
const PUSH_TIME: Millis = 5 * 60_000;
/** Bytes of all answers that are being read. */
const MAX_HELD = 96 * 2 ** 20;
/** Of one answer, unpacked. It is parsed at one go, which takes 10 to 20 ms for each MiB: no longer than 100 ms. */
export const ANSWER_BOUNDS: JsonBounds = {
  parts: 100_000,
  depth: 200,
  size: 5 * 2 ** 20,
};
const MAX_HOPS = 3;

/** Its answers hold nothing of the credentials that they were asked with (echo.ts). */
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
 * Gives up if a forge takes a request and never answers. A redirect leads to the forge itself (a renamed repository) or
 * nowhere: it is followed for a read on the same origin, and else it is the answer.
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

/** For a client that reads answers whole: none is larger than the limit once unpacked, and neither are all together. */
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
        // Leaving the loop cancels the rest.
        if (!held.take(part.length)) throw new TooMuch();
        size += part.length;
        // As they come, so that a long answer is not counted at one go.
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
