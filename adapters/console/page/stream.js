/**
 * The events of one conversation. The browser comes back by itself with the last id it heard; where it gives up (an
 * error answer), this comes back with the same id in the query. A quiet tab in the background lets go of its
 * connection: browsers grant only six to one host.
 */

const EVENTS = ["snapshot", "state", "post", "live", "question", "progress"];
const HIDDEN_FOR = 60_000;

/** `handlers`: `on(event, data)`, `connected(yes)`, `busy()` (whether something is expected). Returns the way to stop. */
export const openStream = (id, handlers) => {
  let source = null;
  let lastId = null;
  let attempts = 0;
  let timer = null;
  let ended = false;

  const open = () => {
    clearTimeout(timer);
    const after = lastId === null ? "" : `?after=${encodeURIComponent(lastId)}`;
    source = new EventSource(`/api/conversations/${id}/events${after}`);
    source.addEventListener("open", () => {
      attempts = 0;
      handlers.connected(true);
    });
    source.addEventListener("error", () => {
      handlers.connected(false);
      if (source.readyState === EventSource.CLOSED) again();
    });
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        if (event.lastEventId !== "") lastId = event.lastEventId;
        handlers.on(name, JSON.parse(event.data));
      });
    }
  };

  const again = () => {
    if (ended) return;
    attempts += 1;
    timer = setTimeout(open, Math.min(500 * 2 ** attempts, 10_000));
  };

  const visibility = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") {
      if (source.readyState === EventSource.CLOSED) open();
    } else {
      timer = setTimeout(letGo, HIDDEN_FOR);
    }
  };

  const letGo = () => {
    if (handlers.busy()) timer = setTimeout(letGo, HIDDEN_FOR);
    else source.close();
  };

  document.addEventListener("visibilitychange", visibility);
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", visibility);
    source.close();
  };
};
