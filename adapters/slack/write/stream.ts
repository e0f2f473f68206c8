/**
 * Displays progress as Slack's native streams (D21): started, extended, and removed with their turn. If no
 * stream may be started, progress is an edited message.
 *
 * The content of each stream is remembered in memory alone. All streams are removed after a restart.
 */

import type { webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import type { Operation, SendOutcome } from "../../../src/ports/surface.ts";
import { buildRequest } from "../../post/trouble.ts";
import { blocksOf } from "./blocks.ts";
import { slackFailureOf } from "../api/failure.ts";
import { type Chunks, createChunks } from "./stream-chunks.ts";
import type { SessionView } from "./sessions.ts";
import { streamErrorCodeOf, type Recipient, type StreamGate } from "./stream-gate.ts";
import { streamId, tsOf } from "./stream-id.ts";

/** Slack ends a stream after about five minutes, regardless of appended text (hazard S6). */
const LASTS: Millis = 240_000;

type Show = Operation & { readonly kind: "status" };

export type ProgressStreams = ReturnType<typeof createProgressStreams>;

interface StreamDeps {
  readonly client: webApi.WebClient;
  readonly gate: StreamGate;
  readonly sessions: SessionView;
}

export const createProgressStreams = ({ client, gate, sessions }: StreamDeps) => {
  /** Null: the stream was started with an unknown result. */
  const streams = new Map<string, Chunks | null>();

  const start = async (
    operation: Show,
    recipient: Recipient,
    chunks: Chunks,
  ): Promise<SendOutcome | null> => {
    const { thread, wire, progress, content } = operation;
    if (progress === undefined) return null;
    streams.set(wire, null);
    const controls = blocksOf({ tone: "status", text: "", buttons: content.buttons });
    try {
      const answer = await client.chat.startStream({
        channel: thread.place,
        thread_ts: thread.root,
        ...recipient,
        task_display_mode: "plan",
        chunks: [
          ...(controls.length === 0 ? [] : [{ type: "blocks" as const, blocks: controls }]),
          ...(buildRequest(() => chunks.next(progress)) ?? []),
        ],
      });
      sessions.changed(thread, "processing");
      if (answer.ts === undefined) return { kind: "unknown", why: "no usable answer came" };
      chunks.arrived();
      streams.set(wire, chunks);
      return { kind: "done", id: streamId(answer.ts), lasts: LASTS };
    } catch (error) {
      if (!gate.isRefused(error, recipient)) {
        sessions.changed(thread, "processing");
        return slackFailureOf(error);
      }
      streams.delete(wire);
      return null;
    }
  };

  const append = async ({ thread, progress }: Show, id: string, chunks: Chunks): Promise<SendOutcome> => {
    const more = progress === undefined ? [] : buildRequest(() => chunks.next(progress));
    if (more === null) return { kind: "done", id, lasts: 0 };
    if (more.length === 0) return { kind: "done", id };
    try {
      await client.chat.appendStream({ channel: thread.place, ts: tsOf(id), chunks: [...more] });
      chunks.arrived();
      return chunks.isFull() ? { kind: "done", id, lasts: 0 } : { kind: "done", id };
    } catch (error) {
      // A person who stops the stream also stops the turn, by a separate event.
      if (streamErrorCodeOf(error) === "stopped_by_user") return { kind: "done", id };
      const trouble = slackFailureOf(error);
      // After any other failure, it is unknown whether the message received the chunks.
      return trouble.kind === "throttled" || trouble.kind === "gone"
        ? trouble
        : { kind: "done", id, lasts: 0 };
    }
  };

  return {
    /** Null if this progress is no stream and must be posted or edited. */
    show: async (operation: Show): Promise<SendOutcome | null> => {
      const { wire, id, progress } = operation;
      const known = streams.get(wire);
      if (id !== null) {
        if (known === undefined) return null;
        return known === null ? { kind: "done", id, lasts: 0 } : append(operation, id, known);
      }
      if (progress === undefined) return null;
      const recipient = gate.recipient(operation.thread.place, progress.asker);
      return recipient === null ? null : start(operation, recipient, createChunks(progress));
    },
    forget: (wire: string) => void streams.delete(wire),
  };
};
