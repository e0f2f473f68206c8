/**
 * Sessions: each is one conversation, found by its name even after a restart. If a conversation is full, its session moves to
 * the continuation.
 */

import type { ConversationId } from "../../machine/id.ts";
import type { GatewayDeps } from "./deps.ts";
import { gatewayRefusal } from "./failure.ts";

const SURFACE = "gateway";
const PLACE = "session";

const findSession = async (
  { sessions, bot }: GatewayDeps,
  session: string,
): Promise<ConversationId | null> => {
  const seen = new Set<ConversationId>();
  let id = sessions.find(SURFACE, PLACE, session)?.conversation ?? null;
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    const phase = (await bot.read(id))?.state.phase;
    if (phase?.kind === "exhausted" && phase.next !== null) id = phase.next;
  }
  return id;
};

export const openSession = async (deps: GatewayDeps, session: string): Promise<ConversationId> => {
  const known = await findSession(deps, session);
  if (known !== null) return known;
  if (deps.repo === null) throw unavailable("No repository is configured for new sessions. Set PARLEY_REPO.");
  const made = await deps.bot.create({ surface: SURFACE, repo: deps.repo, title: "", by: deps.client.id });
  if (made.kind === "failed") throw unavailable(made.message);
  const { id } = made.overview.state;
  const bound = await deps.sessions.bind({ conversation: id, surface: SURFACE, place: PLACE, root: session });
  if (bound.kind === "done") return id;
  // Another request opened the same session at the same moment.
  const first = await findSession(deps, session);
  if (first === null) throw unavailable(bound.message);
  return first;
};

const unavailable = (message: string) => gatewayRefusal({ status: 503, code: "unavailable", message });
