/** Reads a request's query and body. Unusable input ends the request with an error response (400, 413). */

import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { jsonIn } from "../../src/text/json.ts";
import { readAtMost } from "../post/download.ts";
import { badRequest, tooLarge } from "./problem.ts";

/** Maximum number of bytes of a body. */
const BODY_BYTES = 40 * 1_048_576;

/** Formats a limit for people. */
export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MB`;

/** Reads a JSON body of limited size and strict UTF-8, parsed by `schema`. */
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

/** `usage`: describes the query for people. */
export const urlQueryOf = <T>(request: Request, schema: z.ZodType<T>, usage: string): T => {
  // If a name occurs twice, the first value counts.
  const named = [...new URL(request.url).searchParams].toReversed();
  const query = schema.safeParse(Object.fromEntries(named));
  if (!query.success) throw badRequest("invalid_request", usage);
  return query.data;
};

/**
 * Reads the body. A body that is too large is read and dropped, because the server waits only half a second
 * for unread data and the client would then miss the error response.
 */
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

/** Number of bytes of a dropped body. A longer body loses its connection. */
const MOST_DROPPED = 64 * 2 ** 20;

const readAway = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
  let left = MOST_DROPPED;
  try {
    for await (const { length } of body ?? []) {
      left -= length;
      if (left < 0) return;
    }
  } catch {
    // The client has disconnected, so the response reaches nobody.
  }
};

const decoded = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw badRequest("invalid_utf8", "The body is not valid UTF-8.");
  const json = jsonIn(new TextDecoder().decode(bytes));
  if (json === undefined) throw badRequest("invalid_json", "The body is not valid JSON.");
  return json;
};
