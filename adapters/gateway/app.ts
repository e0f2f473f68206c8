/**
 * The OpenAI-compatible gateway (Phase 5, D32): a session is a conversation. The token that talks
 * cannot approve: approve-session takes the console's.
 */

import { type Context, Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ModelList } from "./answer.ts";
import { approveSession } from "./approve.ts";
import { complete } from "./complete.ts";
import type { GatewayDeps } from "./deps.ts";
import { failure, type Problem, refusal } from "./failure.ts";
import { bearer, isSecret } from "./token.ts";

export type Gateway = ReturnType<typeof createGateway>;

const PATHS = /^\/(?:v1|slavik)\//;

export const createGateway = (deps: GatewayDeps) => {
  const app = new Hono();
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    deps.log.error("a gateway request failed", { error: error.name });
    return failure({ status: 500, code: "internal", message: "The host made a mistake; it is in its log." });
  });
  app.notFound(() => failure({ status: 404, code: "unknown_request", message: "There is no such request." }));
  const talks = (c: Context): boolean => isSecret(bearer(c.req.header("authorization")), deps.token);
  const approves = (c: Context): boolean =>
    isSecret(bearer(c.req.header("authorization")), deps.approverToken);

  const talk: MiddlewareHandler = async (c, next) => {
    if (!talks(c)) throw unauthorized("PARLEY_GATEWAY_TOKEN");
    await next();
  };
  app.get("/v1/models", talk, (c) => c.json(models(deps)));
  app.post("/v1/chat/completions", talk, (c) => complete(deps, c.req.raw));
  app.on("POST", ["/v1/approve-session", "/slavik/approve-session"], (c) => {
    if (approves(c)) return approveSession(deps, c.req.raw);
    throw talks(c) ? refusal(NOT_THIS_TOKEN) : unauthorized("the console's token");
  });
  return {
    owns: (path: string): boolean => PATHS.test(path),
    /** Whether it is a token that opens anything here. */
    knows: (token: string): boolean => isSecret(token, deps.token) || isSecret(token, deps.approverToken),
    fetch: async (request: Request): Promise<Response> => app.fetch(request),
  };
};

const models = ({ models: names, startedAt }: GatewayDeps): ModelList => ({
  object: "list",
  data: names.map((id) => ({
    id,
    object: "model",
    created: Math.floor(startedAt / 1_000),
    owned_by: "parley",
  })),
});

const unauthorized = (which: string): HTTPException =>
  refusal({ status: 401, code: "invalid_api_key", message: `Send ${which} as Authorization: Bearer.` });

const NOT_THIS_TOKEN: Problem = {
  status: 403,
  code: "not_allowed",
  message: "The gateway's token talks and cannot approve. Send the console's token.",
};
