/** A chat request as clients send it; what Parley does not use is let through. */

import * as z from "zod";

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

export type ChatRequest = z.infer<typeof chatRequest>;

export type Said =
  /** `pictures`: their URLs. */
  | { readonly kind: "said"; readonly text: string; readonly pictures: readonly string[] }
  | { readonly kind: "unusable"; readonly why: string };

/** The last user message: earlier ones are the session's own history and are not said again. */
export const lastSaid = ({ messages }: ChatRequest): Said => {
  const last = messages.findLast(({ role }) => role === "user");
  if (last === undefined) return { kind: "unusable", why: "messages must hold a user message." };
  const parts =
    typeof last.content === "string" ? [{ type: "text", text: last.content }] : (last.content ?? []);
  const foreign = parts.find(({ type }) => type !== "text" && type !== "image_url");
  if (foreign !== undefined) {
    const why = `Content of type ${foreign.type} is not taken here: send text, and pictures as image_url.`;
    return { kind: "unusable", why };
  }
  const shown = parts.filter(({ type }) => type === "image_url");
  const pictures = shown.flatMap((one) => one.image_url?.url ?? []);
  if (pictures.length < shown.length) return { kind: "unusable", why: "An image_url part has a url in it." };
  const text = parts.flatMap((one) => (one.type === "text" ? [one.text ?? ""] : [])).join("\n");
  return text.trim() === "" && pictures.length === 0
    ? { kind: "unusable", why: "The last user message is empty." }
    : { kind: "said", text, pictures };
};

/** `X-Session-Id` or its older name; null where the client wants a fresh session. */
export const sessionOf = (headers: Headers): string | null => {
  const given = headers.get("x-session-id") ?? headers.get("x-slavik-session");
  return given === null || given.trim() === "" ? null : given.trim().slice(0, 200);
};

export type Body<T> =
  | { readonly kind: "body"; readonly value: T }
  | { readonly kind: "bad"; readonly status: number; readonly why: string };

/** At most `limit` bytes of JSON that fit the schema. */
export const readBody = async <S extends z.ZodType>(
  request: Request,
  limit: number,
  schema: S,
): Promise<Body<z.output<S>>> => {
  const text = await limited(request, limit);
  if (text === null) return { kind: "bad", status: 413, why: `A request may have ${limit} bytes.` };
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return { kind: "body", value: parsed.data };
  const why = parsed.error.issues.map(({ path, message: said }) => `${path.join(".") || "body"}: ${said}`);
  return { kind: "bad", status: 400, why: why.join("; ") };
};

const limited = async (request: Request, limit: number): Promise<string | null> => {
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
