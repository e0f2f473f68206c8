/** Chat requests of clients; fields that Parley does not use are accepted. */

import * as z from "zod";
import { createHash } from "node:crypto";
import { listOf } from "../../text/list-of.ts";
import { type JsonBounds, readOutside } from "../../text/outside-json.ts";
import { readAtMost } from "../../../adapters/post/download.ts";
import type { GatewayDeps } from "./deps.ts";
import { invalidRequest, gatewayRefusal } from "./failure.ts";

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
});
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.unknown().transform(listOf(part))]).nullish(),
});

export const chatRequest = z.looseObject({
  model: z.string().min(1).max(200),
  messages: z
    .unknown()
    .transform(listOf(message))
    .refine((all) => all.length > 0, "must have an entry"),
  stream: z.boolean().nullish(),
});

export const approveRequest = z.looseObject({
  session_id: z.string().min(1).max(200),
  categories: z.unknown().transform(listOf(z.string())).optional(),
});

export type ChatRequest = z.infer<typeof chatRequest>;
type ChatMessage = ChatRequest["messages"][number];

export interface UserMessage {
  readonly text: string;
  readonly pictures: readonly string[];
  /** Joined texts of system and developer messages; empty if the request has none. */
  readonly system: string;
  /** Messages before the last user message in order, without system messages. */
  readonly history: readonly HistoryMessage[];
}

export interface HistoryMessage {
  readonly role: string;
  readonly text: string;
}

export const lastUserMessage = ({ messages }: ChatRequest): UserMessage => {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  if (last === undefined) throw invalidRequest("messages must hold a user message.", "messages");
  const parts = partsOf(last);
  const foreign = parts.find(({ type }) => type !== "text" && type !== "image_url");
  if (foreign !== undefined) {
    throw invalidRequest(
      `Content of type ${foreign.type} is not taken here: send text, and pictures as image_url.`,
      "messages",
    );
  }
  const shown = parts.filter(({ type }) => type === "image_url");
  const pictures = shown.flatMap((one) => one.image_url?.url ?? []);
  if (pictures.length < shown.length) throw invalidRequest("An image_url part has a url in it.", "messages");
  const text = textOf(last);
  if (text.trim() === "" && pictures.length === 0)
    throw invalidRequest("The last user message is empty.", "messages");
  return {
    text,
    pictures,
    system: messages.filter(isSystem).map(textOf).filter(isWritten).join("\n\n"),
    history: messages
      .slice(0, at)
      .filter((one) => !isSystem(one))
      .map((one) => ({ role: one.role, text: textOf(one) }))
      .filter((one) => isWritten(one.text)),
  };
};

const partsOf = ({ content }: ChatMessage): readonly z.infer<typeof part>[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

const textOf = (one: ChatMessage): string =>
  partsOf(one)
    .flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : []))
    .join("\n");

const isSystem = ({ role }: ChatMessage): boolean => role === "system" || role === "developer";

const isWritten = (text: string): boolean => text.trim() !== "";

/** Hash of a request; equal for a repeated request, streamed or not. */
export const digestOf = ({ model, messages }: ChatRequest): string => {
  const hash = createHash("sha256").update(model);
  for (const one of messages) {
    hash.update(`\n${one.role.length}:${one.role}`);
    for (const { type, text = "", image_url: image } of partsOf(one))
      hash.update(`\n${type.length}:${type}${text.length}:${text}`).update(image?.url ?? "");
  }
  return hash.digest("base64url");
};

/** Whether OpenAI's client marks the request as a retry. */
export const isRepeated = (headers: Headers): boolean =>
  /^[1-9]\d{0,3}$/.test(headers.get("x-stainless-retry-count") ?? "");

/** `X-Session-Id` or its older name; null if the client wants a new session. */
export const sessionOf = (headers: Headers): string | null => {
  const given = headers.get("x-session-id") ?? headers.get("x-slavik-session");
  return given === null || given.trim() === "" ? null : given.trim().slice(0, 200);
};

/** Generous limits, because clients send the whole conversation with each request. */
const BOUNDS: JsonBounds = { parts: 100_000, depth: 100 };

export const readGatewayBody = async <S extends z.ZodType>(
  request: Request,
  { bodyBytes }: Pick<GatewayDeps, "bodyBytes">,
  schema: S,
): Promise<z.output<S>> => {
  const bytes = await readAtMost(request.body, bodyBytes);
  if (bytes === null)
    throw gatewayRefusal({
      status: 413,
      code: "invalid_request",
      message: `A request may have ${bodyBytes} bytes.`,
    });
  const read = readOutside(bytes.toString("utf8"), BOUNDS);
  if (read.kind === "wrong") throw invalidRequest(`The body ${read.why}.`);
  const parsed = schema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(firstProblem(parsed.error), paramOf(parsed.error));
};

/** The invalid field, as OpenAI's errors name fields; null for the whole body. */
const paramOf = ({ issues: [first] }: z.core.$ZodError): string | null => {
  const [field] = first?.path ?? [];
  return typeof field === "string" ? field.slice(0, 200) : null;
};

/** Only the first problem, because all problems together may be larger than the request. */
export const firstProblem = ({ issues: [first] }: z.core.$ZodError): string => {
  if (first === undefined) return "is wrong";
  const path = first.path.join(".").slice(0, 200);
  return `${path === "" ? "body" : path}: ${first.message.slice(0, 500)}`;
};
