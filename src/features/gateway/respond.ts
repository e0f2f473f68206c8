/**
 * HTTP response to a turn. The head waits at most ten seconds for the first text or the end of the turn, so that an error can
 * still set the status code. After the head, a heartbeat every fifteen seconds keeps proxies, balancers and clients from
 * closing a silent connection.
 */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import { createLiveMask } from "../../text/secrets/known-forms.ts";
import { chunk, completion, type CompletionHead } from "./answer.ts";
import { errorBody, gatewayFailure } from "./failure.ts";
import type { CompletionOutcome, RunningTurn } from "./running.ts";

export interface ResponseTimes {
  readonly head: Millis;
  readonly beat: Millis;
  /** Time that a turn continues without a client. */
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

/** Format of an answer that is still being made. */
interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly beat: string;
  /** Returns the next part of the response, given the answer's text so far. */
  text(text: string): string;
  end(outcome: CompletionOutcome): string;
}

/** Headers that keep nginx from delaying small parts until a buffer is full. */
const UNBUFFERED = { "cache-control": "no-store", "x-accel-buffering": "no" };

/** One JSON document, which may start with white space. An error after the head becomes an `error` in the body. */
const document = (named: CompletionHead): Form => ({
  headers: { ...UNBUFFERED, "content-type": "application/json" },
  beat: "\n",
  text: () => "",
  end: (outcome) =>
    JSON.stringify(outcome.kind === "problem" ? errorBody(outcome.problem) : completion(named, outcome)),
});

/** Server-sent events. An error after the head becomes an event, which clients throw. */
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

/** Splits the growing text into chunks. After a failed attempt the text starts again, because sent chunks cannot be revoked. */
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
