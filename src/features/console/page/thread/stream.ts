/**
 * The events of one conversation. Where the connection ends or falls silent, this comes back with the last id it heard, later
 * each time.
 * A quiet tab in the background lets go of its connection: browsers grant only six to one host. (An EventSource cannot
 * send the key.)
 */

import { createParser } from "eventsource-parser";
import type { ConversationEvents } from "../../render/api-types.ts";
import { POSTS } from "../api/requests.ts";
import { keyed } from "../../../../../adapters/page/key.ts";

const HIDDEN_FOR = 60_000;
/** The host gives a sign of life every 15 s. Without one for so long the connection is dead, whatever the browser says. */
const SILENT_FOR = 45_000;

export interface StreamHandlers {
  readonly on: { readonly [K in keyof ConversationEvents]: (data: ConversationEvents[K]) => void };
  /** After each that was heard. */
  heard(event: keyof ConversationEvents): void;
  connected(yes: boolean): void;
  busy(): boolean;
}

export const openStream = (id: string, handlers: StreamHandlers): (() => void) => {
  /** Aborts the connection; null while there is none and none is wanted. */
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
    /** Ends this connection alone: the next one goes on from the last id. */
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
      // The connection was lost, or was given up here.
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
