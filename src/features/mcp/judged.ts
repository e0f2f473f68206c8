/**
 * Requests for access to a server. The server and its issuer name further addresses (`resource_metadata`,
 * `authorization_servers`, endpoints): those of the operator's own file are asked as they are, all others pass the judge that
 * commands pass, and a redirect is an address like any other.
 */

import type { FetchLike } from "@modelcontextprotocol/client";
import type { Outward } from "../../../sandbox/egress/outward.ts";

const MAX_HOPS = 3;

/** `own`: origins that the operator names. */
export const judgedFetch =
  (own: readonly string[], fetch: FetchLike, outward: Outward): FetchLike =>
  async (address, init) => {
    let url = new URL(address);
    for (let hop = 0; ; hop += 1) {
      const answer = own.includes(url.origin)
        ? await fetch(url.href, { ...init, redirect: "manual" })
        : await outward(url, outwardInit(init));
      const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : null;
      const next = location === null ? null : URL.parse(location, url.href);
      // What is sent with a body, a secret among it, goes to the address that was named and to no other.
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
