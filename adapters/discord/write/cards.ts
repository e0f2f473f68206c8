/** Messages of the host's own at the top of a channel, with all that a post may have but files. */

import type { Cards } from "../../../src/ports/answers/review.ts";
import type { Calls } from "./api.ts";
import { attempt } from "./failure.ts";
import { showLine } from "./host-line.ts";

export const createCards = (calls: Calls): Cards => ({
  show: (place, { id, content, edits }) =>
    attempt(async () => {
      const shown = { channel: place, key: id, content };
      return { kind: "done", id: await showLine(calls, shown, edits) };
    }),
  remove: (place, message) =>
    attempt(async () => {
      await calls.call("DELETE", `/channels/${place}/messages/${message}`);
      return { kind: "done", id: message };
    }),
});
