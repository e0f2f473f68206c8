/** The accepted events of a conversation, one JSON object a line (docs/reference.md, `GET …/trace`). */

import type { Event } from "../../../machine/event.ts";
import type { Bot } from "../../../ports/bot.ts";
import type { TraceRow } from "../../../ports/store.ts";
import { ofConversation } from "./handler.ts";
import { unknownConversation } from "./refusal.ts";

/** The accepted events, one JSON object a line. */
export const trace = ofConversation(({ bot }, _, id) => {
  const rows = bot.trace(id);
  if (rows === null) throw unknownConversation();
  // As the client reads: a long trace is never whole in memory.
  const body = ReadableStream.from(linesOf(rows, bot)).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
});

function* linesOf(rows: Iterable<TraceRow>, bot: Bot): Generator<string> {
  for (const { actor, ...row } of rows)
    yield `${JSON.stringify({ ...row, actor: actor ?? undefined, ...reasonOf(row.event, bot) })}\n`;
}

/** Why the work mode was changed: words, so that whoever takes theirs back takes them from here, too. */
const reasonOf = (event: Event, bot: Bot): { readonly reason?: string } => {
  if (event.kind !== "modeSet" || event.reason === undefined) return {};
  const words = bot.words([event.reason]).get(event.reason);
  return words?.kind === "comment" ? { reason: words.text } : {};
};
