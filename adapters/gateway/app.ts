/**
 * The OpenAI-compatible gateway (Phase 5, D32): a session is a conversation. The token that talks
 * cannot approve: approve-session takes the console's.
 */

import { Hono } from "hono";
import type { ModelList } from "./answer.ts";
import { approveSession } from "./approve.ts";
import { complete } from "./complete.ts";
import type { GatewayDeps } from "./deps.ts";
import { failure } from "./failure.ts";
import { bearer, isSecret } from "./token.ts";

export interface Gateway {
  /** Whether a request of this path is the gateway's. */
  owns(path: string): boolean;
  /** Whether it is a token that opens anything here. */
  knows(token: string): boolean;
  fetch(request: Request): Promise<Response>;
}

const PATHS = /^\/(?:v1|slavik)\//;

export const createGateway = (deps: GatewayDeps): Gateway => {
  const app = new Hono();
  app.onError((error) => {
    deps.log.error("a gateway request failed", { error: error.name });
    return failure(500, "server_error", "internal", "The host made a mistake; it is in its log.");
  });
  app.notFound(() => failure(404, "invalid_request_error", "unknown_request", "There is no such request."));
  const talks = (header: string | undefined): boolean => isSecret(bearer(header), deps.token);
  const approves = (header: string | undefined): boolean => isSecret(bearer(header), deps.approverToken);

  app.get("/v1/models", (c) =>
    talks(c.req.header("authorization")) ? c.json(models(deps)) : refused("PARLEY_GATEWAY_TOKEN"),
  );
  app.post("/v1/chat/completions", (c) =>
    talks(c.req.header("authorization")) ? complete(deps, c.req.raw) : refused("PARLEY_GATEWAY_TOKEN"),
  );
  for (const path of ["/v1/approve-session", "/slavik/approve-session"]) {
    app.post(path, (c) => {
      const header = c.req.header("authorization");
      if (approves(header)) return approveSession(deps, c.req.raw);
      return talks(header) ? notThisToken() : refused("the console's token");
    });
  }
  return {
    owns: (path) => PATHS.test(path),
    knows: (token) => isSecret(token, deps.token) || isSecret(token, deps.approverToken),
    fetch: async (request) => app.fetch(request),
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

const refused = (which: string): Response =>
  failure(401, "authentication_error", "invalid_api_key", `Send ${which} as Authorization: Bearer.`);

const notThisToken = (): Response =>
  failure(
    403,
    "permission_error",
    "not_allowed",
    "The gateway's token talks and cannot approve. Send the console's token.",
  );
