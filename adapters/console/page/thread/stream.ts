/**
 * The events of one conversation. Where the connection ends, this comes back with the last id it heard, later each time.
 * A quiet tab in the background lets go of its connection: browsers grant only six to one host. (An EventSource cannot
 * send the key.)
 */

import type { ConversationEvents } from "../../render/api-types.ts";
import { POSTS } from "../api.ts";
import { keyed } from "../key.ts";

const HIDDEN_FOR = 60_000;

interface StreamHandlers {
  on<K extends keyof ConversationEvents>(event: K, data: ConversationEvents[K]): void;
  connected(yes: boolean): void;
  busy(): boolean;
}

export const openStream = (id: string, handlers: StreamHandlers): (() => void) => {
  /** Aborts the connection; null while there is none and none is wanted. */
  let source: AbortController | null = null;
  let lastId: string | null = null;
  let attempts = 0;
  let timer: number | undefined;

  const open = async () => {
    clearTimeout(timer);
    const own = new AbortController();
    source = own;
    try {
      const headers = lastId === null ? {} : { "last-event-id": lastId };
      const { signal } = own;
      const response = await keyed(`/api/conversations/${id}/events?last=${POSTS}`, {
        headers,
        signal,
        cache: "no-store",
      });
      if (response.ok && response.body !== null) {
        attempts = 0;
        handlers.connected(true);
        await read(response.body, (frame) => {
          if (own.signal.aborted) return;
          if (frame.id !== undefined) lastId = frame.id;
          handlers.on(frame.event, JSON.parse(frame.data));
        });
      }
    } catch {
      // The connection was lost, or was given up here.
    }
    if (own.signal.aborted) return;
    handlers.connected(false);
    attempts += 1;
    timer = setTimeout(() => void open(), Math.min(500 * 2 ** attempts, 10_000));
  };

  const close = () => {
    clearTimeout(timer);
    source?.abort();
    source = null;
  };

  const visibility = () => {
    if (document.visibilityState !== "visible") hide();
    else {
      clearTimeout(hidden);
      if (source === null) void open();
    }
  };

  let hidden: number | undefined;
  const hide = () => {
    clearTimeout(hidden);
    hidden = setTimeout(() => (handlers.busy() ? hide() : close()), HIDDEN_FOR);
  };

  document.addEventListener("visibilitychange", visibility);
  void open();
  return () => {
    clearTimeout(hidden);
    document.removeEventListener("visibilitychange", visibility);
    close();
  };
};

interface Frame {
  readonly id: string | undefined;
  readonly event: keyof ConversationEvents;
  readonly data: string;
}

/** Server-sent events as this host writes them: one line of data each. Comments and retry times are left out. */
const read = async (body: ReadableStream<Uint8Array<ArrayBuffer>>, told: (frame: Frame) => void) => {
  let left = "";
  for await (const text of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    const frames = `${left}${text}`.split("\n\n");
    left = frames.pop() ?? "";
    for (const frame of frames) {
      const { id, event, data }: Partial<Frame> = Object.fromEntries(frame.split("\n").map(split));
      if (event !== undefined && data !== undefined) told({ id, event, data });
    }
  }
};

const split = (line: string): [string, string] => {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
};

/** Not every browser iterates over a stream. */
async function* chunksOf(stream: ReadableStream<string>) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
