/**
 * GitLab offers no JavaScript client. The community's client repeats requests, even writes, up to ten times, ignores the wait
 * that the forge demands, and cannot be aborted with a turn. The client here repeats only a request that a rate limit refused,
 * and only once. It follows no redirects, limits each answer in size and time, and sends the token only in one header.
 */

import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { GitLabAccess } from "../api/access.ts";
import { listOf } from "../../../text/list-of.ts";
import { createPause } from "../../../ports/pace.ts";
import { createJsonCount } from "../../../text/outside-json.ts";
import { ANSWER_BOUNDS, type MemoryBudget, withTimeouts } from "../api/http.ts";
import { TooMuch } from "../api/idempotent.ts";

/** Thrown if the forge answers with an error. */
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

/**
 * Maximum number of seconds that a call waits for a rate limit; a longer limit is an error that names the
 * time.
 */
const PATIENCE = 10;
/** Maximum number of characters kept from the end of a job's log. */
const MAX_LOG = 6_000;

export interface GitLabPage<T> {
  readonly items: readonly T[];
  /** Length of the whole list; null if the forge does not count it. */
  readonly inAll: number | null;
  readonly isLast: boolean;
}

type Query = Readonly<Record<string, string | number>>;

/** Requests that end with the signal. `path` is relative to the project, or to `below`. */
export interface Client {
  readonly signal: AbortSignal;
  get<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>>;
  list<S extends z.ZodType>(schema: S, path: string, query: Query): Promise<GitLabPage<z.output<S>>>;
  send<S extends z.ZodType>(
    schema: S,
    method: "POST" | "PUT",
    path: string,
    body: Readonly<Record<string, string | boolean>>,
  ): Promise<z.output<S>>;
  /** Sends a request whose answer has no used content. */
  act(method: "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<void>;
  /** Returns the end of the text. */
  log(path: string): Promise<string>;
}

export const createGitlabClient = (
  { api, access, userAgent, wire, address }: GitLabAccess,
  signal: AbortSignal,
  below = `/projects/${encodeURIComponent(`${address.owner}/${address.name}`)}`,
): Client => {
  const root = `${api.replace(/\/+$/, "")}${below}`;
  const fetch = withTimeouts(wire);
  const jsonOf = (response: Response): Promise<unknown> => readJson(response, wire.held);

  const taken = async (response: Response): Promise<Response> => {
    if (response.ok) return response;
    throw new Refused(response.status, response.headers, await jsonOf(response).catch(() => null));
  };

  const ask = async (
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: object,
  ): Promise<Response> => {
    const send = (): Promise<Response> =>
      fetch(`${root}${path}`, {
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
    const first = await send();
    const after = first.status === 429 ? Number(first.headers.get("retry-after") ?? Number.NaN) : Number.NaN;
    if (!(after <= PATIENCE)) return taken(first);
    await first.body?.cancel();
    await wait(after * 1000, undefined, { signal });
    return taken(await send());
  };

  return {
    signal,
    get: async (schema, path) => schema.parse(await jsonOf(await ask("GET", path))),
    list: async (schema, path, query) => {
      const words = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
      const answer = await ask("GET", `${path}?${new URLSearchParams(words).toString()}`);
      const { headers } = answer;
      const inAll = headers.get("x-total");
      return {
        items: z
          .unknown()
          .transform(listOf(schema))
          .parse(await jsonOf(answer)),
        inAll: inAll === null || inAll === "" ? null : Number(inAll),
        isLast: (headers.get("x-next-page") ?? "") === "",
      };
    },
    send: async (schema, method, path, body) => schema.parse(await jsonOf(await ask(method, path, body))),
    act: async (method, path, body) => {
      await (await ask(method, path, body)).body?.cancel();
    },
    log: async (path) => {
      let end = "";
      for await (const part of partsOf(await ask("GET", path))) end = (end + part).slice(-MAX_LOG);
      return end;
    },
  };
};

const readJson = async (response: Response, held: MemoryBudget): Promise<unknown> => {
  let whole = "";
  const document = createJsonCount(ANSWER_BOUNDS);
  const pause = createPause(() => setImmediate());
  try {
    for await (const part of partsOf(response)) {
      await pause(part.length);
      if (!held.take(part.length)) throw new TooMuch();
      whole += part;
      for (let at = 0; at < part.length; at += 1)
        if (document.take(part.charCodeAt(at)) !== null) throw new TooMuch();
    }
  } finally {
    held.give(whole.length);
  }
  await setImmediate();
  return JSON.parse(whole);
};

const partsOf = (response: Response): AsyncIterable<string> =>
  (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
