/**
 * Posts an answer as a native stream while it is written (TH2): started with its first words, extended, and
 * stopped with its key and the content below, which makes it the answer. If the stream's content is in doubt,
 * the stream is removed and the answer is posted whole, because a stream cannot be rewritten before its stop.
 *
 * The content of each stream is remembered in memory alone. Streams that were not stopped are removed after a restart.
 */

import type { types, webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { Content, Operation, SendOutcome, PlatformMessage, Thread } from "../../../src/ports/surface.ts";
import { buildRequest } from "../../post/trouble.ts";
import { blocksOf } from "./blocks.ts";
import { slackFailureOf } from "../api/failure.ts";
import type { SessionView } from "./sessions.ts";
import { streamErrorCodeOf, type StreamGate } from "./stream-gate.ts";
import { isStream, streamId, tsOf } from "./stream-id.ts";
import { type TextOrTable, textsAndTablesOf } from "./table.ts";

/** Slack ends a stream after about five minutes (hazard S6). */
const LASTS: Millis = 240_000;

type Send = Operation & { readonly kind: "send" };
type Change = Operation & { readonly kind: "edit" | "finish" };

export type AnswerStreams = ReturnType<typeof createAnswerStreams>;

interface Shown {
  parts: readonly TextOrTable[];
  readonly begun: Millis;
}

export const createAnswerStreams = (deps: {
  readonly client: webApi.WebClient;
  readonly gate: StreamGate;
  readonly clock: Clock;
  readonly sessions: SessionView;
  /** Returns the key and hash of a message; null if the message is missing or has no key of Parley's. */
  readonly carried: (thread: Thread, ts: string) => Promise<PlatformMessage | null>;
}) => {
  const { client, gate, clock, sessions, carried } = deps;
  const streams = new Map<string, Shown>();
  const removed = new Set<string>();

  const append = async (
    { thread, wire, id }: Change,
    shown: Shown,
    content: Content,
  ): Promise<SendOutcome> => {
    const parts = buildRequest(() => partsIn(content));
    const chunks = chunksAfter(shown.parts, parts);
    if (chunks === null) return replace(thread, wire, id);
    if (chunks.length === 0) return { kind: "done", id };
    await client.chat.appendStream({ channel: thread.place, ts: tsOf(id), chunks: [...chunks] });
    shown.parts = parts;
    return { kind: "done", id };
  };

  const stop = async (
    { thread, wire, id }: Change,
    shown: Shown,
    content: Content,
    metadata: types.MessageMetadata,
  ): Promise<SendOutcome> => {
    const { closing, chunks } = buildRequest(() => ({
      closing: blocksOf({ ...content, text: "" }),
      chunks: chunksAfter(shown.parts, partsIn(content)),
    }));
    if (chunks === null || content.lead !== undefined) return replace(thread, wire, id);
    const status = sessions.statusOf(thread);
    await client.chat.stopStream({
      channel: thread.place,
      ts: tsOf(id),
      // Without a status, Slack makes the session active, even if the turn waits for a person or goes on.
      ...(status === null ? {} : { session_status: status }),
      ...(chunks.length === 0 ? {} : { chunks: [...chunks] }),
      ...(closing.length === 0 ? {} : { blocks: closing }),
      metadata,
    });
    streams.delete(wire);
    sessions.streams(thread, false);
    sessions.changed(thread, status ?? "active");
    return { kind: "done", id: tsOf(id) };
  };

  /**
   * A stream with its key was stopped by a call whose response was lost, so it is a normal message by now.
   */
  const settle = async ({ thread, wire, id, hash }: Change): Promise<SendOutcome | null> => {
    const seen = await carried(thread, tsOf(id));
    if (seen?.wire !== wire) return replace(thread, wire, id);
    streams.delete(wire);
    return seen.hash === hash ? { kind: "done", id: tsOf(id) } : null;
  };

  const replace = async (thread: Thread, wire: string, id: string): Promise<SendOutcome> => {
    // The stream is forgotten before its removal. If the response is lost, a retry must not mistake the removal for a person's
    // deletion.
    streams.delete(wire);
    await remove(thread, id);
    removed.add(wire);
    return { kind: "gone", what: "message", why: "it is posted whole instead", isReplaced: true };
  };

  const remove = async (thread: Thread, id: string): Promise<void> => {
    const message = { channel: thread.place, ts: tsOf(id) };
    // Deleting a running stream would leave Slack's own line about the work.
    if (isStream(id)) {
      const status = sessions.statusOf(thread) ?? "active";
      try {
        await client.chat.stopStream({ ...message, session_status: status });
        sessions.streams(thread, false);
        sessions.changed(thread, status);
      } catch (error) {
        if (!IS_OVER.has(streamErrorCodeOf(error) ?? "")) throw error;
      }
    }
    await client.chat.delete(message).catch((error: unknown) => {
      if (!isStream(id) || streamErrorCodeOf(error) !== "message_not_found") throw error;
    });
  };

  return {
    /** Null if the content must be posted as a normal message. */
    send: async ({ thread, wire, content, isOpen }: Send): Promise<SendOutcome | null> => {
      if (removed.delete(wire) || isOpen !== true || content.isFull === true) return null;
      const parts = buildRequest(() => partsIn(content));
      const chunks = chunksAfter([], parts);
      const recipient = chunks === null ? null : gate.recipient(thread.place, content.reply?.person);
      if (chunks === null || recipient === null) return null;
      try {
        const { ts } = await client.chat.startStream({
          channel: thread.place,
          thread_ts: thread.root,
          ...recipient,
          chunks: [...chunks],
        });
        sessions.changed(thread, "processing");
        if (ts === undefined) return { kind: "unknown", why: "no usable answer came" };
        sessions.streams(thread, true);
        streams.set(wire, { parts, begun: clock.now() });
        return { kind: "done", id: streamId(ts) };
      } catch (error) {
        if (gate.isRefused(error, recipient)) return null;
        sessions.changed(thread, "processing");
        return slackFailureOf(error);
      }
    },
    /**
     * Null if the message is no stream. `content`: the part that Slack accepts. `metadata`: the message's
     * final metadata.
     */
    change: async (
      operation: Change,
      content: Content,
      metadata: types.MessageMetadata,
    ): Promise<SendOutcome | null> => {
      const { wire, id, kind } = operation;
      if (!isStream(id)) return null;
      const shown = streams.get(wire);
      if (shown === undefined || clock.now() - shown.begun > LASTS) return settle(operation);
      try {
        return kind === "finish" || content.isFull === true
          ? await stop(operation, shown, content, metadata)
          : await append(operation, shown, content);
      } catch (error) {
        const trouble = slackFailureOf(error);
        if (trouble.kind === "throttled" || trouble.kind === "gone") return trouble;
        // The caller has another form of the blocks, which may be accepted.
        if (streamErrorCodeOf(error) === "invalid_blocks") throw error;
        return settle(operation);
      }
    },
    remove,
  };
};

const IS_OVER = new Set(["message_not_in_streaming_state", "message_not_found", "stopped_by_user"]);

/** Space at the end is withheld, because a table may follow. */
const partsIn = ({ text }: Content): readonly TextOrTable[] =>
  textsAndTablesOf(text).map((part) =>
    part.kind === "text" ? { ...part, text: part.text.trimEnd() } : part,
  );

/** A bare address outside of links and code, for which a stream would display a preview. */
const BARE = /(?<!\]\(<?|`)https?:\/\//i;

/** Returns the chunks to append; null if appending cannot produce the new content. */
const chunksAfter = (
  before: readonly TextOrTable[],
  after: readonly TextOrTable[],
): readonly types.AnyChunk[] | null => {
  const chunks: types.AnyChunk[] = [];
  if (after.length < before.length) return null;
  for (const [index, part] of after.entries()) {
    const stands = before[index];
    if (part.kind === "table") {
      if (stands === undefined) chunks.push({ type: "blocks", blocks: [part.block] });
      else if (JSON.stringify(stands) !== JSON.stringify(part)) return null;
      continue;
    }
    const shown = stands === undefined ? "" : stands.kind === "text" ? stands.text : null;
    const isLast = index >= before.length - 1;
    if (shown === null || !(isLast ? part.text.startsWith(shown) : part.text === shown)) return null;
    const more = part.text.slice(shown.length);
    if (BARE.test(more)) return null;
    if (more !== "") chunks.push({ type: "markdown_text", text: more });
  }
  return chunks;
};
