/** One Web API request: who asks, how often, with what, and what comes back (hazard S5). */

import type { IncomingMessage } from "node:http";
import { mustFit } from "../shared/complaint.ts";
import type { Gates } from "../shared/gates.ts";
import type { Schedule } from "../shared/schedule.ts";
import { type Headers, type Reply, sendEmpty, sendHtml, sendJson, sendText } from "../shared/answer.ts";
import type { Caller } from "./apps.ts";
import type { Call } from "./call.ts";
import { type Fault, wasApplied } from "./fault.ts";
import type { Method } from "./method.ts";
import { methods } from "./methods/all.ts";
import { bodyOf, type Outcome, refuse, refuseWith, type Refused, violate } from "./outcome.ts";
import type { Slack } from "./slack.ts";
import type { RateLimiter } from "./rules/tiers.ts";

export interface Api {
  readonly slack: Slack;
  readonly faults: Schedule<Call, Fault>;
  readonly gates: Gates;
  readonly limiter: RateLimiter;
}

export const serveMethod = async (
  api: Api,
  reply: Reply,
  request: IncomingMessage,
  call: Call,
): Promise<void> => {
  const method = methods[call.method];
  if (method === undefined) {
    api.slack.violate(`unknown method ${call.method}`);
    await sendJson(reply, 200, bodyOf(refuse("unknown_method")));
    return;
  }
  const caller = callerOf(api, request);
  const turnedAway = entry(request, call, method, caller);
  if (turnedAway !== undefined) {
    note(api.slack, call, turnedAway);
    await sendJson(reply, 200, bodyOf(turnedAway));
    return;
  }
  const limited = api.limiter.take(call.method, method.tier, String(call.args["channel"]));
  if (limited !== undefined) {
    const headers = { "retry-after": String(limited.retryAfter) };
    await sendJson(reply, 429, bodyOf(refuse("ratelimited")), headers);
    return;
  }
  await withFault(api, reply, call, async () => {
    const outcome = method.call(api.slack, call.args, caller);
    note(api.slack, call, outcome);
    const body = bodyOf(outcome);
    mustFit(api.slack.schema.answers(call.method), comparable(body));
    return () => sendJson(reply, 200, body, scopeHeaders(caller, method));
  });
};

/** Does the deed and answers, as far as the fault scripted for this call lets it. `deed` returns how to answer. */
export const withFault = async (
  { faults, gates }: Pick<Api, "faults" | "gates">,
  reply: Reply,
  call: Call,
  deed: () => Promise<() => Promise<void>>,
): Promise<void> => {
  const fault = faults.take(call);
  if (fault?.kind === "wait" && fault.when !== "after") {
    await gates.pass(fault);
  }
  const answer = wasApplied(fault) ? await deed() : undefined;
  if (fault?.kind === "wait" && fault.when === "after") {
    await gates.pass(fault);
  }
  if (fault === undefined || fault.kind === "wait") {
    await answer?.();
  } else {
    await spoil(reply, fault);
  }
};

const spoil = async (reply: Reply, fault: Exclude<Fault, { kind: "wait" }>): Promise<void> => {
  switch (fault.kind) {
    case "status":
      await spoiltStatus(reply, fault);
      return;
    case "nonsense":
      await sendText(reply, 200, fault.text);
      return;
    case "error":
      await sendJson(reply, 200, { ok: false, error: fault.error, ...fault.fields });
      return;
    case "cut":
      reply.live.cut(fault.how ?? "reset");
      return;
    case "stall":
      await reply.live.over;
      return;
  }
};

const spoiltStatus = (reply: Reply, fault: Extract<Fault, { kind: "status" }>): Promise<void> => {
  const headers: Headers = fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter };
  switch (fault.body) {
    case "html":
      return sendHtml(reply, fault.status, `${fault.status} Bad Gateway`, headers);
    case "empty":
      return sendEmpty(reply, fault.status, headers);
    case "json":
    case undefined: {
      const error = fault.status === 429 ? "ratelimited" : "internal_error";
      return sendJson(reply, fault.status, bodyOf(refuse(error)), headers);
    }
  }
};

export const callerOf = ({ slack }: Api, request: IncomingMessage): Caller | undefined => {
  const token = request.headers.authorization?.replace(/^Bearer /, "");
  return token === undefined ? undefined : slack.apps.caller(token);
};

/** Why the caller is not let in at all. */
const entry = (
  request: IncomingMessage,
  call: Call,
  method: Method,
  caller: Caller | undefined,
): Refused | undefined => {
  if (method.token === "none") return undefined;
  if (request.headers.authorization === undefined) {
    return violate("not_authed", "no token was sent");
  }
  if (caller === undefined) return refuse("invalid_auth");
  const { kind, scopes, error } = caller;
  if (kind !== method.token) {
    return violate("not_allowed_token_type", `${call.method} takes a ${method.token} token`);
  }
  if (error !== null) return refuse(error);
  return method.scopes.length > 0 && !method.scopes.some((scope) => scopes.has(scope))
    ? refuseWith("missing_scope", { needed: method.scopes.join(","), provided: [...scopes].join(",") })
    : undefined;
};

/** The declared answers know only the older blocks (a message's were checked when it came in) and no nulls. */
const comparable = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === "blocks" || key === "attachments" || value === null ? undefined : value,
  );

const note = (slack: Slack, call: Call, outcome: Outcome): void => {
  if (outcome.kind === "refused" && outcome.violation !== undefined) {
    slack.violate(`${call.method}: ${outcome.error}: ${outcome.violation}`);
  }
};

/** The client keeps them beside every answer, so that a program can see what it was granted. */
const scopeHeaders = (caller: Caller | undefined, method: Method): Headers => ({
  "x-oauth-scopes": [...(caller?.scopes ?? [])].join(","),
  "x-accepted-oauth-scopes": method.scopes.join(","),
});
