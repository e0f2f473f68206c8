/**
 * Event stream of one conversation. After a lost or silent connection the page reconnects with the last event id, with growing
 * delays. A quiet tab in the background closes its connection, because browsers allow only six per host. (An EventSource cannot
 * send the key.)
 */

import { createParser } from "eventsource-parser";
import type { ConversationEvents } from "../../render/api-types.ts";
import { POSTS } from "../api/requests.ts";
import { keyed } from "../../../../../adapters/page/key.ts";

const HIDDEN_FOR = 60_000;
/**
 * Milliseconds of silence after which the connection counts as dead, whatever the browser reports. The host
 * sends a heartbeat every 15 s.
 */
const SILENT_FOR = 45_000;

export interface StreamHandlers {
  readonly on: { readonly [K in keyof ConversationEvents]: (data: ConversationEvents[K]) => void };
  heard(event: keyof ConversationEvents): void;
  connected(yes: boolean): void;
  busy(): boolean;
}

export const openStream = (id: string, handlers: StreamHandlers): (() => void) => {
  /** Aborts the connection; null if no connection exists and none is wanted. */
  let source: AbortController | null = null;
  let lastId: string | null = null;
  let attempts = 0;
  let timer: number | undefined;

  const isKnown = (event: string | undefined): event is keyof ConversationEvents =>
    event !== undefined && Object.hasOwn(handlers.on, event);

  const open = async () => {
    clearTimeout(timer);
    const own = new AbortController();
    source = own;
    /** Ends this connection only: the next connection continues after the last id. */
    const dead = new AbortController();
    let silence: number | undefined;
    const lives = () => {
      clearTimeout(silence);
      silence = setTimeout(() => dead.abort(), SILENT_FOR);
    };
    const { feed } = createParser({
      onEvent: ({ id: at, event, data }) => {
        if (own.signal.aborted || !isKnown(event)) return;
        lastId = at ?? lastId;
        handlers.on[event](JSON.parse(data));
        handlers.heard(event);
      },
    });
    try {
      const headers = lastId === null ? {} : { "last-event-id": lastId };
      const signal = AbortSignal.any([own.signal, dead.signal]);
      lives();
      const response = await keyed(`/api/conversations/${id}/events?last=${POSTS}`, {
        headers,
        signal,
        cache: "no-store",
      });
      if (response.ok && response.body !== null) {
        attempts = 0;
        handlers.connected(true);
        const write = (text: string) => {
          lives();
          feed(text);
        };
        await response.body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write }));
      }
    } catch {
      // The connection was lost, or was closed by this page.
    }
    clearTimeout(silence);
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
