/**
 * What the operator has to know of, in a channel: the host's own sentences. Each carries a mark by which it is found among
 * the newest messages, so that it is put once.
 */

import { MessageFlags } from "discord.js";
import * as z from "zod";
import type { SendAlert } from "../../../src/ports/alerts.ts";
import { hostMarks } from "../../text/text.ts";
import { noteKey, nonceOf } from "./message-key.ts";
import { unreadOf } from "../read/people.ts";
import type { Calls } from "./api.ts";

const LOOK_BACK = "50";

export const createAlert =
  (calls: Calls): SendAlert =>
  async (place, { id, text, isOver }) => {
    const route = `/channels/${place}/messages` as const;
    const mark = noteKey(id);
    try {
      const newest = messages.parse(await calls.call("GET", route, { query: { limit: LOOK_BACK } }));
      const before = newest.find(({ components }) => components[0]?.id === mark);
      if (before !== undefined) return { kind: "put", message: before.id };
      const answer = await calls.call("POST", route, {
        body: {
          flags: MessageFlags.IsComponentsV2,
          components: [
            { type: 10, id: mark, content: `${isOver ? hostMarks.notice : hostMarks.warning} ${text}` },
          ],
          allowed_mentions: { parse: [] },
          nonce: nonceOf(id),
          enforce_nonce: true,
        },
      });
      return { kind: "put", message: put.parse(answer).id };
    } catch (error) {
      return { kind: "refused", why: `Discord did not take it: ${unreadOf(error).why}` };
    }
  };

const put = z.object({ id: z.string() });
const messages = z.array(
  z.object({
    id: z.string(),
    components: z.array(z.object({ id: z.number().optional() })).default([]),
  }),
);
