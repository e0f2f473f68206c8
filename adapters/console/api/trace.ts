/** The accepted events of a conversation, one JSON object a line (docs/reference.md, `GET …/trace`). */

import type { Event } from "../../../src/machine/event.ts";
import type { Bot } from "../../../src/ports/bot.ts";
import type { TraceRow } from "../../../src/ports/store.ts";

/** Streams as the client reads: a long trace is never whole in memory. */
export const traceResponse = (rows: Iterable<TraceRow>, wordsOf: Bot["words"]): Response => {
  const body = ReadableStream.from(linesOf(rows, wordsOf)).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
};

function* linesOf(rows: Iterable<TraceRow>, wordsOf: Bot["words"]): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(line(row, wordsOf))}\n`;
}

const line = (
  { seq, at, event, labels, before, after, effects, actor, hash, core }: TraceRow,
  wordsOf: Bot["words"],
) => ({
  seq,
  at,
  event,
  labels,
  before,
  after,
  effects,
  ...(actor === null ? {} : { actor }),
  ...reasonOf(event, wordsOf),
  hash,
  core,
});

/** Why the work mode was changed: words, so that whoever takes theirs back takes them from here, too. */
const reasonOf = (event: Event, wordsOf: Bot["words"]): { readonly reason?: string } => {
  if (event.kind !== "modeSet" || event.reason === undefined) return {};
  const words = wordsOf([event.reason]).get(event.reason);
  return words?.kind === "comment" ? { reason: words.text } : {};
};
