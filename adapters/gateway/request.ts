/** A chat request as clients send it; what Parley does not use is let through. */

import * as z from "zod";
import { type JsonBounds, readOutside } from "../../src/text/outside-json.ts";
import { readAtMost } from "../post/download.ts";
import type { GatewayDeps } from "./deps.ts";
import { invalid, refusal } from "./failure.ts";

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
});
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

export const chatRequest = z.looseObject({
  model: z.string().min(1).max(200),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
});

export const approveRequest = z.looseObject({
  session_id: z.string().min(1).max(200),
  categories: z.array(z.string()).optional(),
});

type ChatRequest = z.infer<typeof chatRequest>;

export interface Said {
  readonly text: string;
  readonly pictures: readonly string[];
}

/** The last user message: earlier ones are the session's own history and are not said again. */
export const lastSaid = ({ messages }: ChatRequest): Said => {
  const last = messages.findLast(({ role }) => role === "user");
  if (last === undefined) throw invalid("messages must hold a user message.");
  const parts =
    typeof last.content === "string" ? [{ type: "text", text: last.content }] : (last.content ?? []);
  const foreign = parts.find(({ type }) => type !== "text" && type !== "image_url");
  if (foreign !== undefined) {
    throw invalid(`Content of type ${foreign.type} is not taken here: send text, and pictures as image_url.`);
  }
  const shown = parts.filter(({ type }) => type === "image_url");
  const pictures = shown.flatMap((one) => one.image_url?.url ?? []);
  if (pictures.length < shown.length) throw invalid("An image_url part has a url in it.");
  const text = parts.flatMap((one) => (one.type === "text" ? [one.text ?? ""] : [])).join("\n");
  if (text.trim() === "" && pictures.length === 0) throw invalid("The last user message is empty.");
  return { text, pictures };
};

/** `X-Session-Id` or its older name; null where the client wants a fresh session. */
export const sessionOf = (headers: Headers): string | null => {
  const given = headers.get("x-session-id") ?? headers.get("x-slavik-session");
  return given === null || given.trim() === "" ? null : given.trim().slice(0, 200);
};

/** Clients send the whole conversation with each request. */
const BOUNDS: JsonBounds = { parts: 100_000, depth: 100 };

/** JSON that fits the schema, of at most as many bytes as a request may have. */
export const readBody = async <S extends z.ZodType>(
  request: Request,
  { bodyBytes }: Pick<GatewayDeps, "bodyBytes">,
  schema: S,
): Promise<z.output<S>> => {
  const bytes = await readAtMost(request.body, bodyBytes);
  if (bytes === null)
    throw refusal({
      status: 413,
      code: "invalid_request",
      message: `A request may have ${bodyBytes} bytes.`,
    });
  const read = readOutside(bytes.toString("utf8"), BOUNDS);
  if (read.kind === "wrong") throw invalid(`The body ${read.why}.`);
  const parsed = schema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  throw invalid(firstProblem(parsed.error));
};

/** The first problem alone: all of them together may be larger than what was sent. */
export const firstProblem = ({ issues: [first] }: z.core.$ZodError): string => {
  if (first === undefined) return "is wrong";
  const path = first.path.join(".").slice(0, 200);
  return `${path === "" ? "body" : path}: ${first.message.slice(0, 500)}`;
};
