/**
 * The HTTP response to a turn. Its head waits for the first text or the end of the turn, so that an error has its status,
 * but not longer than ten seconds; then a sign of life every fifteen keeps proxies, balancers and clients from ending a
 * connection on which nothing moves.
 */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import { createLiveMask } from "../../text/secrets/known-forms.ts";
import { chunk, completion, type CompletionHead } from "./answer.ts";
import { errorBody, gatewayFailure } from "./failure.ts";
import type { CompletionOutcome, RunningTurn } from "./running.ts";

/** Times of a connection that waits. */
export interface ResponseTimes {
  /** The response head is sent after so long at the latest. */
  readonly head: Millis;
  /** A connection is never silent for longer than this after its head. */
  readonly beat: Millis;
  /** How long a turn goes on without a client. */
  readonly grace: Millis;
}

export const PACE: ResponseTimes = { head: 10_000, beat: 15_000, grace: 15_000 };

interface Answering {
  readonly clock: Pick<Clock, "after">;
  readonly pace: ResponseTimes;
  readonly stream: boolean;
}

export const respond = async (
  { clock, pace, stream }: Answering,
  running: RunningTurn,
  asked: AbortSignal,
): Promise<Response> => {
  const gone = new AbortController();
  const begun = Promise.withResolvers<void>();
  const { readable, writable } = new TextEncoderStream();
  const writer = writable.getWriter();
  const leave = (): void => gone.abort();
  writer.closed.catch(leave);
  let rest = nothing;
  let isBegun = false;
  const form = stream ? events(running.named) : document(running.named);
  const keepAlive = (): void => {
    rest();
    rest = clock.after(pace.beat, () => {
      // A client that does not read needs no further sign.
      if ((writer.desiredSize ?? 0) > 0) write(form.beat);
      else keepAlive();
    });
  };
  const write = (text: string): void => {
    if (text === "") return;
    isBegun = true;
    begun.resolve();
    keepAlive();
    void writer.write(text).catch(leave);
  };
  const late = clock.after(pace.head, () => write(form.beat));
  const signal = AbortSignal.any([asked, gone.signal]);
  const outcome = running.join({ onText: (text) => write(form.text(text)), signal });
  const over = outcome.finally(() => {
    late();
    rest();
  });
  over.catch(() => undefined);
  const headers = { "x-session-id": running.session };
  const early = await Promise.race([over, begun.promise]);
  if (early !== undefined && !isBegun) {
    if (early.kind === "problem") return gatewayFailure(early.problem, running.session);
    if (!stream) return Response.json(completion(running.named, early), { headers });
  }
  const end = async (): Promise<void> => {
    write(form.end(await over));
    rest();
    await writer.close().catch(leave);
  };
  void end().catch((error: unknown) => writer.abort(error));
  return new Response(readable, { headers: { ...headers, ...form.headers } });
};

/** How an answer is written while it is made. */
interface Form {
  readonly headers: Readonly<Record<string, string>>;
  /** A sign of life, which readers skip. */
  readonly beat: string;
  /** What follows, given the answer's text so far. */
  text(text: string): string;
  end(outcome: CompletionOutcome): string;
}

/** nginx otherwise keeps pieces back until a buffer is full. */
const UNBUFFERED = { "cache-control": "no-store", "x-accel-buffering": "no" };

/** JSON allows white space before it. An error after the head is an `error` in the body. */
const document = (named: CompletionHead): Form => ({
  headers: { ...UNBUFFERED, "content-type": "application/json" },
  beat: "\n",
  text: () => "",
  end: (outcome) =>
    JSON.stringify(outcome.kind === "problem" ? errorBody(outcome.problem) : completion(named, outcome)),
});

/** Server-sent events. An error after the head is an event, which clients throw. */
const events = (named: CompletionHead): Form => {
  const mask = createLiveMask();
  let out = "";
  const take = (): string => {
    const taken = out;
    out = "";
    return taken;
  };
  const send = (data: unknown): void => {
    out += `data: ${JSON.stringify(data)}\n\n`;
  };
  const chunks = createChunks(named, send);
  return {
    headers: { ...UNBUFFERED, "content-type": "text/event-stream; charset=utf-8" },
    beat: ": working\n\n",
    text: (text) => {
      chunks.write(mask.next(text));
      return take();
    },
    end: (outcome) => {
      if (outcome.kind === "answered") chunks.end(outcome);
      else send(errorBody(outcome.problem));
      return `${take()}data: [DONE]\n\n`;
    },
  };
};

/** The answer in pieces, from its text so far. An attempt that failed is followed by another text: nothing can be unsaid. */
const createChunks = (named: CompletionHead, send: (data: unknown) => void) => {
  let sent = "";
  const write = (text: string, isWhole: boolean): void => {
    if (!isWhole && sent.startsWith(text)) return;
    const content = text.startsWith(sent) ? text.slice(sent.length) : `${AGAIN}${text}`;
    if (sent === "" && content !== "") send(chunk(named, { role: "assistant", content: "" }));
    if (content !== "") send(chunk(named, { content }));
    sent = text;
  };
  return {
    write: (text: string) => write(text, false),
    end: (result: CompletionOutcome & { readonly kind: "answered" }) => {
      write(result.text, true);
      send(chunk(named, sent === "" ? { role: "assistant", content: "" } : {}, result));
    },
  };
};

const AGAIN = "\n\n[The answer was interrupted and begins again.]\n\n";

const nothing = (): void => undefined;
