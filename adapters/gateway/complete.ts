/** POST /v1/chat/completions: the last user message is said in the session, and the turn is its answer. */

import { chunk, completion, type Named } from "./answer.ts";
import { approvalError, type Problem, problemOf, settleQuestion } from "./approval.ts";
import type { GatewayDeps } from "./deps.ts";
import { errorBody, failure } from "./failure.ts";
import { chatRequest, lastSaid, readBody, sessionOf } from "./request.ts";
import { findSession, openSession } from "./sessions.ts";
import { takeTurn, type TurnResult } from "./turn.ts";

export const complete = async (deps: GatewayDeps, request: Request): Promise<Response> => {
  const body = await readBody(request, deps.bodyBytes, chatRequest);
  if (body.kind === "bad") return failure(body.status, "invalid_request_error", "invalid_request", body.why);
  const { model, stream } = body.value;
  if (!deps.models.includes(model)) {
    const why = `There is no model ${model}. The models are ${deps.models.join(", ")}.`;
    return failure(404, "invalid_request_error", "model_not_found", why);
  }
  const said = lastSaid(body.value);
  if (said.kind === "unusable") return failure(400, "invalid_request_error", "invalid_request", said.why);
  const session = sessionOf(request.headers) ?? deps.randomId();
  const opened = await openSession(deps, session);
  if (opened.kind === "failed") return failure(503, "server_error", "unavailable", opened.why);
  const claim = {
    surface: "gateway",
    id: deps.randomId(),
    conversation: opened.id,
    speaker: deps.client,
    text: said.text,
    images: [],
  };
  const take = (onText: (text: string) => void, signal: AbortSignal) =>
    takeTurn(deps.bot, opened.id, () => deps.bot.say(claim), { onText, signal });
  const named: Named = {
    id: `chatcmpl-${deps.randomId()}`,
    created: Math.floor(Date.now() / 1_000),
    model,
  };
  const headers = { "x-session-id": session };
  return stream === true
    ? streamed(deps, session, named, take, headers)
    : whole(deps, session, named, await take(() => undefined, request.signal), headers);
};

type Take = (onText: (text: string) => void, signal: AbortSignal) => Promise<TurnResult>;

const whole = async (
  deps: GatewayDeps,
  session: string,
  named: Named,
  result: TurnResult,
  headers: Readonly<Record<string, string>>,
): Promise<Response> => {
  if (result.kind === "answered") return Response.json(completion(named, result), { headers });
  const { status, type, code, message, details } = await outcomeOf(deps, session, result);
  return Response.json(errorBody(type, code, message, details), { status, headers });
};

/** Server-sent events. What goes wrong after the first byte is an event of its own, which clients throw. */
const streamed = (
  deps: GatewayDeps,
  session: string,
  named: Named,
  take: Take,
  headers: Readonly<Record<string, string>>,
): Response => {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const send = (data: unknown): void => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`data: ${JSON.stringify(data)}\n\n`));
      };
      let sent = "";
      const more = (text: string): void => {
        if (!text.startsWith(sent) || text.length === sent.length) return;
        send(chunk(named, { content: text.slice(sent.length) }));
        sent = text;
      };
      send(chunk(named, { role: "assistant", content: "" }));
      const result = await take(more, gone.signal);
      if (result.kind === "answered") {
        more(result.text);
        send(chunk(named, {}, result));
      } else {
        const { type, code, message, details } = await outcomeOf(deps, session, result);
        send(errorBody(type, code, message, details));
      }
      if (gone.signal.aborted) return;
      controller.enqueue(encoder.encode("data: [DONE]\n\n"));
      controller.close();
    },
    cancel: () => gone.abort(),
  });
  const type = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };
  return new Response(body, { headers: { ...headers, ...type } });
};

const outcomeOf = async (
  deps: GatewayDeps,
  session: string,
  result: Exclude<TurnResult, { readonly kind: "answered" }>,
): Promise<Problem> => {
  if (result.kind === "asked") {
    const problem = approvalError(deps, session, result.detail);
    await settleQuestion(deps.bot, result.detail);
    return problem;
  }
  const waits =
    result.kind === "notTaken" &&
    result.result.kind === "refused" &&
    result.result.why === "awaiting_approval";
  const id = waits ? findSession(deps, session) : null;
  const detail = id === null ? null : await deps.bot.read(id);
  return detail === null ? problemOf(result) : approvalError(deps, session, detail);
};
