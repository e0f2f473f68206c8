/** The accepted events of a conversation, one JSON object a line (docs/reference.md, `GET …/trace`). */

import type { Event } from "../../../src/machine/event.ts";
import type { Bot } from "../../../src/ports/bot.ts";
import type { TraceRow } from "../../../src/ports/store.ts";

/** Streams as the client reads: a long trace is never whole in memory. */
export const traceResponse = (rows: Iterable<TraceRow>, wordsOf: Bot["words"]): Response => {
  const iterator = rows[Symbol.iterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const lines: string[] = [];
      while (lines.length < BATCH) {
        const next = iterator.next();
        if (next.done === true) break;
        lines.push(`${JSON.stringify(line(next.value, wordsOf))}\n`);
      }
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (lines.length < BATCH) controller.close();
    },
    cancel: () => void iterator.return?.(),
  });
  return new Response(body, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
};

const BATCH = 64;

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
