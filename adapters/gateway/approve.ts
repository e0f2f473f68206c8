/** approve-session: exactly the listed categories, for that session, in memory (Phase 5, 3.4). A new session is made. */

import { CATEGORIES } from "../../src/machine/words.ts";
import type { GatewayDeps } from "./deps.ts";
import { refusal } from "./failure.ts";
import { approveRequest, readBody } from "./request.ts";
import { openSession } from "./sessions.ts";

export const approveSession = async (deps: GatewayDeps, request: Request): Promise<Response> => {
  const { session_id: session, categories = [] } = await readBody(request, deps, approveRequest);
  const unknown = categories.filter((name) => !CATEGORIES.some((category) => category === name));
  if (unknown.length > 0) {
    const message = `There is no category ${unknown.join(", ")}. The categories are ${CATEGORIES.join(", ")}.`;
    throw refusal({ status: 400, code: "unknown_category", message });
  }
  const id = await openSession(deps, session);
  const granted = CATEGORIES.filter((category) => categories.includes(category));
  if (granted.length > 0) {
    const result = await deps.bot.act(id, { kind: "grant", categories: granted, by: deps.approver });
    if (result.kind === "refused" && result.why === "not_allowed")
      throw refusal({
        status: 403,
        code: "not_allowed",
        message: "The console's operator may not approve here.",
      });
    if (result.kind === "failed") throw refusal({ status: 503, code: result.code, message: result.message });
  }
  const detail = await deps.bot.read(id);
  return Response.json({ session_id: session, categories: granted, approved: detail?.state.grants ?? [] });
};
