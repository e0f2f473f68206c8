import type { Event } from "../../../machine/event.ts";
import type { Bot } from "../../../ports/bot.ts";
import type { TraceRow } from "../../../ports/store.ts";
import { ofConversation } from "./handler.ts";
import { unknownConversation } from "./refusal.ts";

/** The accepted events of a conversation, one JSON object per line (docs/reference.md, `GET …/trace`). */
export const trace = ofConversation(({ bot }, _, id) => {
  const rows = bot.trace(id);
  if (rows === null) throw unknownConversation();
  // Streamed at the client's speed, so that a long trace is never in memory as a whole.
  const body = ReadableStream.from(linesOf(rows, bot)).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
});

function* linesOf(rows: Iterable<TraceRow>, bot: Bot): Generator<string> {
  for (const { actor, ...row } of rows)
    yield `${JSON.stringify({ ...row, actor: actor ?? undefined, ...reasonOf(row.event, bot) })}\n`;
}

/**
 * Reason for a change of the work mode. The reason is stored as text apart from the event, so that it is
 * erased with the person's other texts.
 */
const reasonOf = (event: Event, bot: Bot): { readonly reason?: string } => {
  if (event.kind !== "modeSet" || event.reason === undefined) return {};
  const words = bot.words([event.reason]).get(event.reason);
  return words?.kind === "comment" ? { reason: words.text } : {};
};
