/** The tags of a forum post, as its moderators call them. */

import * as z from "zod";
import type { TagsRead } from "../../../src/ports/chat-platform.ts";
import type { Place } from "../../../src/ports/conversation.ts";
import type { Calls } from "../write/api.ts";
import { unreadOf } from "./people.ts";

export const createTags =
  (calls: Calls) =>
  async ({ place, root }: Place): Promise<TagsRead> => {
    try {
      const { applied_tags: applied = [] } = post.parse(await calls.call("GET", `/channels/${root}`));
      if (applied.length === 0) return { kind: "tags", tags: [] };
      const { available_tags: available = [] } = forum.parse(await calls.call("GET", `/channels/${place}`));
      return {
        kind: "tags",
        tags: available.flatMap(({ id, name }) => (applied.includes(id) ? [name] : [])),
      };
    } catch (error) {
      return unreadOf(error);
    }
  };

const post = z.object({ applied_tags: z.array(z.string()).optional() });
const forum = z.object({
  available_tags: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
});
