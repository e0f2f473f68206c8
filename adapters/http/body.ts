/** Reading a request's query and body. What cannot be used ends the request with an answer (400, 413). */

import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { jsonIn } from "../../src/text/json.ts";
import { readAtMost } from "../post/download.ts";
import { badRequest, tooLarge } from "./problem.ts";

/** Bytes of a whole one. */
const BODY_BYTES = 32 * 1_048_576;

/** A limit as people read it. */
export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MB`;

/** The body is bounded, strict UTF-8, JSON only, parsed before anything sees it. */
export const jsonOf = async <T>(request: Request, schema: z.ZodType<T>): Promise<T> => {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw badRequest("not_json", "Send the body as application/json.");
  const parsed = schema.safeParse(decoded(await readBytes(request)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw badRequest(
    "invalid_request",
    `${where}${issue?.message ?? "The body is not what this request takes."}`,
  );
};

/** `usage`: what the query takes, in words. */
export const urlQueryOf = <T>(request: Request, schema: z.ZodType<T>, usage: string): T => {
  // Of a name that comes twice the first counts.
  const named = [...new URL(request.url).searchParams].toReversed();
  const query = schema.safeParse(Object.fromEntries(named));
  if (!query.success) throw badRequest("invalid_request", usage);
  return query.data;
};

/** A body that is too large is read and dropped, so that the client gets to see the answer: the server waits half a second only. */
const readBytes = async ({ body, headers }: Request): Promise<Buffer> => {
  const isLonger = Number(headers.get("content-length") ?? 0) > BODY_BYTES;
  if (isLonger) await readAway(body);
  const bytes = isLonger
    ? null
    : await readAtMost(body, BODY_BYTES).catch(() => {
        throw badRequest("incomplete", "The request ended before its body was complete.");
      });
  if (bytes === null) throw tooLarge(`The request is larger than ${megabytes(BODY_BYTES)}.`);
  return bytes;
};

/** Bytes of a body that is dropped. A longer one loses its connection. */
const MOST_DROPPED = 64 * 2 ** 20;

const readAway = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
  let left = MOST_DROPPED;
  try {
    for await (const { length } of body ?? []) {
      left -= length;
      if (left < 0) return;
    }
  } catch {
    // The client has gone: the answer reaches no one.
  }
};

const decoded = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw badRequest("invalid_utf8", "The body is not valid UTF-8.");
  const json = jsonIn(new TextDecoder().decode(bytes));
  if (json === undefined) throw badRequest("invalid_json", "The body is not valid JSON.");
  return json;
};
