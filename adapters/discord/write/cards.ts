/** The host's own messages at the top of a channel, with every content except files. */

import type { Cards } from "../../../src/ports/review.ts";
import { attemptDiscordCall } from "../api/failure.ts";
import { type LineDeps, showLine } from "./host-line.ts";

export const createDiscordCards = (deps: LineDeps): Cards => ({
  show: (place, { id, content, edits }) =>
    attemptDiscordCall(async () => {
      const shown = { channel: place, key: id, content };
      return { kind: "done", id: await showLine(deps, shown, edits) };
    }),
  remove: (place, message) =>
    attemptDiscordCall(async () => {
      const channel = deps.isForum(place) ? message : place;
      await deps.calls.call("DELETE", `/channels/${channel}/messages/${message}`);
      return { kind: "done", id: message };
    }),
});
