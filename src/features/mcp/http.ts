/** A server at an address: the host contacts it with the operator's token, only at that origin. */

import { setImmediate } from "node:timers/promises";
import type * as Sdk from "@modelcontextprotocol/client";
import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import type { Outward } from "../../../sandbox/egress/outward.ts";
import { createPause } from "../../ports/pace.ts";
import { createJsonCount, type JsonBounds } from "../../text/outside-json.ts";
import { type AuthSdk, createAuthorization } from "./authorization.ts";
import type { HttpWay, OAuth } from "./entry.ts";
import { ACCESS_BOUNDS, FLOODED, MESSAGE_BOUNDS, type Meter } from "./meter.ts";
import type { Tokens } from "./tokens.ts";

export interface HttpTransport extends Transport {
  /** The reason for the end of the connection, in one sentence; null while the connection is open. */
  why(): string | null;
}

export const createHttpTransport = (
  sdk: AuthSdk & Pick<typeof Sdk, "StreamableHTTPClientTransport">,
  server: string,
  { url, headers, oauth }: HttpWay,
  { meter, tokens, outward }: { readonly meter: Meter; readonly tokens: Tokens; readonly outward: Outward },
): HttpTransport => {
  let ended: string | null = null;
  const flooded = (why: string): void => {
    ended = why;
    void transport.close();
  };
  const asked = measured(meter, MESSAGE_BOUNDS, plainly, flooded);
  const access = ({ issuer }: OAuth): FetchLike => {
    const named = [url, issuer].flatMap((address) => URL.parse(address)?.origin ?? []);
    return measured(meter, ACCESS_BOUNDS, judgedFetch(named, plainly, outward), flooded);
  };
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    redirectPolicy: "same-origin",
    fetch: asked,
    ...(oauth === null
      ? {}
      : { authProvider: createAuthorization(sdk, { server, oauth, tokens, fetch: access(oauth) }) }),
  });
  return Object.assign(transport, { why: () => ended });
};

const plainly: FetchLike = (address, init) => fetch(address, init);

const RETURN = 0x0d;
const LINE_END = 0x0a;

/** Counts responses while they arrive, so that the limit applies before their end. */
const measured =
  (meter: Meter, bounds: JsonBounds, ask: FetchLike, flooded: (why: string) => void): FetchLike =>
  async (url, init) => {
    const response = await ask(url, init);
    if (response.body === null) return response;
    const document = createJsonCount(bounds);
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    let before = 0;
    const pause = createPause(() => setImmediate());
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        await pause(chunk.length);
        let events = isStream ? 0 : -document.entries();
        for (const code of chunk) {
          if (code === RETURN) continue;
          const over = document.take(code);
          if (over !== null) return controller.error(new Error(`a message of it ${over}`));
          if (isStream && code === LINE_END && before === LINE_END) {
            events += 1;
            document.reset();
          }
          before = code;
        }
        // Outside a stream, a list at the top level contains several messages.
        if (!isStream) events += document.entries();
        if (meter.take(chunk.length, events)) controller.enqueue(chunk);
        else {
          // A caller would otherwise wait for its time limit, because the SDK requests a broken stream again.
          flooded(FLOODED);
          controller.error(new Error(FLOODED));
        }
      },
      flush: async () => {
        await setImmediate();
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };

const MAX_HOPS = 3;

/**
 * Requests for access to a server. The server and its issuer name further addresses (`resource_metadata`,
 * `authorization_servers`, endpoints). Origins of the operator's file (`own`) are contacted directly. All other origins pass
 * the egress rules of commands, and a redirect counts as another address.
 */
const judgedFetch =
  (own: readonly string[], fetch: FetchLike, outward: Outward): FetchLike =>
  async (address, init) => {
    let url = new URL(address);
    for (let hop = 0; ; hop += 1) {
      const answer = own.includes(url.origin)
        ? await fetch(url.href, { ...init, redirect: "manual" })
        : await outward(url, outwardInit(init));
      const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : null;
      const next = location === null ? null : URL.parse(location, url.href);
      // A body, which may contain a secret, is sent only to the named address.
      if (next === null || (init?.method ?? "GET") !== "GET" || hop === MAX_HOPS) return answer;
      await answer.body?.cancel();
      url = next;
    }
  };

const outwardInit = ({ method, headers, body, signal }: RequestInit = {}): Parameters<Outward>[1] => ({
  method,
  headers,
  signal: signal ?? null,
  body:
    typeof body === "string" || body instanceof Uint8Array
      ? body
      : body instanceof URLSearchParams
        ? body.toString()
        : null,
});
