/**
 * Reads bodies of requests whose sender is unproven until the whole body has arrived. Each body has a limit of size and time,
 * and all together have a limit of memory. Above that limit the oldest unfinished body is dropped, so that slow senders cannot
 * block a fast sender.
 */

import type { Millis } from "../../../machine/id.ts";

type Body =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | { readonly kind: "large" }
  /** The body took too long, or other bodies needed its memory. */
  | { readonly kind: "dropped" };

export interface BodyLimits {
  /** Bytes of one body. */
  readonly each: number;
  /** Bytes of all bodies that are arriving. */
  readonly all: number;
  readonly time: Millis;
}

interface Arriving {
  held: number;
  drop(): void;
}

export const createBodies = ({ each, all, time }: BodyLimits) => {
  /** In the order in which they started. */
  const arriving = new Set<Arriving>();
  let held = 0;

  const grow = (one: Arriving, to: number): void => {
    held += to - one.held;
    one.held = to;
    for (const oldest of arriving) {
      if (held <= all || oldest === one) return;
      oldest.drop();
    }
  };

  const read = async (
    stream: ReadableStream<Uint8Array<ArrayBuffer>> | null,
    declared: number,
  ): Promise<Body> => {
    if (stream === null) return { kind: "whole", bytes: new Uint8Array() };
    if (declared > each) return { kind: "large" };
    const dropped = Promise.withResolvers<"dropped">();
    const one: Arriving = {
      held: 0,
      drop: () => {
        held -= one.held;
        one.held = 0;
        arriving.delete(one);
        dropped.resolve("dropped");
      },
    };
    arriving.add(one);
    const timer = setTimeout(one.drop, time);
    const reader = stream.getReader();
    let bytes = new Uint8Array();
    let size = 0;
    try {
      for (;;) {
        const next = await Promise.race([reader.read(), dropped.promise]);
        if (next === "dropped") return giveUp(reader);
        if (next.done) return { kind: "whole", bytes: bytes.subarray(0, size) };
        const chunk = next.value;
        if (size + chunk.length > each) return { kind: "large" };
        if (size + chunk.length > bytes.length) {
          // The buffer doubles, so that chunks of one byte cost no more than large chunks.
          const room = Math.min(each, Math.max(LEAST, 2 * bytes.length, size + chunk.length));
          grow(one, room);
          const larger = new Uint8Array(room);
          larger.set(bytes);
          bytes = larger;
        }
        bytes.set(chunk, size);
        size += chunk.length;
      }
    } catch {
      return { kind: "dropped" };
    } finally {
      clearTimeout(timer);
      one.drop();
    }
  };

  return { read, held: () => held };
};

const LEAST = 4_096;

const giveUp = (reader: ReadableStreamDefaultReader): Body => {
  void reader.cancel().catch(() => undefined);
  return { kind: "dropped" };
};
