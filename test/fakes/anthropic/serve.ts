/** One request to the API: who asks, what for, and what comes back. Never rejects. */

import type { IncomingMessage } from "node:http";
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages/messages";
import { mustFit } from "../shared/complaint.ts";
import type { Exchange } from "../shared/exchange.ts";
import type { Gates } from "../shared/gates.ts";
import type { Schedule } from "../shared/schedule.ts";
import { passGate, play, type Reply, sendEmpty, sendHtml, sendJson, sendProblem } from "./answer.ts";
import type { PrefixCache } from "./cache.ts";
import { disturb } from "./disturb.ts";
import { deliversTurn, type Fault } from "./fault.ts";
import { modelPage, type FakeModel } from "./models.ts";
import type { PausedTurns } from "./paused.ts";
import { jsonSteps, streamSteps } from "./plan.ts";
import { promptTokens } from "./prefix.ts";
import { invalidRequest, type Problem, typeOfStatus } from "./problem.ts";
import type { WireSchema } from "./schema.ts";
import type { Turn } from "./turn.ts";
import { type Validated, validateCount, validateCreate } from "./validate.ts";

/** An answer, or how to make one from the request that it answers. */
export type Script = Turn | ((body: MessageCreateParams) => Turn);

export interface Api {
  readonly apiKey: string;
  readonly models: readonly FakeModel[];
  readonly schema: WireSchema;
  readonly script: Schedule<Exchange, Script>;
  readonly faults: Schedule<Exchange, Fault>;
  readonly cache: PrefixCache;
  readonly paused: PausedTurns;
  readonly gates: Gates;
  readonly violate: (seq: number, message: string) => void;
}

export const serve = async (
  api: Api,
  reply: Reply,
  request: IncomingMessage,
  read: "read" | "tooLarge",
): Promise<void> => {
  try {
    const problem = await answer(api, reply, request, read);
    if (problem !== undefined) {
      await sendProblem(reply, problem);
    }
  } catch (error) {
    api.violate(reply.live.exchange.seq, `the fake failed: ${String(error)}`);
    reply.live.cut("reset");
  }
};

/** The problem to answer with, or undefined when the answer has been given. */
const answer = async (
  api: Api,
  reply: Reply,
  request: IncomingMessage,
  read: "read" | "tooLarge",
): Promise<Problem | undefined> => {
  const { exchange } = reply.live;
  const turnedAway = entryProblem(api, request, read);
  if (turnedAway !== undefined) {
    return turnedAway;
  }
  if (exchange.headers["anthropic-version"] === undefined) {
    return violation(api, exchange, invalidRequest("anthropic-version: header is required"));
  }
  if (exchange.method === "POST" && exchange.path === "/v1/messages") {
    return createMessage(api, reply);
  }
  if (exchange.method === "POST" && exchange.path === "/v1/messages/count_tokens") {
    return (await spoil(reply, api.faults.take(exchange))) ?? countTokens(api, reply);
  }
  if (exchange.method === "GET" && exchange.path.startsWith("/v1/models")) {
    return (await spoil(reply, api.faults.take(exchange))) ?? tellModels(api, reply);
  }
  return violation(api, exchange, {
    status: 404,
    type: "not_found_error",
    message: `unknown route: ${exchange.method} ${exchange.path}`,
  });
};

const entryProblem = (api: Api, request: IncomingMessage, read: "read" | "tooLarge"): Problem | undefined => {
  const { authorization, "x-api-key": key } = request.headers;
  if (authorization !== `Bearer ${api.apiKey}` && key !== api.apiKey) {
    const message =
      authorization === undefined && key === undefined ? "x-api-key header is required" : "invalid x-api-key";
    return { status: 401, type: "authentication_error", message };
  }
  return read === "tooLarge"
    ? { status: 413, type: "invalid_request_error", message: "Request exceeds the maximum size" }
    : undefined;
};

const violation = (api: Api, exchange: Exchange, problem: Problem): Problem => {
  api.violate(exchange.seq, problem.message);
  return problem;
};

const problemOf = (
  api: Api,
  exchange: Exchange,
  checked: Exclude<Validated<unknown>, { kind: "valid" }>,
): Problem => (checked.kind === "violation" ? violation(api, exchange, checked.problem) : checked.problem);

const createMessage = async (api: Api, reply: Reply): Promise<Problem | undefined> => {
  const { exchange } = reply.live;
  const checked = await validateCreate(
    { ...api, isPaused: (content) => api.paused.has(content) },
    exchange.body,
  );
  if (checked.kind !== "valid") {
    return problemOf(api, exchange, checked);
  }
  const { body, blocks, model } = checked;
  const isStream = body.stream === true;
  const fault = api.faults.take(exchange);
  if (fault !== undefined && isWholeAnswer(fault, isStream)) {
    return spoil(reply, fault);
  }
  const turn = turnFor(api, exchange, body, fault);
  if (turn === undefined) {
    return violation(api, exchange, {
      status: 500,
      type: "api_error",
      message: "unscripted: no turn matches this request",
    });
  }
  if (turn.hold !== undefined && !(await passGate(reply, api.gates, turn.hold.gate))) {
    return undefined;
  }
  const account = api.cache.account(body, blocks, model.cacheFloor);
  account.commit();
  api.paused.remember(turn);
  let tools = 0;
  const context = {
    schema: api.schema,
    messageId: `msg_fake_${exchange.seq}`,
    toolId: () => `toolu_fake_${exchange.seq}_${(tools += 1)}`,
    model: body.model,
    usage: account.usage,
  };
  const steps = isStream ? streamSteps(turn, context) : jsonSteps(turn, context);
  await play(reply, isStream, disturb(steps, fault), api.gates);
  return undefined;
};

/** Whether nothing of a turn is sent. An error in the middle of a stream has no middle to be in where the answer is JSON. */
const isWholeAnswer = (fault: Fault, isStream: boolean): boolean =>
  fault.kind === "status" ||
  fault.kind === "html" ||
  fault.kind === "empty" ||
  fault.kind === "reset" ||
  (fault.kind === "errorEvent" && !isStream);

/** Sends what takes the place of an answer; any other fault has no meaning outside a message and changes nothing. */
const spoil = async (reply: Reply, fault: Fault | undefined): Promise<Problem | undefined> => {
  switch (fault?.kind) {
    case "status":
      return {
        status: fault.status,
        type: fault.type ?? typeOfStatus(fault.status),
        message: fault.message ?? `scripted ${fault.status}`,
        ...(fault.code === undefined ? {} : { details: { error_code: fault.code } }),
        ...(fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter }),
      };
    case "errorEvent":
      return { status: 529, type: fault.type ?? "overloaded_error", message: fault.message ?? "Overloaded" };
    case "html":
      await sendHtml(reply, fault.status);
      return undefined;
    case "empty":
      await sendEmpty(reply);
      return undefined;
    case "reset":
      reply.live.cut("reset");
      return undefined;
    case "cut":
    case "cutBytes":
    case "noStop":
    case "stall":
    case "silence":
    case "framing":
    case "unknownEvent":
    case "pings":
    case "turn":
    case undefined:
      return undefined;
  }
};

/** What a spoilt answer says when nothing is scripted. */
const somethingToSpoil: Turn = {
  content: [{ kind: "text", text: "This answer does not get to its end.", chunk: 6 }],
};
/** What a request for no tokens at all gets: it only fills the cache. */
const preWarmed: Turn = { content: [], stop: "max_tokens" };

const turnFor = (
  api: Api,
  exchange: Exchange,
  body: MessageCreateParams,
  fault: Fault | undefined,
): Turn | undefined => {
  if (fault?.kind === "turn") {
    return fault.turn;
  }
  if (body.max_tokens === 0) {
    return preWarmed;
  }
  const isWhole = deliversTurn(fault);
  const script = isWhole ? api.script.take(exchange) : (api.script.peek(exchange) ?? somethingToSpoil);
  return typeof script === "function" ? script(body) : script;
};

const countTokens = async (api: Api, reply: Reply): Promise<Problem | undefined> => {
  const { exchange } = reply.live;
  const checked = await validateCount(
    { ...api, isPaused: (content) => api.paused.has(content) },
    exchange.body,
  );
  if (checked.kind !== "valid") {
    return problemOf(api, exchange, checked);
  }
  const count = { input_tokens: promptTokens(checked.blocks) };
  mustFit(api.schema.MessageTokensCount, count);
  await sendJson(reply, count);
  return undefined;
};

const tellModels = async (api: Api, reply: Reply): Promise<Problem | undefined> => {
  const { path, query } = reply.live.exchange;
  const id = decodeURIComponent(path.slice("/v1/models/".length));
  const told =
    id === ""
      ? modelPage(api.models, query)
      : modelPage(
          api.models.filter((model) => model.id === id),
          {},
        );
  const [info] = told.data;
  if (id !== "" && info === undefined) {
    return { status: 404, type: "not_found_error", message: `model: ${id}` };
  }
  for (const one of told.data) {
    mustFit(api.schema.ModelInfo, one);
  }
  await sendJson(reply, id === "" ? told : info);
  return undefined;
};
