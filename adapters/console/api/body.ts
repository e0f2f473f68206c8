/** Reading a request's id and body: the body is bounded, strict UTF-8, JSON only, parsed before anything sees it. */

import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { z } from "zod";
import type { ConversationId } from "../../../src/machine/id.ts";
import { type Env, type Handler, isConversationId } from "../env.ts";
import { problem, unknownConversation } from "./problem.ts";

export type Parsed<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "bad"; readonly response: Response };

/** Never rejects; every way in which a body is unusable is an answer (400, 413). */
export const readJson = async <T>(
  incoming: IncomingMessage,
  limit: number,
  schema: z.ZodType<T>,
): Promise<Parsed<T>> => {
  const type = (incoming.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return bad("not_json", "Send the body as application/json.");
  const bytes = await readBytes(incoming, limit);
  if (bytes === "too_large") return tooLarge(`The request is larger than ${megabytes(limit)}.`);
  if (bytes === "aborted") return bad("incomplete", "The request ended before its body was complete.");
  const json = parseJson(bytes);
  if (json.kind === "bad") return json;
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { kind: "ok", value: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  return bad("invalid_request", `${where}${issue?.message ?? "The body is not what this request takes."}`);
};

/** Answers a request of one conversation; what cannot be an id is none. */
export const ofConversation =
  (answer: (c: Context<Env>, id: ConversationId) => ReturnType<Handler>): Handler =>
  (c) => {
    const id = c.req.param("id") ?? "";
    return isConversationId(id) ? answer(c, id) : unknownConversation();
  };

/** A limit as people read it. */
export const megabytes = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes} bytes` : `${Math.floor(bytes / 1_048_576)} MB`;

export const tooLarge = (message: string): Parsed<never> => ({
  kind: "bad",
  response: problem({ status: 413, code: "too_large", message }),
});

export const bad = (code: string, message: string): Parsed<never> => ({
  kind: "bad",
  response: problem({ status: 400, code, message }),
});

/** What lies beyond the limit is read and dropped, so that the client gets to see the answer. */
const readBytes = (incoming: IncomingMessage, limit: number): Promise<Buffer | "too_large" | "aborted"> =>
  new Promise((resolve) => {
    if (Number(incoming.headers["content-length"] ?? 0) > limit) {
      incoming.resume();
      resolve("too_large");
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve("too_large");
    });
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", () => resolve("aborted"));
    incoming.once("close", () => resolve("aborted"));
  });

const parseJson = (bytes: Buffer): Parsed<unknown> => {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return bad("invalid_utf8", "The body is not valid UTF-8.");
  }
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "ok", value };
  } catch {
    return bad("invalid_json", "The body is not valid JSON.");
  }
};
