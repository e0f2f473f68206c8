/**
 * Progress as Slack's native streams (D21): started, appended to, removed with their turn. Where none may be begun,
 * progress is a message that is edited.
 *
 * Remembers what each streamed message shows, in memory alone: after a restart all of them are removed.
 */

import type { webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import type { Operation, SendOutcome } from "../../../src/ports/surface.ts";
import { buildRequest } from "../../post/trouble.ts";
import { blocksOf } from "./blocks.ts";
import { slackFailureOf } from "../api/failure.ts";
import { type Chunks, createChunks } from "./stream-chunks.ts";
import { streamErrorCodeOf, type Recipient, type StreamGate } from "./stream-gate.ts";
import { streamId, tsOf } from "./stream-id.ts";

/** Slack ends a stream after about five minutes, whatever is appended (hazard S6). */
const LASTS: Millis = 240_000;

type Show = Operation & { readonly kind: "status" };

export type ProgressStreams = ReturnType<typeof createProgressStreams>;

interface StreamDeps {
  readonly client: webApi.WebClient;
  readonly gate: StreamGate;
}

export const createProgressStreams = ({ client, gate }: StreamDeps) => {
  /** Null: it was begun, and what became of that is not known. */
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
      if (answer.ts === undefined) return { kind: "unknown", why: "no usable answer came" };
      chunks.arrived();
      streams.set(wire, chunks);
      return { kind: "done", id: streamId(answer.ts), lasts: LASTS };
    } catch (error) {
      if (!gate.isRefused(error, recipient)) return slackFailureOf(error);
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
      // The person who stopped it stops the turn as well, by an event of its own.
      if (streamErrorCodeOf(error) === "stopped_by_user") return { kind: "done", id };
      const trouble = slackFailureOf(error);
      // What else goes wrong leaves open whether the message has got it.
      return trouble.kind === "throttled" || trouble.kind === "gone"
        ? trouble
        : { kind: "done", id, lasts: 0 };
    }
  };

  return {
    /** Null where this progress is not a stream and has to be posted or edited. */
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
