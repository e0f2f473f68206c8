/** The tags of a forum post, as its moderators call them. */

import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Calls } from "../write/api.ts";
import { readChannel } from "./channel.ts";
import { unreadOf } from "./people.ts";

export const createTags =
  (calls: Calls): ChatPlatform["tags"] =>
  async ({ place, root }) => {
    try {
      const { applied_tags: applied } = await readChannel(calls, root);
      if (applied.length === 0) return { kind: "tags", tags: [] };
      const { available_tags: available } = await readChannel(calls, place);
      return {
        kind: "tags",
        tags: available.flatMap(({ id, name }) => (applied.includes(id) ? [name] : [])),
      };
    } catch (error) {
      return unreadOf(error);
    }
  };
