/** Requests to an S3 store: signed, limited in time, and repeated while another try may succeed. */

import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import type { WriteFailure } from "../../../ports/host.ts";
import { folderFailureOf } from "../../../store/base/folder.ts";
import { bucketAddressOf, type S3Settings } from "./bucket.ts";
import { type MissingObject, type StoreError, setbackOf, setbackOfError } from "./store-error.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";

interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Name below the prefix. Absent for the bucket itself. */
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Blob;
}

export interface BucketAnswer {
  readonly headers: Headers;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Time limits of requests; tests use shorter ones. */
export interface Patience {
  /** Milliseconds without a byte after which a try ends. */
  readonly silence: number;
  /** After all tries failed, requests fail immediately for these milliseconds, because a thread may have many pictures. */
  readonly rest: number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

export const OBJECT_PATIENCE: Patience = { silence: 30_000, rest: 10_000, pause: (time) => sleep(time) };

interface Kind {
  readonly kind: string;
}

/** `use`: reads the answer, from the beginning in each try. An error that `use` throws ends the tries. */
export type BucketRequest = <T extends Kind>(
  call: Call,
  use: (answer: BucketAnswer) => Promise<T | StoreError>,
) => Promise<T | MissingObject | WriteFailure>;

const PAUSES = [250, 500, 1_000, 2_000, 4_000];
/** Bytes per millisecond that every store is expected to accept. */
const SLOWEST = 128;

export const createRequest = (settings: S3Settings, { silence, rest, pause }: Patience): BucketRequest => {
  const client = new AwsClient({ ...settings.keys, region: settings.region, service: "s3" });
  const base = bucketAddressOf(settings);

  const send = async (
    { method, name, query, body }: Call,
    digest: string,
    signal: AbortSignal,
  ): Promise<Response> => {
    const url = new URL(base);
    if (name !== undefined)
      url.pathname += `${url.pathname.endsWith("/") ? "" : "/"}${settings.prefix}${name}`;
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const signed = await client.sign(url, {
      method,
      headers: { "x-amz-content-sha256": digest },
      ...omitUndefined({ body }),
      // A signature is valid for one host, so redirects cannot be followed.
      redirect: "manual",
      signal,
    });
    return fetch(signed);
  };

  const attempt = async <T extends Kind>(
    call: Call,
    digest: string,
    use: (answer: BucketAnswer) => Promise<T | StoreError>,
  ): Promise<T | StoreError | MissingObject | WriteFailure> => {
    const watch = watching(silence);
    let isOwn = false;
    try {
      watch.begin((call.body?.size ?? 0) / SLOWEST);
      const { ok, status, headers, body } = await send(call, digest, watch.signal);
      const bytes = watch.over(body);
      if (!ok) return setbackOf(settings, { status, headers, text: await text(bytes) }, Date.now());
      return await use({ headers, bytes }).catch((error: unknown) => {
        isOwn = !watch.isBroken();
        throw error;
      });
    } catch (error) {
      return isOwn ? folderFailureOf(error) : setbackOfError(error, base.host);
    } finally {
      watch.end();
    }
  };

  let givenUp = { at: Number.NEGATIVE_INFINITY, why: "" };
  return async (call, use) => {
    if (performance.now() - givenUp.at < rest) return failed(givenUp.why);
    const digest = await sha256(call.body ?? new Blob([]));
    for (let tries = 0; ; tries += 1) {
      const made = await attempt(call, digest, use);
      if (!isSetback(made)) return made;
      const wait = PAUSES[tries];
      if (!made.passes) return failed(made.why);
      if (wait === undefined) {
        givenUp = { at: performance.now(), why: made.why };
        return failed(made.why);
      }
      await pause(wait);
    }
  };
};

const failed = (message: string): WriteFailure => ({ kind: "failed", code: "io", message });

const isSetback = (made: Kind): made is StoreError => made.kind === "setback";

const sha256 = async (body: Blob): Promise<string> => {
  const hash = createHash("sha256");
  for await (const chunk of body.stream()) hash.update(chunk);
  return hash.digest("hex");
};

const watching = (silence: number) => {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isBroken = false;
  const begin = (more: number): void => {
    timer = setTimeout(() => ending.abort(SILENT), silence + more);
  };
  return {
    signal: ending.signal,
    begin,
    /** The time that the reader needs does not count. */
    over: async function* (body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of body ?? []) {
          clearTimeout(timer);
          yield chunk;
          begin(0);
        }
      } catch (error) {
        isBroken = true;
        throw error;
      }
    },
    isBroken: () => isBroken,
    end: () => {
      clearTimeout(timer);
      ending.abort();
    },
  };
};

const SILENT = Object.assign(new Error("nothing was heard"), { code: "ETIMEDOUT" });
