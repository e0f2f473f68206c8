/** One Web API request: who asks, how often, with what, and what comes back (hazard S5). */

import type { IncomingMessage } from "node:http";
import { mustFit } from "../shared/complaint.ts";
import type { Gates } from "../shared/gates.ts";
import type { Schedule } from "../shared/schedule.ts";
import { type Headers, type Reply, sendEmpty, sendHtml, sendJson, sendText } from "../shared/answer.ts";
import type { Call } from "./call.ts";
import { type Fault, wasApplied } from "./fault.ts";
import type { Method } from "./method.ts";
import { methods } from "./methods/all.ts";
import { bodyOf, type Outcome, refuse, violate } from "./outcome.ts";
import type { Slack } from "./slack.ts";
import type { RateLimiter } from "./rules/tiers.ts";

export interface Access {
  readonly botToken: string;
  readonly appToken: string;
  /** What the bot token may do. */
  readonly scopes: () => ReadonlySet<string>;
  /** Set once the app has been removed or its token revoked. */
  readonly isRevoked: () => boolean;
}

export interface Api {
  readonly slack: Slack;
  readonly access: Access;
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
  const turnedAway = entry(api, request, call, method);
  if (turnedAway !== undefined) {
    note(api.slack, call, turnedAway.outcome);
    await sendJson(reply, 200, { ...bodyOf(turnedAway.outcome), ...turnedAway.fields });
    return;
  }
  const limited = api.limiter.take(call.method, method.tier, String(call.args["channel"]));
  if (limited !== undefined) {
    const headers = { "retry-after": String(limited.retryAfter) };
    await sendJson(reply, 429, bodyOf(refuse("ratelimited")), headers);
    return;
  }
  await withFault(api, reply, call, async () => {
    const outcome = method.call(api.slack, call.args);
    note(api.slack, call, outcome);
    const body = bodyOf(outcome);
    mustFit(api.slack.schema.answers(call.method), comparable(body));
    return () => sendJson(reply, 200, body, scopeHeaders(api.access, method));
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

/** Why the caller is not let in at all. */
const entry = (
  api: Api,
  request: IncomingMessage,
  call: Call,
  method: Method,
): { readonly outcome: Outcome; readonly fields?: Readonly<Record<string, string>> } | undefined => {
  const token = request.headers.authorization?.replace(/^Bearer /, "");
  const { botToken, appToken, isRevoked } = api.access;
  const scopes = api.access.scopes();
  if (token === undefined) {
    return { outcome: violate("not_authed", "no token was sent") };
  }
  if (token !== botToken && token !== appToken) {
    return { outcome: refuse("invalid_auth") };
  }
  if (token !== (method.token === "bot" ? botToken : appToken)) {
    return { outcome: violate("not_allowed_token_type", `${call.method} takes a ${method.token} token`) };
  }
  if (isRevoked()) {
    return { outcome: refuse("token_revoked") };
  }
  return method.scopes.length > 0 && !method.scopes.some((scope) => scopes.has(scope))
    ? {
        outcome: refuse("missing_scope"),
        fields: { needed: method.scopes.join(","), provided: [...scopes].join(",") },
      }
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
const scopeHeaders = (access: Access, method: Method): Headers => ({
  "x-oauth-scopes": [...access.scopes()].join(","),
  "x-accepted-oauth-scopes": method.scopes.join(","),
});
