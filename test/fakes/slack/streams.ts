/** Messages that are being streamed: who owns them, since when, and what has been said in them. */

import type { FakeClock } from "../shared/clock.ts";
import type { Json } from "./world.ts";

/** Task cards are updated by id; text and blocks are appended. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "plan"; readonly title: string }
  | { readonly kind: "task"; readonly id: string; readonly card: Json }
  | { readonly kind: "blocks"; readonly blocks: readonly Json[] };

export interface Stream {
  readonly startedAt: number;
  readonly parts: readonly Part[];
  readonly end: "open" | "stopped" | "stopped_by_user";
}

export interface Streams {
  /** Undefined where the message never was one. A stream over its lifetime is `stopped`. */
  of(channel: string, ts: string): Stream | undefined;
  start(channel: string, ts: string): void;
  setParts(channel: string, ts: string, parts: readonly Part[]): void;
  stop(channel: string, ts: string): void;
  stopByUser(channel: string, ts: string): void;
}

export const createStreams = (clock: FakeClock, lifetimeMs: number): Streams => {
  const known = new Map<string, Stream>();
  const of = (channel: string, ts: string): Stream | undefined => {
    const stream = known.get(`${channel}/${ts}`);
    return stream?.end === "open" && clock.now() - stream.startedAt >= lifetimeMs
      ? { ...stream, end: "stopped" }
      : stream;
  };
  const put = (channel: string, ts: string, change: Partial<Stream>): void => {
    const stream = of(channel, ts) ?? { startedAt: clock.now(), parts: [], end: "open" };
    known.set(`${channel}/${ts}`, { ...stream, ...change });
  };
  return {
    of,
    start: (channel, ts) => put(channel, ts, {}),
    setParts: (channel, ts, parts) => put(channel, ts, { parts }),
    stop: (channel, ts) => put(channel, ts, { end: "stopped" }),
    stopByUser: (channel, ts) => put(channel, ts, { end: "stopped_by_user" }),
  };
};
