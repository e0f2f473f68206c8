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

/** Adds parts: text runs on, a task of a known id is updated in place (its details grow, the rest is replaced). */
export const appended = (parts: readonly Part[], more: readonly Part[]): readonly Part[] =>
  more.reduce(withPart, parts);

const withPart = (parts: readonly Part[], next: Part): readonly Part[] => {
  const last = parts.at(-1);
  if (next.kind === "text" && last?.kind === "text") {
    return [...parts.slice(0, -1), { kind: "text", text: last.text + next.text }];
  }
  const isSame = (part: Part): boolean =>
    (next.kind === "task" && part.kind === "task" && part.id === next.id) ||
    (next.kind === "plan" && part.kind === "plan");
  return parts.some(isSame)
    ? parts.map((part) => (isSame(part) ? updated(part, next) : part))
    : [...parts, next];
};

const updated = (part: Part, next: Part): Part => {
  if (part.kind !== "task" || next.kind !== "task") {
    return next;
  }
  const details = `${textIn(part.card, "details")}${textIn(next.card, "details")}`;
  return { ...next, card: { ...part.card, ...next.card, ...(details === "" ? {} : { details }) } };
};

const textIn = (card: Json, field: string): string => {
  const value = card[field];
  return typeof value === "string" ? value : "";
};

export const partsAsText = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : "")).join("");

export const partsAsBlocks = (parts: readonly Part[]): readonly Json[] =>
  parts.flatMap((part): readonly Json[] => {
    switch (part.kind) {
      case "text":
        return [{ type: "markdown", text: part.text }];
      case "plan":
        return [{ type: "plan", title: part.title }];
      case "task":
        return [{ type: "task_card", task_id: part.id, ...part.card }];
      case "blocks":
        return part.blocks;
    }
  });
