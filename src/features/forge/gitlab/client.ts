/**
 * GitLab keeps no client for JavaScript of its own, and the one that others keep repeats a request, a write too, up to ten
 * times, does not look at how long the forge asks to wait, and cannot be ended with a turn. Here nothing is repeated but
 * what a limit has refused, and that once; a redirect is not followed, an answer is bounded in size and time, and the
 * token goes into one header and nowhere else.
 */

import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { GitLabAccess } from "../api/access.ts";
import { listOf } from "../../../text/list-of.ts";
import { createPause } from "../../../ports/pace.ts";
import { createJsonCount } from "../../../text/outside-json.ts";
import { ANSWER_BOUNDS, type MemoryBudget, withTimeouts } from "../api/http.ts";
import { TooMuch } from "../api/idempotent.ts";

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
/** Characters of the end that is kept of a job's log. */
const MAX_LOG = 6_000;

export interface GitLabPage<T> {
  readonly items: readonly T[];
  /** What the list has in all; null where the forge does not count it. */
  readonly inAll: number | null;
  readonly isLast: boolean;
}

type Query = Readonly<Record<string, string | number>>;

/** Requests, which end with the signal; `path` is below the project, or below what else was named. */
export interface Client {
  readonly signal: AbortSignal;
  get<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>>;
  list<S extends z.ZodType>(schema: S, path: string, query: Query): Promise<GitLabPage<z.output<S>>>;
  send<S extends z.ZodType>(
    schema: S,
    method: "POST" | "PUT",
    path: string,
    body: Readonly<Record<string, string>>,
  ): Promise<z.output<S>>;
  /** The end of a text. */
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

  const ask = async (method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<Response> => {
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
