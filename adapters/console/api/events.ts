/** Server-sent events over a raw response: heartbeats, back-pressure and the end of clients that never read. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Bot } from "../../../src/ports/bot.ts";
import { SECURITY_HEADERS } from "../headers.ts";
import type { Presenter } from "../render/presenter.ts";
import { parseCursor } from "./cursor.ts";
import { type Feed, openFeed, type Sink } from "./feed.ts";

export type Streams = ReturnType<typeof createStreams>;

const HEARTBEAT = 15_000;
/** How long a client may leave everything unread. */
const STALLED = 60_000;
/** What a browser waits before it comes back. */
const RETRY = 1_000;

/** `presenterFor`: by what the browser accepts. */
export const createStreams = (bot: Bot, presenterFor: (accepts: string | undefined) => Presenter) => {
  const feeds = new Set<Feed>();
  return {
    /**
     * Takes the response over. `after` stands in for Last-Event-ID where a client cannot set the header; `last`: how many
     * posts a snapshot has, all of them where it is not said.
     */
    open: (
      id: ConversationId,
      incoming: IncomingMessage,
      outgoing: ServerResponse,
      after: string | undefined,
      last: number | undefined,
    ) => {
      const from = parseCursor(header(incoming.headers["last-event-id"]) ?? after);
      outgoing.writeHead(200, EVENT_HEADERS);
      outgoing.write(`retry: ${RETRY}\n\n`);
      const sink = createSink(outgoing, () => feed.drained());
      const presenter = presenterFor(incoming.headers["accept-language"]);
      const feed = openFeed(bot, id, from, last, presenter, sink);
      feeds.add(feed);
      const beat = setInterval(() => {
        if (sink.stalledFor() > STALLED) outgoing.destroy();
        else if (sink.backlog() === 0) outgoing.write(": \n\n");
      }, HEARTBEAT);
      outgoing.once("close", () => {
        clearInterval(beat);
        feeds.delete(feed);
        feed.close();
      });
    },
    count: () => feeds.size,
    closeAll: () => {
      for (const feed of feeds) feed.close();
    },
  };
};

/** Frames of one tick leave in one write: a page never sees half of a step. `room` is called when all is read. */
const createSink = (
  outgoing: ServerResponse,
  room: () => void,
): Sink & { readonly stalledFor: () => number } => {
  let frames: string[] = [];
  let unread = 0;
  let readAt = performance.now();
  const flush = (): void => {
    const batch = Buffer.from(frames.join(""));
    frames = [];
    if (outgoing.writableEnded || outgoing.destroyed) return;
    outgoing.write(batch, () => {
      unread -= batch.length;
      readAt = performance.now();
      if (unread === 0) room();
    });
  };
  return {
    write: (frame) => {
      if (frames.length === 0) process.nextTick(flush);
      if (unread === 0) readAt = performance.now();
      frames.push(frame);
      unread += Buffer.byteLength(frame);
    },
    backlog: () => unread,
    stalledFor: () => (unread === 0 ? 0 : performance.now() - readAt),
    end: () => {
      flush();
      outgoing.end();
    },
  };
};

const EVENT_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  connection: "keep-alive",
};

const header = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "string" ? value : value?.[0];
