/**
 * Requests to GitLab's REST API. GitLab keeps no client for JavaScript of its own. The one that others keep
 * (@gitbeaker/rest 43, 28 packages) repeats a request, a write too, up to ten times after a bad gateway, does not look
 * at how long the forge asks to wait, and cannot be ended with a turn: of these the first alone would file an issue
 * twice. Nothing is repeated here but what a limit has refused, and that once.
 */

import { setTimeout as wait } from "node:timers/promises";
import type { Address } from "../address.ts";
import type { GitLabCredential } from "../credentials.ts";
import { impatient, type Wire } from "../wire.ts";

export interface GitLabAccess {
  readonly address: Address;
  /** Root of the API, as in `https://gitlab.com/api/v4`. */
  readonly api: string;
  readonly access: GitLabCredential;
  readonly userAgent: string;
  readonly wire: Wire;
}

export interface Sent {
  readonly method?: "GET" | "POST" | "PUT";
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** `path` below the project, as in `/issues/12`; empty for the project itself. */
export type Client = (path: string, sent: Sent) => Promise<Response>;

/** The forge has answered, and not with what was asked for. */
export class Refused extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly said: unknown;
  constructor(status: number, headers: Headers, said: unknown) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.said = said;
  }
}

/** Seconds that a call waits for a limit to pass; after longer ones it fails and names the time. */
const PATIENCE = 10;

export const createClient = (options: GitLabAccess): Client => {
  const { address, api, access, userAgent, wire } = options;
  const project = `${api.replace(/\/+$/, "")}/projects/${encodeURIComponent(`${address.owner}/${address.name}`)}`;
  const fetch = impatient(wire);

  const send = (path: string, { method = "GET", query = {}, body, signal }: Sent): Promise<Response> => {
    const asked = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return fetch(`${project}${path}${asked.size === 0 ? "" : `?${asked.toString()}`}`, {
      method,
      signal,
      redirect: "manual",
      headers: {
        accept: "application/json",
        authorization: `Bearer ${access.token}`,
        "user-agent": userAgent,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };

  return async (path, sent) => {
    const first = await send(path, sent);
    const after = first.status === 429 ? Number(first.headers.get("retry-after") ?? Number.NaN) : Number.NaN;
    if (!(after <= PATIENCE)) return settled(first);
    await first.body?.cancel();
    await wait(after * 1000, undefined, { signal: sent.signal });
    return settled(await send(path, sent));
  };
};

const settled = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  const said: unknown = await response.json().catch(() => null);
  throw new Refused(response.status, response.headers, said);
};
