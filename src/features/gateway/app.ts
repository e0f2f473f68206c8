/**
 * The OpenAI-compatible gateway (Phase 5, D32): each session is a conversation. The gateway's token cannot approve;
 * approve-session needs the console's token.
 */

import { type Context, Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { bearerOf, equalsInConstantTime } from "../../../adapters/post/bearer.ts";
import { createComplete } from "./complete.ts";
import type { PathRoutes } from "../../ports/path-routes.ts";
import type { GatewayDeps } from "./deps.ts";
import { gatewayFailure, type RequestProblem, gatewayRefusal } from "./failure.ts";
import { CATEGORIES } from "../../machine/vocabulary.ts";
import { approveRequest, readGatewayBody } from "./request.ts";
import { openSession } from "./sessions.ts";

const PATHS = /^\/(?:v1|slavik)\//;

export const createGateway = (deps: GatewayDeps): PathRoutes => {
  const app = new Hono();
  const complete = createComplete(deps);
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    deps.log.error("gateway: request failed", { error: error.name });
    return gatewayFailure({
      status: 500,
      code: "internal",
      message: "The host made a mistake; it is in its log.",
    });
  });
  app.notFound(() =>
    gatewayFailure({ status: 404, code: "unknown_request", message: "There is no such request." }),
  );
  const talk: MiddlewareHandler = async (c, next) => {
    if (!brings(c, deps.token)) throw unauthorized("PARLEY_GATEWAY_TOKEN");
    await next();
  };
  app.get("/v1/models", talk, (c) => c.json(models(deps)));
  app.post("/v1/chat/completions", talk, (c) => complete(c.req.raw));
  app.on("POST", ["/v1/approve-session", "/slavik/approve-session"], (c) => {
    if (brings(c, deps.approverToken)) return approveSession(deps, c.req.raw);
    throw brings(c, deps.token) ? gatewayRefusal(NOT_THIS_TOKEN) : unauthorized("the console's token");
  });
  return {
    name: "gateway",
    owns: (path: string): boolean => PATHS.test(path),
    knows: (token: string): boolean =>
      equalsInConstantTime(token, deps.token) || equalsInConstantTime(token, deps.approverToken),
    fetch: async (request: Request): Promise<Response> => app.fetch(request),
  };
};

const brings = (c: Context, secret: string): boolean => {
  const given = bearerOf(c.req.header("authorization"));
  return given !== null && equalsInConstantTime(given, secret);
};

const models = ({ models: names, startedAt }: GatewayDeps) => ({
  object: "list",
  data: names.map((id) => ({
    id,
    object: "model",
    created: Math.floor(startedAt / 1_000),
    owned_by: "parley",
  })),
});

const unauthorized = (which: string): HTTPException =>
  gatewayRefusal({
    status: 401,
    code: "invalid_api_key",
    message: `Send ${which} as Authorization: Bearer.`,
  });

const NOT_THIS_TOKEN: RequestProblem = {
  status: 403,
  code: "not_allowed",
  message: "The gateway's token talks and cannot approve. Send the console's token.",
};

/**
 * approve-session: grants exactly the listed categories to the session, in memory (Phase 5, 3.4). Creates a missing session.
 */
const approveSession = async (deps: GatewayDeps, request: Request): Promise<Response> => {
  const { session_id: session, categories = [] } = await readGatewayBody(request, deps, approveRequest);
  const unknown = categories.filter((name) => !CATEGORIES.some((category) => category === name));
  if (unknown.length > 0) {
    const message = `There is no category ${unknown.join(", ")}. The categories are ${CATEGORIES.join(", ")}.`;
    throw gatewayRefusal({ status: 400, code: "unknown_category", message });
  }
  const id = await openSession(deps, session);
  const granted = CATEGORIES.filter((category) => categories.includes(category));
  if (granted.length > 0) {
    const result = await deps.bot.act(id, { kind: "grant", categories: granted, by: deps.approver });
    if (result.kind === "refused" && result.why === "not_allowed")
      throw gatewayRefusal({
        status: 403,
        code: "not_allowed",
        message: "The console's operator cannot approve here.",
      });
    if (result.kind === "failed")
      throw gatewayRefusal({ status: 503, code: result.code, message: result.message });
  }
  const detail = await deps.bot.read(id);
  return Response.json({ session_id: session, categories: granted, approved: detail?.state.grants ?? [] });
};
