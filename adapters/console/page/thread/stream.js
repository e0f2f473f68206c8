/**
 * The events of one conversation. Where the connection ends, this comes back with the last id it heard, later each time.
 * A quiet tab in the background lets go of its connection: browsers grant only six to one host. (An EventSource cannot
 * send the key.)
 */

import { keyed } from "../key.js";

const HIDDEN_FOR = 60_000;

/** `handlers`: `on(event, data)`, `connected(yes)`, `busy()` (whether something is expected). Returns the way to stop. */
export const openStream = (id, handlers) => {
  /** Aborts the connection; null while there is none and none is wanted. */
  let source = null;
  let lastId = null;
  let attempts = 0;
  let timer = null;

  const open = async () => {
    clearTimeout(timer);
    const own = new AbortController();
    source = own;
    try {
      const headers = lastId === null ? {} : { "last-event-id": lastId };
      const { signal } = own;
      const response = await keyed(`/api/conversations/${id}/events`, { headers, signal, cache: "no-store" });
      if (response.ok) {
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

  let hidden = null;
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

/** Server-sent events as this host writes them: one line of data each. Comments and retry times are left out. */
const read = async (body, told) => {
  let left = "";
  for await (const text of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    const frames = `${left}${text}`.split("\n\n");
    left = frames.pop();
    for (const frame of frames) {
      const fields = Object.fromEntries(frame.split("\n").map((line) => split(line)));
      if (fields.event !== undefined && fields.data !== undefined) told(fields);
    }
  }
};

const split = (line) => {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
};

/** Not every browser iterates over a stream. */
async function* chunksOf(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
