/** A client of the event stream that a test can cut at any byte, as a bad network would. */

import { request } from "node:http";
import { type Rig, TOKEN } from "../../adapters/http/rig.ts";

export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: unknown;
}

export interface Listener {
  /** Frames that arrived whole, in order. */
  readonly frames: readonly Frame[];
  /** The last id that arrived whole; what a browser would come back with. */
  lastId(): string | null;
  /** Settles when a frame satisfies `wanted`, past ones included. */
  heard(wanted: (frame: Frame) => boolean): Promise<Frame>;
  /** Settles when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  cut(): void;
}

/** `cutAfter`: bytes after which the connection is cut; `last`: posts of the snapshot. */
export const listen = (
  rig: Rig,
  id: string,
  options: { readonly lastId?: string | null; readonly cutAfter?: number; readonly last?: number } = {},
): Listener => {
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let text = "";
  let received = 0;
  const outgoing = request(
    `${rig.origin}/api/conversations/${id}/events${options.last === undefined ? "" : `?last=${options.last}`}`,
    {
      agent: false,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(typeof options.lastId === "string" ? { "last-event-id": options.lastId } : {}),
      },
    },
  );
  outgoing.on("error", () => end());
  outgoing.on("response", (incoming) => {
    incoming.setEncoding("latin1");
    incoming.on("data", (chunk: string) => {
      const room = (options.cutAfter ?? Infinity) - received;
      received += chunk.length;
      text += chunk.slice(0, Math.max(0, room));
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      frames.push(...blocks.flatMap(parseFrame));
      for (const check of waiting) check();
      if (received >= (options.cutAfter ?? Infinity)) outgoing.destroy();
    });
    incoming.on("close", () => end());
    incoming.on("error", () => end());
  });
  outgoing.end();
  return {
    frames,
    ended,
    lastId: () => frames.findLast((frame) => frame.id !== null)?.id ?? null,
    heard: (wanted) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = frames.find(wanted);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    cut: () => void outgoing.destroy(),
  };
};

const parseFrame = (block: string): readonly Frame[] => {
  const fields = new Map(
    block.split("\n").map((line): [string, string] => {
      const colon = line.indexOf(": ");
      return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const event = fields.get("event");
  if (event === undefined) return [];
  const data: unknown = JSON.parse(Buffer.from(fields.get("data") ?? "", "latin1").toString("utf8"));
  return [{ event, data, id: fields.get("id") ?? null }];
};
