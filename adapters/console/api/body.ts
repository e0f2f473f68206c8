/** Reading a request's id, query and body. What cannot be used ends the request with an answer (400, 413). */

import { isUtf8 } from "node:buffer";
import type { Context } from "hono";
import type { z } from "zod";
import type { ConversationId } from "../../../src/machine/id.ts";
import { jsonIn } from "../../../src/text/json.ts";
import { readAtMost } from "../../post/download.ts";
import { type Env, isConversationId } from "../env.ts";
import type { Handler } from "../handler.ts";
import { BODY_BYTES, megabytes } from "./limits.ts";
import { bad, tooLarge, unknownConversation } from "./problem.ts";

/** The body is bounded, strict UTF-8, JSON only, parsed before anything sees it. */
export const readJson = <T>(c: Context<Env>, schema: z.ZodType<T>): Promise<T> => jsonOf(c.req.raw, schema);

export const jsonOf = async <T>(request: Request, schema: z.ZodType<T>): Promise<T> => {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw bad("not_json", "Send the body as application/json.");
  const parsed = schema.safeParse(decoded(await readBytes(request)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw bad("invalid_request", `${where}${issue?.message ?? "The body is not what this request takes."}`);
};

/** `usage`: what the query takes, in words. */
export const readQuery = <T>(c: Context<Env>, schema: z.ZodType<T>, usage: string): T =>
  queryOf(c.req.raw, schema, usage);

export const queryOf = <T>(request: Request, schema: z.ZodType<T>, usage: string): T => {
  // Of a name that comes twice the first counts.
  const named = [...new URL(request.url).searchParams].toReversed();
  const query = schema.safeParse(Object.fromEntries(named));
  if (!query.success) throw bad("invalid_request", usage);
  return query.data;
};

/** Answers a request of one conversation; what cannot be an id is none. */
export const ofConversation =
  (answer: (...given: [...Parameters<Handler>, id: ConversationId]) => ReturnType<Handler>): Handler =>
  (deps, c) => {
    const id = c.req.param("id") ?? "";
    if (!isConversationId(id)) throw unknownConversation();
    return answer(deps, c, id);
  };

/** A body that is too large is read and dropped, so that the client gets to see the answer: the server waits half a second only. */
const readBytes = async ({ body, headers }: Request): Promise<Buffer> => {
  const isLonger = Number(headers.get("content-length") ?? 0) > BODY_BYTES;
  if (isLonger) await readAway(body);
  const bytes = isLonger
    ? null
    : await readAtMost(body, BODY_BYTES).catch(() => {
        throw bad("incomplete", "The request ended before its body was complete.");
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
  if (!isUtf8(bytes)) throw bad("invalid_utf8", "The body is not valid UTF-8.");
  const json = jsonIn(new TextDecoder().decode(bytes));
  if (json === undefined) throw bad("invalid_json", "The body is not valid JSON.");
  return json;
};
