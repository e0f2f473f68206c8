/**
 * Frames of Socket Mode, looked at before socket-mode 3.1.0 does: it ends the process on an envelope without an event
 * and on `null`, and closes at once on every kind of `disconnect` (hazards S3 and S4).
 */

import type { SocketModeReceiver } from "@slack/bolt";
import * as z from "zod";
import { jsonIn } from "../../../src/text/json.ts";

export type Frame =
  | { readonly kind: "hello"; readonly connections: number }
  | { readonly kind: "ending"; readonly reason: string }
  | { readonly kind: "rateLimited" }
  | { readonly kind: "envelope" }
  | { readonly kind: "unusable" };

/** Shows every frame to `look` first; the client gets those for which it answers true. */
export const watchFrames = (
  { client }: Pick<SocketModeReceiver, "client">,
  look: (frame: Frame) => boolean,
  failed: (error: unknown) => void,
): void => {
  const listeners = client.listeners("ws_message");
  client.removeAllListeners("ws_message");
  client.on("ws_message", (data: unknown, isBinary: boolean) => {
    if (isBinary || !look(readFrame(data))) return;
    for (const listener of listeners) {
      Promise.resolve(Reflect.apply(listener, client, [data, isBinary])).catch(failed);
    }
  });
};

const readFrame = (data: unknown): Frame => {
  const frame = frameSchema.safeParse(jsonIn(String(data)));
  if (!frame.success) return { kind: "unusable" };
  const { data: read } = frame;
  switch (read.type) {
    case "hello":
      return { kind: "hello", connections: read.num_connections };
    case "disconnect":
      return { kind: "ending", reason: read.reason };
    case "events_api":
      if (read.payload.event !== undefined) return { kind: "envelope" };
      return read.payload.type === "app_rate_limited" ? { kind: "rateLimited" } : { kind: "unusable" };
    case "interactive":
    case "slash_commands":
      return { kind: "envelope" };
  }
};

const envelope = { envelope_id: z.string() };
const frameSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), num_connections: z.number().default(1) }),
  z.object({ type: z.literal("disconnect"), reason: z.string().default("unknown") }),
  z.object({
    ...envelope,
    type: z.literal("events_api"),
    payload: z.object({
      type: z.string().optional(),
      event: z.looseObject({ type: z.string() }).optional(),
    }),
  }),
  z.object({ ...envelope, type: z.literal("interactive"), payload: z.looseObject({}) }),
  z.object({ ...envelope, type: z.literal("slash_commands"), payload: z.looseObject({}) }),
]);
