/** One REST request: who asks, how often, with what, and what comes back (hazards G4 to G6). */

import type { IncomingMessage } from "node:http";
import { type Reply, sendBytes, sendEmpty, sendHtml, sendJson, sendText } from "../shared/answer.ts";
import type { Gates } from "../shared/gates.ts";
import type { Schedule } from "../shared/schedule.ts";
import type { Buckets, Limited } from "./rules/buckets.ts";
import type { Call } from "./call.ts";
import type { Discord } from "./discord.ts";
import { type Fault, wasApplied } from "./fault.ts";
import { bodyOf, invalidForm, type Outcome, type Refused, refuse, violate } from "./outcome.ts";
import { askOf, type Ask, type Route } from "./route.ts";
import { isServedAt } from "./wire.ts";
import { complaintsOf, mustFit } from "./schema.ts";

export interface Api {
  readonly discord: Discord;
  readonly token: string;
  isRevoked(): boolean;
  readonly faults: Schedule<Call, Fault>;
  readonly gates: Gates;
  readonly buckets: Buckets;
}

type Headers = Readonly<Record<string, string>>;

const USUAL_BUCKET = { size: 5, perMs: 5_000 };

/** `broken`: why the body cannot be read at all. */
export const serveCall = async (
  api: Api,
  reply: Reply,
  request: IncomingMessage,
  call: Call,
  route: Route | undefined,
  broken: Refused | undefined,
): Promise<void> => {
  const fault = api.faults.take(call);
  if (fault?.kind === "wait" && fault.when !== "after") await api.gates.pass(fault);
  const answer = wasApplied(fault) ? perform(api, request, call, route, broken) : undefined;
  if (fault?.kind === "wait" && fault.when === "after") await api.gates.pass(fault);
  if (fault === undefined || fault.kind === "wait") {
    await (answer === undefined ? reply.live.cut("reset") : send(api, reply, answer));
  } else {
    await spoil(api, reply, fault);
  }
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

const perform = (
  api: Api,
  request: IncomingMessage,
  call: Call,
  route: Route | undefined,
  broken: Refused | undefined,
): Answer => {
  const { discord } = api;
  if (route === undefined) {
    discord.violate(`no such route: ${call.exchange.method} ${call.exchange.path}`);
    return answerOf(refuse("notFound"));
  }
  const token = request.headers.authorization;
  if (route.isOpen !== true && (token !== `Bot ${api.token}` || api.isRevoked())) {
    return answerOf(
      token === undefined ? violate("unauthorized", "no token was sent") : refuse("unauthorized"),
    );
  }
  if (request.headers["user-agent"]?.startsWith("DiscordBot (") !== true) {
    discord.violate(`${call.route}: the User-Agent must be "DiscordBot (url, version)"`);
  }
  const ask = askOf(call);
  const limited = api.buckets.take(
    call.route,
    majorOf(call),
    route.bucket ?? USUAL_BUCKET,
    route.extraBucket?.(discord, ask),
  );
  if (limited.retryAfter !== undefined) return tooFast(limited);
  const outcome = broken ?? serve(discord, route, ask);
  note(discord, call, outcome);
  return { ...answerOf(outcome), headers: limited.headers };
};

const serve = (discord: Discord, route: Route, ask: Ask): Outcome => {
  const schema = typeof route.takes === "function" ? route.takes(discord, ask) : route.takes;
  const complaints = schema === undefined ? [] : complaintsOf(schema, ask.body);
  if (complaints.length > 0) return invalidForm(complaints);
  const outcome = route.serve(discord, ask);
  if (outcome.kind === "ok" && outcome.body !== undefined) {
    if (route.answers !== undefined) mustFit(route.answers, outcome.body);
    if (route.answersMany !== undefined && Array.isArray(outcome.body)) {
      for (const one of outcome.body) mustFit(route.answersMany, one);
    }
  }
  return outcome;
};

const note = (discord: Discord, call: Call, outcome: Outcome): void => {
  if (outcome.kind === "refused" && outcome.violation !== undefined) {
    discord.violate(`${call.route}: ${outcome.code}: ${outcome.violation}`);
  }
};

const answerOf = (outcome: Outcome): Answer =>
  outcome.kind === "ok"
    ? { status: outcome.status, body: outcome.body, headers: {} }
    : { status: outcome.status, body: bodyOf(outcome), headers: {} };

const tooFast = ({ retryAfter = 0, isGlobal, headers, code }: Limited): Answer => ({
  status: 429,
  body: {
    message: "You are being rate limited.",
    retry_after: retryAfter,
    global: isGlobal,
    ...(code === undefined ? {} : { code }),
  },
  headers,
});

/** Channel, guild or webhook: each has buckets of its own. */
const majorOf = ({ params }: Call): string =>
  params["channel"] ??
  params["guild"] ??
  (params["token"] === undefined ? "" : `${params["app"] ?? ""}/${params["token"]}`);

const send = async (api: Api, reply: Reply, { status, body, headers }: Answer): Promise<void> => {
  if (
    (status === 401 || status === 403 || status === 429) &&
    headers["x-ratelimit-scope"] !== "shared" &&
    api.buckets.invalid()
  ) {
    api.discord.violate("10,000 invalid requests within ten minutes: the address is banned");
    await sendHtml(reply, 429, "Access denied | discord.com used Cloudflare to restrict access");
    return;
  }
  await (body === undefined ? sendEmpty(reply, status, headers) : sendJson(reply, status, body, headers));
};

const spoil = async (api: Api, reply: Reply, fault: Exclude<Fault, { kind: "wait" }>): Promise<void> => {
  switch (fault.kind) {
    case "status":
      return spoiltStatus(api, reply, fault.status, fault.body);
    case "limited": {
      const { retryAfter, scope = "user" } = fault;
      const headers = {
        "retry-after": String(Math.ceil(retryAfter)),
        "x-ratelimit-scope": scope,
        ...(scope === "global"
          ? { "x-ratelimit-global": "true" }
          : {
              "x-ratelimit-reset-after": String(retryAfter),
              "x-ratelimit-remaining": "0",
              "x-ratelimit-limit": "5",
              "x-ratelimit-bucket": "faulty",
            }),
      };
      return send(
        api,
        reply,
        tooFast({ retryAfter, isGlobal: scope === "global", headers, code: undefined }),
      );
    }
    case "error":
      return send(api, reply, {
        status: fault.status,
        body: { message: fault.message, code: fault.code },
        headers: {},
      });
    case "nonsense":
      return sendText(reply, 200, fault.text);
    case "cut":
      reply.live.cut(fault.how ?? "reset");
      return;
    case "stall":
      await reply.live.over;
      return;
  }
};

const spoiltStatus = (
  api: Api,
  reply: Reply,
  status: number,
  body: Extract<Fault, { kind: "status" }>["body"],
): Promise<void> => {
  switch (body) {
    case "html":
      return sendHtml(reply, status, `${status} Bad Gateway`);
    case "empty":
      return sendEmpty(reply, status);
    case "json":
    case undefined:
      return send(api, reply, {
        status,
        body: { message: `${status}: Internal Server Error`, code: 0 },
        headers: {},
      });
  }
};

/** An attachment's address; it needs no token, and whoever has it gets the bytes until it expires. */
export const serveAttachment = async (discord: Discord, reply: Reply, path: string): Promise<void> => {
  const query = new URLSearchParams(reply.live.exchange.query);
  const [, , channel = "", id = ""] = path.split("/");
  const found = discord.world
    .messages(channel)
    .flatMap(({ attachments }) => attachments)
    .find((one) => one.id === id);
  await (found === undefined || !isServedAt(discord.world, path, query)
    ? sendText(reply, 404, "This content is no longer available.")
    : sendBytes(reply, found.type, found.bytes));
};
