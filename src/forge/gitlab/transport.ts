/**
 * How requests to GitLab's REST API go out. Nothing is repeated here but what a limit has refused, and that once; a redirect
 * is not followed, an answer is bounded in size and time, and the token goes into one header and nowhere else.
 */

import { setTimeout as wait } from "node:timers/promises";
import type { RequestHandlerFn } from "@gitbeaker/requester-utils";
import { z } from "zod";
import type { GitLabAccess } from "../choose.ts";
import { TooMuch } from "../idempotent.ts";
import { impatient } from "../http.ts";

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
/** Characters of an answer that is kept whole, and of the end that is kept of a job's log. */
const MAX_ANSWER = 32 * 2 ** 20;
const MAX_LOG = 6_000;

/** What the client's resources make of a call; `prefixUrl` is a path from `/api/v4` on, because it knows no host. */
const requested = z.object({
  method: z.enum(["GET", "POST", "PUT"]),
  prefixUrl: z.string().transform((path) => path.replace(/^\/api\/v4/, "").replace(/\/$/, "")),
  searchParams: z.string().default(""),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

export const createTransport = (
  { api, access, userAgent, wire }: GitLabAccess,
  signal: AbortSignal,
): RequestHandlerFn => {
  const root = api.replace(/\/+$/, "");
  const fetch = impatient(wire);

  return async (path, options) => {
    const { method, prefixUrl, searchParams, headers, body } = requested.parse(options);
    const send = (): Promise<Response> =>
      fetch(`${root}${prefixUrl}/${path}${searchParams === "" ? "" : `?${searchParams}`}`, {
        method,
        signal,
        redirect: "manual",
        headers: {
          ...headers,
          accept: "application/json",
          authorization: `Bearer ${access.token}`,
          "user-agent": userAgent,
        },
        ...(body === undefined ? {} : { body }),
      });

    const first = await send();
    const after = first.status === 429 ? Number(first.headers.get("retry-after") ?? Number.NaN) : Number.NaN;
    if (!(after <= PATIENCE)) return settled(first);
    await first.body?.cancel();
    await wait(after * 1000, undefined, { signal });
    return settled(await send());
  };
};

const answered = z.union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())]);

const settled: (response: Response) => ReturnType<RequestHandlerFn> = async (response) => {
  const { ok, status, headers } = response;
  if (!ok) {
    const said: unknown = await wholeOf(response)
      .then(JSON.parse)
      .catch(() => null);
    throw new Refused(status, headers, said);
  }
  const body = isLog(headers)
    ? await endOf(response, MAX_LOG)
    : answered.parse(JSON.parse(await wholeOf(response)));
  return { body, status, headers: Object.fromEntries(headers) };
};

const isLog = (headers: Headers): boolean => headers.get("content-type")?.startsWith("text/plain") === true;

const partsOf = (response: Response): AsyncIterable<string> =>
  (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());

const wholeOf = async (response: Response): Promise<string> => {
  let whole = "";
  for await (const part of partsOf(response)) {
    whole += part;
    if (whole.length > MAX_ANSWER) throw new TooMuch();
  }
  return whole;
};

const endOf = async (response: Response, most: number): Promise<string> => {
  let end = "";
  for await (const part of partsOf(response)) end = (end + part).slice(-most);
  return end;
};
