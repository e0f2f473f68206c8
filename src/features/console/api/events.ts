/**
 * Server-sent events over a raw response, with heartbeats, one write at a time, and a limit for clients that
 * never read.
 */

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { ConversationId } from "../../../machine/id.ts";
import { SECURITY_HEADERS } from "../../../../adapters/http/headers.ts";
import { urlQueryOf } from "../../../../adapters/http/body.ts";
import type { Env } from "../../../../adapters/http/web.ts";
import { type ConsoleDeps, ofConversation } from "./handler.ts";
import { POSTS_USAGE } from "./posts.ts";
import { unknownConversation } from "./refusal.ts";
import { postsQuery } from "./schema.ts";
import type { Presenter } from "../render/presenter.ts";
import { feed, revisionIn } from "./feed.ts";

/**
 * Streams server-sent events: first a snapshot with all posts or the `last` of them, then the changes.
 * Resumes after `Last-Event-ID` without gap or repetition.
 */
export const streamEvents = ofConversation(async ({ bot, presenterOf, streams }, c, id) => {
  const { last } = urlQueryOf(c.req.raw, postsQuery, POSTS_USAGE);
  if ((await bot.read(id)) === null) throw unknownConversation();
  void streams.open(c, id, presenterOf(c.req.header("accept-language")), last);
  return RESPONSE_ALREADY_SENT;
});

const HEARTBEAT = 15_000;
/** Milliseconds for which a client may leave everything unread. */
const STALLED = 30_000;
/** Milliseconds that a browser waits before it reconnects. */
const RETRY = 1_000;

export const createEventStreams = ({ bot, observer }: Pick<ConsoleDeps, "bot" | "observer">) => {
  const open = new Set<AbortController>();
  return {
    open: async (
      { env: { outgoing }, req }: Context<Env>,
      id: ConversationId,
      presenter: Presenter,
      last: number | undefined,
    ): Promise<void> => {
      const own = new AbortController();
      open.add(own);
      observer.streaming(open.size);
      /** Ends the pending write: if a response closes before it has a connection, Node never calls back. */
      let gone = unsent;
      outgoing.once("close", () => {
        own.abort();
        gone();
      });
      outgoing.writeHead(200, EVENT_HEADERS);
      outgoing.write(`retry: ${RETRY}\n\n`);
      // Node closes a connection that was idle for this long.
      outgoing.setTimeout(STALLED);
      const beat = setInterval(() => {
        if (outgoing.writableLength === 0) outgoing.write(": \n\n");
      }, HEARTBEAT);
      const from = revisionIn(req.header("last-event-id"), bot.boot);
      for await (const frames of feed(bot, { id, from, last }, presenter, own.signal)) {
        await new Promise<void>((resolve) => {
          gone = resolve;
          outgoing.write(frames, () => resolve());
        });
      }
      clearInterval(beat);
      open.delete(own);
      observer.streaming(open.size);
      outgoing.end();
    },
    closeAll: () => {
      for (const own of open) own.abort();
    },
  };
};

const unsent = (): void => undefined;

const EVENT_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  connection: "keep-alive",
};
