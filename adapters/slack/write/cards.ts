/** The host's own messages at the top of a channel, with every content except files. */

import type { webApi } from "@slack/bolt";
import type { Cards } from "../../../src/ports/review.ts";
import { blocksOf, fallbackOf, SIGN } from "./blocks.ts";
import { attemptSlackCall } from "../api/failure.ts";
import { ensurePosted } from "./posted-question.ts";

export const createSlackCards = (client: webApi.WebClient): Cards => ({
  show: (place, { id, content, edits, since = null }) =>
    attemptSlackCall(async () => {
      const blocks = blocksOf(content).map((block, index) =>
        index === 0 ? { ...block, block_id: SIGN } : block,
      );
      const shown = { text: fallbackOf(content), blocks };
      return { kind: "done", id: await ensurePosted(client, { place, root: null, id, edits, since }, shown) };
    }),
  remove: (place, message) =>
    attemptSlackCall(async () => {
      await client.chat.delete({ channel: place, ts: message });
      return { kind: "done", id: message };
    }),
});
