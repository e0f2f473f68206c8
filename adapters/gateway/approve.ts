/** approve-session: exactly the listed categories, for that session, in memory (Phase 5, 3.4). A new session is made. */

import { CATEGORIES } from "../../src/machine/words.ts";
import type { GatewayDeps } from "./deps.ts";
import { failure } from "./failure.ts";
import { approveRequest, readBody } from "./request.ts";
import { openSession } from "./sessions.ts";

export const approveSession = async (deps: GatewayDeps, request: Request): Promise<Response> => {
  const body = await readBody(request, deps.bodyBytes, approveRequest);
  if (body.kind === "bad") return failure(body.status, "invalid_request_error", "invalid_request", body.why);
  const { session_id: session, categories = [] } = body.value;
  const unknown = categories.filter((name) => !CATEGORIES.some((category) => category === name));
  if (unknown.length > 0) {
    const why = `There is no category ${unknown.join(", ")}. The categories are ${CATEGORIES.join(", ")}.`;
    return failure(400, "invalid_request_error", "unknown_category", why);
  }
  const opened = await openSession(deps, session);
  if (opened.kind === "failed") return failure(503, "server_error", "unavailable", opened.why);
  const { id } = opened;
  const granted = CATEGORIES.filter((category) => categories.includes(category));
  if (granted.length > 0) {
    const result = await deps.bot.act(id, { kind: "grant", categories: granted, by: deps.approver });
    if (result.kind === "refused" && result.why === "not_allowed")
      return failure(403, "permission_error", "not_allowed", "The console's operator may not approve here.");
    if (result.kind === "failed") return failure(503, "server_error", result.code, result.message);
  }
  const detail = await deps.bot.read(id);
  return Response.json({ session_id: session, categories: granted, approved: detail?.state.grants ?? [] });
};
